import type { ApiKey, Hub, IssuedKey, Scope } from '@hub/contract';
import { useEffect, useId, useState } from 'preact/hooks';
import { useWorkspaceSettings } from '../../../data/live/use-resource.ts';
import { useWorkspace } from '../../../data/live/workspace.ts';
import { ApiError, errorMessage, request } from '../../../data/request.ts';
import { dayProblem, expiryOf, type Lifetime } from '../../../lib/keys/key-lifetime.ts';
import { naturalOrder } from '../../../lib/natural-order.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Problem } from '../../../ui/forms/problem.tsx';
import { KeyOnceDialog } from './key-once-dialog.tsx';
import { SCOPE_KINDS, SCOPES } from './key-scopes.ts';
import { LifetimeField } from './lifetime-field.tsx';

interface IssueKeyDialogProps {
  /** The preselected Hub. */
  hubId?: string;
  /** A key with permissions it does not use; the new key replaces it. */
  instead?: ApiKey;
  onClose: () => void;
  /** Called once the key has been issued and shown. By default, the dialog closes. */
  onStored?: () => void;
}

/** Issues a key, then shows it once. */
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

const LEAD = 'A key can only post to one Hub, under its name.';

/** Asks for the name, Hub, permissions and expiry of a new key. */
function IssueKeyForm({
  hubId = '',
  instead,
  onClose,
  onIssued,
}: IssueKeyDialogProps & { onIssued: (issued: IssuedKey) => void }) {
  const { me, hubs } = useWorkspace();
  const own = useKeyHubs();
  const settings = useWorkspaceSettings();
  const form = useId();
  const maxDays = settings?.longestKeyLifetimeDays ?? null;
  const [draft, setDraft] = useState<KeyDraft>({
    hubId,
    name: instead?.name ?? '',
    // A narrower key gets the permissions that the old one has used.
    scopes: instead?.scopes.filter((scope) => !instead.unusedScopes.includes(scope)) ?? ['messages:create'],
    lifetime: null,
  });
  const [problems, setProblems] = useState<Problems>({});
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    // Focuses the first invalid field, if it is an input or a select.
    document.getElementById(form)?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);
  const chosenHub = chosenOf(own, draft.hubId);
  const lifetime = draft.lifetime ?? (maxDays === null ? 'never' : { days: maxDays });
  const change = (changes: Partial<KeyDraft>) => {
    setDraft({ ...draft, ...changes });
    setProblems({});
  };
  const issue = async (event: Event) => {
    event.preventDefault();
    const wanted = { ...draft, name: draft.name.trim(), hubId: chosenHub, lifetime };
    const found = problemsOf(wanted, maxDays);
    setProblems(found);
    if (isBusy || Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      const { name, scopes } = wanted;
      const body = { hubId: chosenHub, name, scopes: [...scopes], ...expiryOf(lifetime) };
      onIssued(await request('POST /keys', { body }));
    } catch (error) {
      setProblems(problemsOfError(error));
      setBusy(false);
    }
  };
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
      <form id={form} class="issue-key" noValidate onSubmit={(event) => void issue(event)}>
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
            aria-describedby={`${form}-name-error`}
            onInput={({ currentTarget }) => change({ name: currentTarget.value })}
          />
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

/** Returns the Hubs that the user can issue keys for. */
function useKeyHubs(): readonly Hub[] {
  const { me, hubs } = useWorkspace();
  if (me.value.role === 'member') return hubs.mine.value;
  return hubs.all.value
    .filter(({ deletedAt }) => deletedAt === null)
    .toSorted((one, other) => naturalOrder(one.name, other.name));
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
  const day = lifetime !== null && lifetime !== 'never' && 'until' in lifetime ? lifetime.until : null;
  const dayError = day === null ? '' : dayProblem(day, maxDays, Date.now());
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
