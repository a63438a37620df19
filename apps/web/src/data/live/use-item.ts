import type { Item } from '@hub/contract';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, errorMessage, request } from '../request.ts';
import { useWorkspace } from './workspace.ts';

export type ItemResource =
  | { status: 'loading' }
  | { status: 'ready'; item: Item }
  | { status: 'missing' }
  | { status: 'failed'; text: string; retry: () => void };

/** Returns the current state of an item, from the store or the server. A deleted item is `missing`. */
export function useItem(id: string): ItemResource {
  const { items, hubs } = useWorkspace();
  const [result, setResult] = useState<ItemResource>({ status: 'loading' });
  const [attempt, setAttempt] = useState(0);
  const cached = items.get(id).value;
  const isCached = cached !== undefined;
  const isFollowed = hubs.isLoaded.value;
  const isEarly = useRef(false);
  useEffect(() => {
    // Changes made after an early response and before the first received event are in neither, so request the item
    // again.
    if (isCached && !(isEarly.current && isFollowed)) return;
    isEarly.current = !isFollowed;
    if (items.isGone(id)) {
      setResult({ status: 'missing' });
      return;
    }
    const stop = new AbortController();
    setResult({ status: 'loading' });
    items
      .applyResponseOf(() => request('GET /items/{itemId}', { itemId: id, signal: stop.signal }))
      .then(() => {
        // Deleted, or its Hub lost, while the response was on its way.
        if (!stop.signal.aborted && !items.get(id).peek()) setResult({ status: 'missing' });
      })
      .catch((error: unknown) => {
        if (stop.signal.aborted) return;
        const isMissing = error instanceof ApiError && (error.statusCode === 404 || error.statusCode === 403);
        const retry = () => setAttempt(attempt + 1);
        setResult(isMissing ? { status: 'missing' } : { status: 'failed', text: errorMessage(error), retry });
      });
    return () => stop.abort();
  }, [id, isCached, isFollowed, attempt]);
  return cached ? { status: 'ready', item: cached } : result;
}
