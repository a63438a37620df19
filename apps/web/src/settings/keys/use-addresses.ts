import type { KeyAddresses } from '@hub/contract';
import { useEffect, useState } from 'preact/hooks';
import { path, request } from '../../api/request.ts';
import { hasAttention } from '../../hub/attention.ts';

/** No event tells that a key was used. */
const AGAIN_MS = 10_000;

/** From where each of these keys was used, as long as somebody looks; `null` until it is known. */
export function useAddresses(...ids: readonly string[]): readonly KeyAddresses['items'][] | null {
  const [found, setFound] = useState<readonly KeyAddresses['items'][] | null>(null);
  const isWatched = hasAttention.value;
  const key = ids.join(' ');
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      try {
        const responses = key
          .split(' ')
          .map((id) => request<KeyAddresses>('GET', path`/keys/${id}/addresses`, { signal: stop.signal }));
        const lists = (await Promise.all(responses)).map(({ items }) => items);
        if (!stop.signal.aborted) setFound(lists);
      } catch {
        // The row says the rest without it; it is asked for again.
      }
      if (!stop.signal.aborted && isWatched) timer = setTimeout(() => void ask(), AGAIN_MS);
    };
    void ask();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [key, isWatched]);
  return found;
}
