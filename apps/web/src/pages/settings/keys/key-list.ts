import type { ApiKey } from '@hub/contract';
import { useMemo } from 'preact/hooks';
import { useResource } from '../../../data/live/workspace.ts';
import { ApiError, allPages } from '../../../data/request.ts';
import { layerEntries, leaveEntries, navigate, route, whenArrived, withQuery } from '../../../lib/router/location.ts';
import { withParameters } from '../../../lib/router/urls.ts';
import type { HubKeys } from './group-keys.ts';

/** The use of a key emits no event. */
const POLL_MS = 60_000;
const USAGE_DAYS = 30;

/**
 * Returns all keys that the user manages; `null` if only admins can manage keys in this workspace. Their daily usage makes
 * up most of a response, so it is loaded apart, and not again with each change of the list.
 */
export function useKeyList() {
  const topics = ['keys', 'hubs', 'users', 'workspace'] as const;
  const list = useResource(loadKeys, { topics, pollMs: POLL_MS });
  const usage = useResource(loadUsage, { pollMs: POLL_MS });
  const keys = useMemo(
    () => list.value?.map((key) => ({ ...key, ...usage.value?.get(key.id) })) ?? list.value,
    [list.value, usage.value],
  );
  // Otherwise, the bars of all keys would grow a moment after the list is there.
  const isWaiting = list.state.status === 'ready' && usage.state.status === 'loading';
  return {
    state: isWaiting ? usage.state : list.state,
    keys: isWaiting ? undefined : keys,
    reload: () => list.reload(),
    reloadWithUsage: () => Promise.all([list.reload(), usage.reload()]),
  };
}

async function loadKeys(signal: AbortSignal): Promise<readonly ApiKey[] | null> {
  try {
    return await allPages('GET /keys', { signal });
  } catch (error) {
    if (error instanceof ApiError && error.statusCode === 403) return null;
    throw error;
  }
}

async function loadUsage(signal: AbortSignal): Promise<ReadonlyMap<string, Pick<ApiKey, 'usage'>>> {
  const keys = await allPages('GET /keys', { query: { usageDays: USAGE_DAYS }, signal });
  return new Map(keys.map(({ id, usage }) => [id, usage ? { usage } : {}]));
}

/**
 * Opens the details of a key, kept in the URL, in a history entry of their own, so that Back closes them; `null` closes
 * them and leaves their entries. Widens the filter if it hides the key.
 */
export function openKey(id: string | null, keys: readonly ApiKey[], groups: readonly HubKeys[]): void {
  const key = keys.find((each) => each.id === id);
  const lines = groups.flatMap((hub) => hub.lines);
  const isHidden = key && !lines.some((line) => line.key === key || line.old.includes(key));
  const wider = isHidden ? { state: null, issuer: null, name: null, hub: null, urgent: null, over: 'true' } : {};
  const { query } = route.peek();
  const changed = withParameters(query, { key: id, ...wider });
  const entries = detailEntries();
  const openId = query.get('key');
  // A link to the page can open details without an entry of the list below.
  const isAdded = id !== null && id !== openId && (openId === null || entries > 0);
  if (id === null && entries > 0) leaveEntries(entries + layerEntries());
  setQuery(changed, { entries: id === null ? 0 : isAdded ? entries + 1 : entries, replace: !isAdded });
}

/** Returns the number of history entries, up to this one, in which details are open over the same list. */
function detailEntries(): number {
  return (history.state as { details?: number } | null)?.details ?? 0;
}

/** Changes the query. By default, it replaces the history entry. */
export function setQuery(query: URLSearchParams, { entries = detailEntries(), replace = true } = {}): void {
  navigate(withQuery(query), { replace });
  if (entries === 0) return;
  whenArrived(() => history.replaceState({ ...(history.state as object | null), details: entries }, ''));
}
