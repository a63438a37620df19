import type { ApiKey, Hub, IssuedKey, Scope } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import { useEffect, useState } from 'preact/hooks';
import { useResource, useWorkspace, useWorkspaceSettings } from '../../../data/live/workspace.ts';
import { ApiError, allPages, errorMessage, request } from '../../../data/request.ts';
import { expiryOf, type Lifetime, lifetimeProblem } from '../../../lib/keys/key-times.ts';
import { byName } from '../../../lib/names.ts';
import { Picks, toggled } from '../../../ui/forms/choices.tsx';
import { CloseDialog, FormDialog, Problem, SelectField, TextField } from '../../../ui/forms/form.tsx';
import { KeyOnceDialog } from './key-once-dialog.tsx';
import { SCOPE_KINDS, SCOPES } from './key-state.ts';
import { LifetimeField } from './lifetime-field.tsx';

/** The lifetime that is preselected: the list of keys warns of those that never expire. */
const USUAL_DAYS = 365;

interface IssueKeyDialogProps {
  hubId?: string;
  /** A key with permissions it does not use; the new key replaces it. */
  instead?: ApiKey;
  onClose: () => void;
  /** Called once the key has been issued and shown. By default, the dialog closes. */
  onStored?: () => void;
}

export function IssueKeyDialog({ onStored, ...props }: IssueKeyDialogProps) {
  const [issued, setIssued] = useState<IssuedKey | null>(null);
  const { instead, onClose } = props;
  if (issued === null) return <IssueKeyForm {...props} onIssued={setIssued} />;
  return (
    <KeyOnceDialog
      title={`Copy the key for ${issued.name}`}
      issued={issued}
      {...(instead && {
        next: `The old key, ${instead.name} (${instead.hint}), still works and has more permissions than this one. Switch to the new key, then revoke the old one in the next step.`,
      })}
      onClose={onStored ?? onClose}
    />
  );
}

function IssueKeyForm(props: IssueKeyDialogProps & { onIssued: (issued: IssuedKey) => void }) {
  const { hubId = '', instead, onClose, onIssued } = props;
  const { me, hubs } = useWorkspace();
  const own = useKeyHubs();
  const settings = useWorkspaceSettings();
  const maxDays = settings?.longestKeyLifetimeDays ?? null;
  const [draft, setDraft] = useState<KeyDraft>({
    hubId,
    name: instead?.name ?? '',
    // A narrower key gets the permissions that the old one has used.
    scopes: instead?.scopes.filter((scope) => !instead.unusedScopes.includes(scope)) ?? ['messages:create'],
    lifetime: null,
  });
  const [problems, setProblems] = useState<Problems>({});
  useEffect(() => {
    // Focuses the first invalid field, if it is an input or a select.
    document.querySelector<HTMLElement>('dialog[open] [aria-invalid="true"]')?.focus();
  }, [problems]);
  const chosenHub = chosenOf(own, draft.hubId);
  const lifetime = draft.lifetime ?? { days: Math.min(USUAL_DAYS, maxDays ?? USUAL_DAYS) };
  const change = (changes: Partial<KeyDraft>) => {
    setDraft({ ...draft, ...changes });
    setProblems({});
  };
  const issue = async () => {
    const values = { ...draft, name: draft.name.trim(), hubId: chosenHub, lifetime };
    const problems = problemsOf(values, maxDays);
    setProblems(problems);
    if (Object.keys(problems).length > 0) return;
    try {
      const { name, scopes } = values;
      const body = { hubId: chosenHub, name, scopes: [...scopes], ...expiryOf(lifetime) };
      onIssued(await request('POST /keys', { body }));
    } catch (error) {
      setProblems(problemsOfError(error));
    }
  };
  const obstacle =
    settings && !settings.membersManageKeys && me.value.role === 'member'
      ? 'Only admins can manage keys in this workspace. Ask one of them.'
      : hubs.isLoaded.value && own.length === 0
        ? 'You’re not in any Hubs yet. Ask an admin to add you.'
        : null;
  if (obstacle !== null) return <CloseDialog title="Issue a key" description={obstacle} onClose={onClose} />;
  return (
    <FormDialog
      title="Issue a key"
      description="A key posts to one Hub only. Its posts show the key’s name."
      submitLabel="Issue key"
      givesSecret
      onSubmit={issue}
      onClose={onClose}
    >
      <TextField
        label="Name"
        autofocus
        spellcheck={false}
        maxLength={LIMITS.keyNameCodePoints}
        placeholder="nightly-backup"
        value={draft.name}
        error={problems.name}
        remark={<DuplicateKeyName hubId={settings ? chosenHub : ''} name={draft.name} insteadId={instead?.id} />}
        onValue={(name) => change({ name })}
      />
      <SelectField
        label="Hub"
        value={chosenHub}
        options={[
          ...(chosenHub === '' ? [{ value: '', label: 'Choose a Hub' }] : []),
          ...own.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        error={problems.hubId}
        onValue={(id) => change({ hubId: id })}
      />
      <Picks<Scope>
        legend="Permissions"
        isMany
        options={SCOPES.map((scope) => ({ value: scope, label: SCOPE_KINDS[scope].label }))}
        chosen={draft.scopes}
        onChoose={(scope, isOn) => change({ scopes: toggled(draft.scopes, scope, isOn) })}
        error={problems.scopes}
      />
      <LifetimeField
        lifetime={lifetime}
        maxDays={maxDays}
        problem={problems.lifetime}
        onChange={(lifetime) => change({ lifetime })}
      />
      <Problem text={problems.form ?? ''} />
    </FormDialog>
  );
}

/** Warns that an active key in this Hub has the name: allowed, but usually a mistake. Without a Hub, loads nothing. */
function DuplicateKeyName(props: { hubId: string; name: string; insteadId: string | undefined }) {
  const { hubId, name, insteadId } = props;
  const load = (signal: AbortSignal) =>
    hubId === '' ? Promise.resolve([]) : allPages('GET /keys', { query: { hubId, state: 'active' }, signal });
  const keys = useResource(load, { key: hubId }).value ?? [];
  const isTaken = keys.some((key) => key.name === name.trim() && key.id !== insteadId);
  return <>{isTaken && 'An active key in this Hub already has this name.'}</>;
}

function useKeyHubs(): readonly Hub[] {
  const { me, hubs } = useWorkspace();
  if (me.value.role === 'member') return hubs.mine.value;
  return hubs.all.value.filter(({ deletedAt }) => deletedAt === null).toSorted(byName);
}

/** Selects the Hub. Never preselects one of several: a program must not post to a Hub chosen by accident. */
function chosenOf(hubs: readonly Hub[], hubId: string): string {
  if (hubs.some(({ id }) => id === hubId)) return hubId;
  const [only] = hubs;
  return only && hubs.length === 1 ? only.id : '';
}

interface KeyDraft {
  hubId: string;
  name: string;
  scopes: readonly Scope[];
  /** `null` until a lifetime is chosen; the default of the workspace then applies. */
  lifetime: Lifetime | null;
}

/** Validation errors by field; `form` for errors that belong to no field. */
type Problems = Partial<Record<'name' | 'hubId' | 'scopes' | 'lifetime' | 'form', string>>;

function problemsOf({ name, hubId, scopes, lifetime }: KeyDraft, maxDays: number | null): Problems {
  const dayError = lifetimeProblem(lifetime, maxDays, Date.now());
  return {
    ...(name === '' && { name: 'Enter a name.' }),
    ...(hubId === '' && { hubId: 'Choose a Hub to post to.' }),
    ...(scopes.length === 0 && { scopes: 'Choose at least one permission.' }),
    ...(dayError !== '' && { lifetime: dayError }),
  };
}

/** Maps an error to the fields. An expired session (401) has its own dialog, so it leaves no message here. */
function problemsOfError(error: unknown): Problems {
  const { statusCode } = error instanceof ApiError ? error : { statusCode: null };
  if (statusCode === 401) return {};
  if (statusCode === 404) {
    return { hubId: 'This Hub was deleted, or you’re no longer a member. Choose another one.' };
  }
  const text = errorMessage(error);
  // The message starts with the name of the field, and is shown beside that field.
  return statusCode === 400 && text.startsWith('name ') ? { name: `The ${text}.` } : { form: text };
}
