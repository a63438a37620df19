import type { ChangeWorkspaceBody, SecondFactorRule, ServerStatus, Workspace } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { rememberWorkspace, useResource, useWorkspace } from '../../../data/live/workspace.ts';
import { request } from '../../../data/request.ts';
import { countText, sizeText } from '../../../lib/count-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Picks } from '../../../ui/forms/choices.tsx';
import { NameForm, useSubmit } from '../../../ui/forms/form.tsx';
import { Loaded, PageBody, Section } from '../../../ui/forms/page-body.tsx';
import { Fact } from '../../../ui/forms/table.tsx';
import { When } from '../../../ui/items/when.tsx';
import { toast } from '../../../ui/toast.tsx';
import { BotAvatarField } from '../own/avatar-field.tsx';

/** Settings of the whole workspace, and the status of its server. */
export function GeneralPage() {
  const { state, reload, change } = useSettings();
  return (
    <PageBody title="General" variant="is-own">
      <Loaded state={state} onRetry={reload}>
        {(workspace) => (
          <>
            <Section id="workspace-name-title" title="Workspace">
              <NameForm
                id="workspace-name"
                label="Name"
                help="Shown in the sidebar, page titles and on the sign-in page."
                maxLength={LIMITS.hubNameCodePoints}
                saved={workspace.name}
                onSave={(name) => change({ name })}
              />
            </Section>
            <Section id="bot-name-title" title="Bot">
              <BotAvatarField name={workspace.botName} />
              <NameForm
                id="bot-name"
                label="Bot name"
                help="The author of every post made with a key, in hubctl, the API and exports. The web app shows the name of the key."
                maxLength={LIMITS.userNameCodePoints}
                saved={workspace.botName}
                onSave={(botName) => change({ botName })}
              />
            </Section>
            <KeyRulesSection workspace={workspace} onSave={change} />
            <FactorRuleSection key={workspace.secondFactor} saved={workspace.secondFactor} onSave={change} />
          </>
        )}
      </Loaded>
      <ServerSection />
    </PageBody>
  );
}

function useSettings() {
  const { me } = useWorkspace();
  const noted = (workspace: Workspace) => {
    const { name } = workspace;
    if (me.peek().workspace.name !== name) {
      me.value = { ...me.peek(), workspace: { ...me.peek().workspace, name } };
      rememberWorkspace(name);
    }
    return workspace;
  };
  const load = async (signal: AbortSignal) => noted(await request('GET /workspace', { signal }));
  const { state, reload, set } = useResource(load, { topics: ['workspace'] });
  const change = async (body: ChangeWorkspaceBody) => {
    set(noted(await request('PATCH /workspace', { body })));
    toast('Saved.');
  };
  return { state, reload, change };
}

type Rules = Pick<Workspace, 'membersManageKeys' | 'longestKeyLifetimeDays'>;

const OFFERED_DAYS = [30, 90, 365];
const MAX_DAYS = 36_500;

function KeyRulesSection(props: { workspace: Workspace; onSave: (changes: Partial<Rules>) => Promise<void> }) {
  const { workspace, onSave } = props;
  const [changes, setChanges] = useState<Partial<Rules>>({});
  /** A custom number of days as typed; `null` while an offered lifetime is chosen. */
  const [daysText, setDaysText] = useState<string | null>(null);
  const saved: Rules = workspace;
  const rules: Rules = { ...saved, ...changes };
  const days = daysText === null ? rules.longestKeyLifetimeDays : Number(daysText);
  const isSame = rules.membersManageKeys === saved.membersManageKeys && days === saved.longestKeyLifetimeDays;
  const { submit, isBusy, error } = useSubmit(async () => {
    if (days !== null && !(Number.isInteger(days) && days >= 1 && days <= MAX_DAYS))
      throw new Error(`Enter a whole number of days from 1 to ${MAX_DAYS}.`);
    // Another admin may have changed the other rule, which this page does not know yet.
    await onSave({
      ...(rules.membersManageKeys !== saved.membersManageKeys && { membersManageKeys: rules.membersManageKeys }),
      ...(days !== saved.longestKeyLifetimeDays && { longestKeyLifetimeDays: days }),
    });
    setChanges({});
    setDaysText(null);
  });
  const allow = (longestKeyLifetimeDays: number | null) => {
    setDaysText(null);
    setChanges({ ...changes, longestKeyLifetimeDays });
  };
  const { longestKeyLifetimeDays: maxDays } = rules;
  const isOther = daysText !== null || (maxDays !== null && !OFFERED_DAYS.includes(maxDays));
  return (
    <Section id="key-rules" title="API keys">
      <form onSubmit={submit} noValidate>
        <Picks
          legend="Who can manage keys"
          options={[
            { value: true, label: 'Hub members and admins' },
            { value: false, label: 'Admins only' },
          ]}
          chosen={[rules.membersManageKeys]}
          onChoose={(membersManageKeys) => setChanges({ ...changes, membersManageKeys })}
        />
        <Picks<number | 'other' | null>
          legend="Maximum key lifetime"
          options={[
            { value: null, label: 'No limit' },
            ...OFFERED_DAYS.map((offered) => ({ value: offered, label: `${offered} days` })),
            { value: 'other', label: 'Other' },
          ]}
          chosen={[isOther ? 'other' : maxDays]}
          onChoose={(value) => (value === 'other' ? setDaysText(String(maxDays ?? '')) : allow(value))}
          help="Applies to keys issued, rotated or replaced from now on. Existing keys keep working and are flagged."
          error={error}
        >
          {isOther && (
            <label class="days">
              <input
                type="number"
                inputMode="numeric"
                min={1}
                max={MAX_DAYS}
                value={daysText ?? String(maxDays)}
                aria-invalid={error !== ''}
                onInput={({ currentTarget }) => setDaysText(currentTarget.value)}
              />{' '}
              days
            </label>
          )}
        </Picks>
        <Button type="submit" disabled={isSame} aria-disabled={isBusy}>
          Save<span class="sr"> key rules</span>
        </Button>
      </form>
    </Section>
  );
}

const FACTOR_RULES: readonly { value: SecondFactorRule; label: string }[] = [
  { value: 'optional', label: 'Nobody' },
  { value: 'admins', label: 'Owners and admins' },
  { value: 'everyone', label: 'Everyone' },
];

interface FactorRuleSectionProps {
  saved: SecondFactorRule;
  onSave: (changes: { secondFactor: SecondFactorRule }) => Promise<void>;
}

/** The users who must set up a second factor. */
function FactorRuleSection({ saved, onSave }: FactorRuleSectionProps) {
  const [rule, setRule] = useState(saved);
  const { submit, isBusy, error } = useSubmit(() => onSave({ secondFactor: rule }));
  return (
    <Section id="factor-rule" title="Signing in">
      <form onSubmit={submit} noValidate>
        <Picks<SecondFactorRule>
          legend="Who must have a second factor"
          options={FACTOR_RULES}
          chosen={[rule]}
          onChoose={setRule}
          help="They have seven days to set one up. Access tokens, and users who only sign in with a provider, are exempt."
          error={error}
        />
        <Button type="submit" disabled={rule === saved} aria-disabled={isBusy}>
          Save<span class="sr"> rule for second factors</span>
        </Button>
      </form>
    </Section>
  );
}

function ServerSection() {
  const load = (signal: AbortSignal) => request('GET /status', { signal });
  const { state, reload } = useResource(load, { topics: ['hubs', 'keys', 'workspace'] });
  return (
    <Section id="server" title="Server">
      <Loaded state={state} onRetry={reload}>
        {(status) => (
          <>
            <Facts {...status} />
            {status.node !== null && <Nodes />}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Facts(facts: ServerStatus) {
  const { version, baseUrl, plainHttpHost, startedAt, databaseBytes, walBytes, hubs, keys, items, node, lastBackup } =
    facts;
  return (
    <dl class="facts server-facts">
      <TextFact name="Version">{version}</TextFact>
      <TextFact name="Address">
        <code>{baseUrl}</code>
      </TextFact>
      {plainHttpHost !== null && (
        <TextFact name="Encryption">
          None, and others can reach it at <code>{plainHttpHost}</code>: keys and passwords can be read in transit. Run{' '}
          <code>hubctl doctor</code> for a fix.
        </TextFact>
      )}
      <TextFact name="Running since">
        <When at={startedAt} />
      </TextFact>
      <TextFact name="Contents">
        {countText(items, 'item')} in {countText(hubs, 'Hub')}, {countText(keys, 'key')} that can post
      </TextFact>
      <TextFact name="Database">{sizeText(databaseBytes + walBytes)}</TextFact>
      <TextFact name="Files">
        {sizeText(facts.fileBytes)} of {sizeText(facts.maxFileBytes)}
      </TextFact>
      <TextFact name="Last backup">
        {node !== null ? (
          'The workspace is in PostgreSQL, and is backed up there.'
        ) : lastBackup === null ? (
          <>
            None yet. Owners can take one with <code>hubctl backup FILE</code> while the server runs.
          </>
        ) : (
          <>
            <When at={lastBackup.takenAt} />, {sizeText(lastBackup.bytes)}
          </>
        )}
      </TextFact>
    </dl>
  );
}

function Nodes() {
  const { state, reload } = useResource((signal) => request('GET /nodes', { signal }), { topics: [] });
  return (
    <Loaded state={state} onRetry={reload}>
      {({ items, missing }) => (
        <dl class="facts server-facts">
          {items.map(({ id, host, version, startedAt, isLeader, clockDifferenceMs, liveConnections }) => (
            <TextFact key={id} name={`Node ${host}`}>
              {isLeader && 'Leader, '}version {version}, since <When at={startedAt} />,{' '}
              {countText(liveConnections, 'live connection')}, clock {clockDifferenceMs} ms ahead of the database
            </TextFact>
          ))}
          {missing.map((id) => (
            <TextFact key={id} name="Node">
              <code>{id}</code> does not respond.
            </TextFact>
          ))}
        </dl>
      )}
    </Loaded>
  );
}

/** Its text is one element, since the value of a fact is laid out as a row. */
function TextFact({ name, children }: { name: string; children: ComponentChildren }) {
  return <Fact name={name} value={<span>{children}</span>} />;
}
