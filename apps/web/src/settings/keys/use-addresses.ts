import type { KeyAddresses } from '@hub/contract';
import { useEffect, useState } from 'preact/hooks';
import { path, request } from '../../api/request.ts';
import { hasAttention } from '../../hub/attention.ts';

/** Using a key emits no event, so the addresses are polled. */
const POLL_MS = 10_000;

/** Loads the addresses that used each of these keys, and polls while the page is visible; `null` until loaded. */
export function useAddresses(...ids: readonly string[]): readonly KeyAddresses['items'][] | null {
  const [found, setFound] = useState<readonly KeyAddresses['items'][] | null>(null);
  const isWatched = hasAttention.value;
  const key = ids.join(' ');
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = async () => {
      try {
        const responses = key
          .split(' ')
          .map((id) => request<KeyAddresses>('GET', path`/keys/${id}/addresses`, { signal: stop.signal }));
        const lists = (await Promise.all(responses)).map(({ items }) => items);
        if (!stop.signal.aborted) setFound(lists);
      } catch {
        // The row is useful without the addresses, and the next poll retries.
      }
      if (!stop.signal.aborted && isWatched) timer = setTimeout(() => void load(), POLL_MS);
    };
    void load();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [key, isWatched]);
  return found;
}
