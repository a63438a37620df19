import type { Hub, IssuedKey, IssueKeyBody, Scope, Workspace } from '@hub/contract';
import { useState } from 'preact/hooks';
import { ApiError, errorMessage, request } from '../../data/request.ts';
import { useResource } from '../../data/use-resource.ts';
import type { WorkspaceTopic } from '../../workspace/use-workspace-changes.ts';
import { useWorkspace } from '../../workspace/workspace.ts';
import { naturalOrder } from '../natural-order.ts';
import { dayProblem, expiryOf, type Lifetime } from './key-lifetime.ts';
import { SCOPES } from './key-scopes.ts';

export interface KeyDraft {
  hubId: string;
  name: string;
  scopes: readonly Scope[];
  /** `null` until a lifetime is chosen; the default of the workspace then applies. */
  lifetime: Lifetime | null;
}

/** Validation errors by field; `form` for errors that belong to no field. */
export type Problems = Partial<Record<'name' | 'hubId' | 'scopes' | 'lifetime' | 'form', string>>;

/** Returns the Hubs that the user can issue keys for. */
export function useKeyHubs(): readonly Hub[] {
  const { me, hubs } = useWorkspace();
  if (me.value.role === 'member') return hubs.mine.value;
  return hubs.all.value
    .filter(({ deletedAt }) => deletedAt === null)
    .toSorted((one, other) => naturalOrder(one.name, other.name));
}

/** Returns the settings of the workspace; `null` until loaded. The server validates forms regardless. */
export function useWorkspaceSettings(topics?: readonly WorkspaceTopic[]): Workspace | null {
  return useResource((signal) => request('GET /workspace', { signal }), { topics }).value ?? null;
}

/** Returns no expiry, or the maximum lifetime if the workspace has one. */
export function defaultLifetime(maxDays: number | null): Lifetime {
  return maxDays === null ? 'never' : { days: maxDays };
}

/** State of the form for a new key. The input is kept if issuing fails. */
export function useIssueKey(first: KeyDraft, maxDays: number | null, onIssued: (issued: IssuedKey) => void) {
  const [draft, setDraft] = useState(first);
  const [problems, setProblems] = useState<Problems>({});
  const [isBusy, setBusy] = useState(false);
  const change = (changes: Partial<KeyDraft>) => {
    setDraft({ ...draft, ...changes });
    setProblems({});
  };
  const issue = async (draft: KeyDraft & { lifetime: Lifetime }) => {
    const found = problemsOf(draft, maxDays);
    setProblems(found);
    if (isBusy || Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      const { hubId, name, scopes, lifetime } = draft;
      const body: IssueKeyBody = { hubId, name: name.trim(), scopes: [...scopes], ...expiryOf(lifetime) };
      onIssued(await request('POST /keys', { body }));
    } catch (error) {
      setProblems(fieldProblemsOf(error));
      setBusy(false);
    }
  };
  return { draft, change, problems, isBusy, issue };
}

/** Maps an error to the fields. An expired session (401) has its own dialog, so it leaves no message here. */
function fieldProblemsOf(error: unknown): Problems {
  if (error instanceof ApiError && error.statusCode === 401) return {};
  if (error instanceof ApiError && error.statusCode === 404) {
    return { hubId: 'This Hub was deleted, or you’re no longer a member. Choose another one.' };
  }
  const text = errorMessage(error);
  // The message starts with the name of the field, and is shown beside that field.
  if (error instanceof ApiError && error.statusCode === 400 && text.startsWith('name '))
    return { name: `The ${text}.` };
  return { form: text };
}

function problemsOf({ name, hubId, scopes, lifetime }: KeyDraft, maxDays: number | null): Problems {
  const day = lifetime !== null && typeof lifetime === 'object' && 'until' in lifetime ? lifetime.until : null;
  const wrongDay = day === null ? '' : dayProblem(day, maxDays, Date.now());
  return {
    ...(name.trim() === '' ? { name: 'Enter a name.' } : {}),
    ...(hubId === '' ? { hubId: 'Choose a Hub to post to.' } : {}),
    ...(SCOPES.some((scope) => scopes.includes(scope)) ? {} : { scopes: 'Choose at least one permission.' }),
    ...(wrongDay === '' ? {} : { lifetime: wrongDay }),
  };
}
