import type { Hub, IssuedKey, IssueKeyBody, Scope, Workspace } from '@hub/contract';
import { useEffect, useState } from 'preact/hooks';
import { request, wordsOf } from '../../api/request.ts';
import { useWorkspace } from '../../workspace/workspace.ts';
import { expiryOf, isDay, type Lifetime } from './key-lifetime.ts';
import { SCOPES } from './key-scopes.ts';

export interface KeyDraft {
  hubId: string;
  name: string;
  scopes: readonly Scope[];
  /** `null` until something is chosen: then it is the default of the workspace. */
  lifetime: Lifetime | null;
}

/** Which field is wrong, and why; `form` for what concerns no one of them. */
export type Faults = Partial<Record<'name' | 'scopes' | 'lifetime' | 'form', string>>;

/** The Hubs that one may issue keys for. */
export function useKeyHubs(): readonly Hub[] {
  const { me, hubs } = useWorkspace();
  if (me.value.role === 'member') return hubs.mine.value;
  return hubs.all.value
    .filter(({ deletedAt }) => deletedAt === null)
    .toSorted((one, other) => one.name.localeCompare(other.name));
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
export function defaultLifetime(longestDays: number | null): Lifetime {
  return longestDays === null ? 'never' : { days: longestDays };
}

/** One form for a key. What was typed stays if it is refused. */
export function useIssueKey(first: KeyDraft, onIssued: (issued: IssuedKey) => void) {
  const [draft, setDraft] = useState(first);
  const [faults, setFaults] = useState<Faults>({});
  const [isBusy, setBusy] = useState(false);
  const change = (changes: Partial<KeyDraft>) => {
    setDraft({ ...draft, ...changes });
    setFaults({});
  };
  const issue = async (draft: KeyDraft & { lifetime: Lifetime }) => {
    const found = faultsOf(draft);
    setFaults(found);
    if (isBusy || Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      const { hubId, name, scopes, lifetime } = draft;
      const body: IssueKeyBody = { hubId, name: name.trim(), scopes: [...scopes], ...expiryOf(lifetime) };
      onIssued(await request<IssuedKey>('POST', '/keys', { body }));
    } catch (error) {
      setFaults({ form: wordsOf(error) });
      setBusy(false);
    }
  };
  return { draft, change, faults, isBusy, issue };
}

function faultsOf({ name, scopes, lifetime }: KeyDraft): Faults {
  return {
    ...(name.trim() === '' ? { name: 'Type a name: what is the key for?' } : {}),
    ...(SCOPES.some((scope) => scopes.includes(scope)) ? {} : { scopes: 'Choose at least one.' }),
    ...(typeof lifetime === 'object' && lifetime && 'until' in lifetime && !isDay(lifetime.until)
      ? { lifetime: 'Choose the last day on which it works.' }
      : {}),
  };
}
