import type { ApiKey } from '@hub/contract';
import { layerEntries, leaveEntries, whenArrived } from '../../../lib/router/layers.ts';
import { navigate, route, withQuery } from '../../../lib/router/location.ts';
import { withParameters } from '../../../lib/router/query.ts';
import { groupKeys, type KeyFilter } from './group-keys.ts';

/**
 * Opens the details of a key, kept in the URL, in a history entry of their own, so that Back closes them; `null` closes
 * them and leaves their entries. Widens the filter if it hides the key.
 */
export function openKey(id: string | null, keys: readonly ApiKey[], filter: KeyFilter): void {
  const key = keys.find((each) => each.id === id);
  const lines = groupKeys(keys, filter, Date.now()).flatMap((hub) => hub.lines);
  const isHidden = key && !lines.some((line) => line.key === key || line.old.includes(key));
  const wider = isHidden ? { state: null, issuer: null, name: null, hub: null, over: 'true' } : {};
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
