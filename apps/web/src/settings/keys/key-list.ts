import type { ApiKey } from '@hub/contract';
import { useEffect, useRef } from 'preact/hooks';
import { ApiError, allPages } from '../../data/request.ts';
import { useResource } from '../../data/use-resource.ts';
import { hasAttention } from '../../hub/attention.ts';
import { now } from '../../time/now.ts';

const DAYS = 30;

/**
 * Returns all keys that the user manages; `null` if only admins can manage keys in this workspace. They are loaded with
 * daily usage at first and every minute while the page is visible. Usage makes up most of the response, so changes made
 * by users are loaded without it. An unchanged key stays the same object, so that its row is not rendered again.
 */
export function useKeyList() {
  const known = useRef(new Map<string, { text: string; key: ApiKey }>());
  const needsUsage = useRef(true);
  const take = (loaded: readonly ApiKey[]): readonly ApiKey[] => {
    const taken = loaded.map((each) => {
      const before = known.current.get(each.id);
      const key = each.usage || !before?.key.usage ? each : { ...each, usage: before.key.usage };
      const text = JSON.stringify(key);
      return before?.text === text ? before : { text, key };
    });
    known.current = new Map(taken.map((each) => [each.key.id, each]));
    return taken.map(({ key }) => key);
  };
  const load = async (signal: AbortSignal): Promise<readonly ApiKey[] | null> => {
    const usageDays = needsUsage.current || known.current.size === 0 ? DAYS : null;
    try {
      const keys = await allPages('GET /keys', { query: { usageDays }, signal });
      if (usageDays !== null) needsUsage.current = false;
      return take(keys);
    } catch (error) {
      if (!(error instanceof ApiError) || error.statusCode !== 403) throw error;
      known.current.clear();
      return null;
    }
  };
  const { state, value, reload, set } = useResource(load, { topics: ['keys', 'hubs', 'people', 'workspace'] });
  const reloadWithUsage = () => {
    needsUsage.current = true;
    return reload();
  };
  const minute = now.value;
  const isWatched = hasAttention.value;
  useEffect(() => {
    if (isWatched && state.status !== 'loading') void reloadWithUsage();
  }, [minute, isWatched]);
  /** Shows the key from the response to the user's own change before the list is reloaded. */
  const put = (changed: ApiKey) => {
    if (!value) return;
    const isKnown = value.some(({ id }) => id === changed.id);
    set(take(isKnown ? value.map((key) => (key.id === changed.id ? changed : key)) : [changed, ...value]));
  };
  return { state, keys: value, reload, reloadWithUsage, put };
}
