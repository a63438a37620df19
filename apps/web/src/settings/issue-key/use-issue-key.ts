import type { Hub, IssuedKey, IssueKeyBody, Scope, Workspace } from '@hub/contract';
import { useEffect, useState } from 'preact/hooks';
import { ApiError, errorMessage, request } from '../../api/request.ts';
import { useWorkspace } from '../../workspace/workspace.ts';
import { naturalOrder } from '../natural-order.ts';
import { dayProblem, expiryOf, type Lifetime } from './key-lifetime.ts';
import { SCOPES } from './key-scopes.ts';

export interface KeyDraft {
  hubId: string;
  name: string;
  scopes: readonly Scope[];
  /** `null` until something is chosen: then it is the default of the workspace. */
  lifetime: Lifetime | null;
}

/** Which field is wrong, and why; `form` for what concerns no one of them. */
export type Problems = Partial<Record<'name' | 'hubId' | 'scopes' | 'lifetime' | 'form', string>>;

/** The Hubs that one may issue keys for. */
export function useKeyHubs(): readonly Hub[] {
  const { me, hubs } = useWorkspace();
  if (me.value.role === 'member') return hubs.mine.value;
  return hubs.all.value
    .filter(({ deletedAt }) => deletedAt === null)
    .toSorted((one, other) => naturalOrder(one.name, other.name));
}

/** The settings of the workspace; `null` until they are there. Without them the server still judges what is sent. */
export function useWorkspaceSettings(): Workspace | null {
  const [settings, set] = useState<Workspace | null>(null);
  useEffect(() => {
    request<Workspace>('GET', '/workspace').then(set, () => {});
  }, []);
  return settings;
}

/** For ever, unless the workspace has a limit: then as long as that. */
export function defaultLifetime(maxDays: number | null): Lifetime {
  return maxDays === null ? 'never' : { days: maxDays };
}

/** One form for a key. What was typed stays if it is refused. */
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
      onIssued(await request<IssuedKey>('POST', '/keys', { body }));
    } catch (error) {
      setProblems(fieldProblemsOf(error));
      setBusy(false);
    }
  };
  return { draft, change, problems, isBusy, issue };
}

/** Of a session that has ended, the sign-in over it tells: it is not to stand here when that is done. */
function fieldProblemsOf(error: unknown): Problems {
  if (error instanceof ApiError && error.statusCode === 401) return {};
  if (error instanceof ApiError && error.statusCode === 404) {
    return { hubId: 'That Hub was deleted, or you do not belong to it any more. Choose another one.' };
  }
  const text = errorMessage(error);
  // It begins with the name of the field: here that stands beside it.
  if (error instanceof ApiError && error.statusCode === 400 && text.startsWith('name '))
    return { name: `The ${text}.` };
  return { form: text };
}

function problemsOf({ name, hubId, scopes, lifetime }: KeyDraft, maxDays: number | null): Problems {
  const day = lifetime !== null && typeof lifetime === 'object' && 'until' in lifetime ? lifetime.until : null;
  const wrongDay = day === null ? '' : dayProblem(day, maxDays, Date.now());
  return {
    ...(name.trim() === '' ? { name: 'Type a name: what is the key for?' } : {}),
    ...(hubId === '' ? { hubId: 'Choose the Hub into which it posts.' } : {}),
    ...(SCOPES.some((scope) => scopes.includes(scope)) ? {} : { scopes: 'Choose at least one.' }),
    ...(wrongDay === '' ? {} : { lifetime: wrongDay }),
  };
}
