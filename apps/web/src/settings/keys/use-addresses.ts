import type { KeyAddresses } from '@hub/contract';
import { useEffect } from 'preact/hooks';
import { request } from '../../data/request.ts';
import { useResource } from '../../data/use-resource.ts';
import { hasAttention } from '../../hub/attention.ts';

/** Using a key emits no event, so the addresses are polled. */
const POLL_MS = 10_000;

/**
 * Loads the addresses that used each of these keys, and polls while the page is visible; undefined until loaded, since
 * the row is useful without them.
 */
export function useAddresses(...ids: readonly string[]): readonly KeyAddresses['items'][] | undefined {
  const key = ids.join(' ');
  const load = async (signal: AbortSignal) => {
    const responses = ids.map((keyId) => request('GET /keys/{keyId}/addresses', { keyId, signal }));
    return (await Promise.all(responses)).map(({ items }) => items);
  };
  const { state, value, reload } = useResource(load, { key });
  const isWatched = hasAttention.value;
  useEffect(() => {
    if (!isWatched) return;
    if (state.status !== 'loading') void reload();
    const timer = setInterval(() => void reload(), POLL_MS);
    return () => clearInterval(timer);
  }, [key, isWatched]);
  return value;
}
