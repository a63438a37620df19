import type { ApiKey, Hub, IssuedKey, Scope } from '@hub/contract';
import { useEffect, useId } from 'preact/hooks';
import { Dialog } from '../../ui/dialog.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import { Problem } from '../problem.tsx';
import { SCOPE_KINDS, SCOPES } from './key-scopes.ts';
import { LifetimeField } from './lifetime-field.tsx';
import { defaultLifetime, useIssueKey, useKeyHubs, useWorkspaceSettings } from './use-issue-key.ts';

interface IssueKeyFormProps {
  hubId?: string;
  /** A key with permissions it does not use: the new key gets its name and the permissions it has used. */
  instead?: ApiKey;
  onClose: () => void;
  onIssued: (issued: IssuedKey) => void;
}

const LEAD = 'A key lets one program post to one Hub. It can’t read, change or delete anything.';

/** Asks for the name, Hub, permissions and expiry of a new key. */
export function IssueKeyForm({ hubId, instead, onClose, onIssued }: IssueKeyFormProps) {
  const { me, hubs } = useWorkspace();
  const own = useKeyHubs();
  const settings = useWorkspaceSettings();
  const form = useId();
  const maxDays = settings?.longestKeyLifetimeDays ?? null;
  const { draft, change, problems, isBusy, issue } = useIssueKey(
    { hubId: hubId ?? '', name: instead?.name ?? '', scopes: scopesOf(instead), lifetime: null },
    maxDays,
    onIssued,
  );
  useEffect(() => {
    // Focuses the first invalid field, if it is an input or a select.
    document.getElementById(form)?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);
  const chosenHub = chosenOf(own, draft.hubId);
  const lifetime = draft.lifetime ?? defaultLifetime(maxDays);
  if (settings && !settings.membersManageKeys && me.value.role === 'member') {
    return <CannotIssue text="Only admins can manage keys in this workspace. Ask one of them." onClose={onClose} />;
  }
  if (hubs.isLoaded.value && own.length === 0) {
    return <CannotIssue text="You’re not in any Hubs yet. Ask an admin to add you." onClose={onClose} />;
  }
  return (
    <Dialog
      title="Issue a key"
      lead={LEAD}
      onClose={onClose}
      actions={
        <>
          <button class="btn" type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="btn is-main" type="submit" form={form} aria-disabled={isBusy}>
            Issue key
          </button>
        </>
      }
    >
      <form
        id={form}
        class="issue-key"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void issue({ ...draft, hubId: chosenHub, lifetime });
        }}
      >
        <div class="field">
          <label for={`${form}-name`}>Name</label>
          <input
            id={`${form}-name`}
            autocomplete="off"
            spellcheck={false}
            maxLength={64}
            placeholder="nightly-backup"
            value={draft.name}
            autofocus
            aria-invalid={problems.name !== undefined}
            aria-describedby={`${form}-name-help ${form}-name-error`}
            onInput={({ currentTarget }) => change({ name: currentTarget.value })}
          />
          <p class="help" id={`${form}-name-help`}>
            Shown with each post: “{settings?.botName ?? 'Bot'} via nightly-backup”.
          </p>
          <Problem id={`${form}-name-error`} text={problems.name ?? ''} />
        </div>
        <div class="field">
          <label for={`${form}-hub`}>Hub</label>
          <select
            id={`${form}-hub`}
            value={chosenHub}
            aria-invalid={problems.hubId !== undefined}
            aria-describedby={`${form}-hub-error`}
            onChange={({ currentTarget }) => change({ hubId: currentTarget.value })}
          >
            {chosenHub === '' && <option value="">Choose a Hub</option>}
            {own.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
          <Problem id={`${form}-hub-error`} text={problems.hubId ?? ''} />
        </div>
        <ScopesField chosen={draft.scopes} problem={problems.scopes ?? ''} onChange={(scopes) => change({ scopes })} />
        <LifetimeField
          lifetime={lifetime}
          maxDays={maxDays}
          problem={problems.lifetime ?? ''}
          onChange={(chosen) => change({ lifetime: chosen })}
        />
        <Problem id={`${form}-error`} text={problems.form ?? ''} />
      </form>
    </Dialog>
  );
}

function scopesOf(instead: ApiKey | undefined): readonly Scope[] {
  if (instead === undefined) return ['messages:create'];
  return instead.scopes.filter((scope) => !instead.unusedScopes.includes(scope));
}

/** Selects the Hub. Never preselects one of several: a program must not post to a Hub chosen by accident. */
function chosenOf(hubs: readonly Hub[], hubId: string): string {
  if (hubs.some(({ id }) => id === hubId)) return hubId;
  const [only] = hubs;
  return only && hubs.length === 1 ? only.id : '';
}

interface ScopesFieldProps {
  chosen: readonly Scope[];
  problem: string;
  onChange: (scopes: readonly Scope[]) => void;
}

function ScopesField({ chosen, problem, onChange }: ScopesFieldProps) {
  const id = useId();
  return (
    <fieldset class="field picks" aria-describedby={id}>
      <legend class="label">Permissions</legend>
      <div class="picks-row">
        {SCOPES.map((scope) => (
          <label key={scope} class="pick">
            <input
              type="checkbox"
              checked={chosen.includes(scope)}
              onChange={({ currentTarget }) =>
                onChange(currentTarget.checked ? [...chosen, scope] : chosen.filter((each) => each !== scope))
              }
            />
            {SCOPE_KINDS[scope].label}
          </label>
        ))}
      </div>
      <Problem id={id} text={problem} />
    </fieldset>
  );
}

function CannotIssue({ text, onClose }: { text: string; onClose: () => void }) {
  return (
    <Dialog
      title="Issue a key"
      lead={text}
      onClose={onClose}
      actions={
        <button class="btn is-main" type="button" onClick={onClose}>
          Close
        </button>
      }
    />
  );
}
