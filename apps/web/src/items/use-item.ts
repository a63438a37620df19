import type { Item } from '@hub/contract';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, errorMessage, path, request } from '../api/request.ts';
import { useWorkspace } from '../workspace/workspace.ts';

export type FoundItem =
  | { status: 'loading' }
  | { status: 'found'; item: Item }
  | { status: 'missing' }
  | { status: 'failed'; text: string; again: () => void };

/** An item by its id, as it is now: from what is there, or from the server. Once it is gone it is missing. */
export function useItem(id: string): FoundItem {
  const { items, hubs } = useWorkspace();
  const [asked, setAsked] = useState<FoundItem>({ status: 'loading' });
  const [attempt, setAttempt] = useState(0);
  const known = items.get(id).value;
  const isKnown = known !== undefined;
  const isFollowed = hubs.isLoaded.value;
  const isEarly = useRef(false);
  useEffect(() => {
    // What came after an early answer, and before the first event that is told here, is in neither.
    if (isKnown && !(isEarly.current && isFollowed)) return;
    isEarly.current = !isFollowed;
    if (items.isGone(id)) {
      setAsked({ status: 'missing' });
      return;
    }
    const stop = new AbortController();
    setAsked({ status: 'loading' });
    items
      .applyResponseOf(() => request<Item>('GET', path`/items/${id}`, { signal: stop.signal }))
      .catch((error: unknown) => {
        if (stop.signal.aborted) return;
        const isMissing = error instanceof ApiError && (error.statusCode === 404 || error.statusCode === 403);
        const again = () => setAttempt(attempt + 1);
        setAsked(isMissing ? { status: 'missing' } : { status: 'failed', text: errorMessage(error), again });
      });
    return () => stop.abort();
  }, [id, isKnown, isFollowed, attempt]);
  return known ? { status: 'found', item: known } : asked;
}
