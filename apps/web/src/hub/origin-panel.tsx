import Trash2 from 'icon:trash-2';
import type { Item, ItemOrigin } from '@hub/contract';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, errorMessage, request } from '../data/request.ts';
import { ErrorNotice } from '../frame/error-notice.tsx';
import { type FoundItem, useItem } from '../items/use-item.ts';
import { Panel } from '../panels/panel.tsx';
import { lazy } from '../ui/lazy.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { FeedSkeleton } from './feed-skeleton.tsx';
import { KeyFacts } from './key-facts.tsx';
import { OriginFacts } from './origin-facts.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { useKey } from './use-key.ts';

const KeyNotifications = lazy(
  async () => (await import('../settings/notifications/key-notifications.tsx')).KeyNotifications,
  {
    isRare: true,
  },
);

const TITLE = 'Source';

/** The source of a post by a key: the key and the request. */
export function OriginPanel({ id }: { id: string }) {
  const { hubs } = useWorkspace();
  const found = useItem(id);
  const { origin, error: failure, retry } = useOrigin(id);
  const item = useLastSeen(id, found);
  const isRemoved = found.status === 'missing' || (item !== null && item.deletedAt !== null);
  const { key, show } = useKey(item?.key?.id ?? null);
  const hubName = hubs.find(item?.hubId ?? '')?.name ?? '';
  if (item ? item.key === null : isRemoved) {
    return (
      <Panel title={TITLE} hubName={hubName}>
        <div class="empty">
          <p>
            {item
              ? 'A member wrote this, so there is no API key or request.'
              : 'This post no longer exists. It was deleted, or removed along with other posts from its key.'}
          </p>
        </div>
      </Panel>
    );
  }
  if (found.status === 'failed' || failure !== null) {
    return (
      <Panel title={TITLE} hubName={hubName}>
        <ErrorNotice
          text={found.status === 'failed' ? found.text : (failure ?? '')}
          onRetry={found.status === 'failed' ? found.retry : retry}
        />
      </Panel>
    );
  }
  if (!item?.key || origin === null) {
    return (
      <Panel title={TITLE} hubName={hubName}>
        <FeedSkeleton what="the source" />
      </Panel>
    );
  }
  return (
    <Panel title={TITLE} hubName={hubName} foot={key && <RevokeKey key={key.id} apiKey={key} onChanged={show} />}>
      <div class="detail">
        {isRemoved && (
          <p class="banner" role="status">
            <Trash2 size="s" />
            <span class="grow">This post was removed. Its key is still shown.</span>
          </p>
        )}
        <dl class="facts">
          <KeyFacts name={item.key.name} id={item.key.id} apiKey={key} />
          <OriginFacts createdAt={item.createdAt} origin={origin} />
        </dl>
        <KeyNotifications keyId={item.key.id} name={item.key.name} />
      </div>
    </Panel>
  );
}

/** Returns the item, or its last state once it is deleted, so that the open panel keeps its content. */
function useLastSeen(id: string, found: FoundItem): Item | null {
  const last = useRef<Item | null>(null);
  if (found.status === 'found') last.current = found.item;
  return last.current?.id === id ? last.current : null;
}

function useOrigin(id: string) {
  const [origin, setOrigin] = useState<ItemOrigin | null>(null);
  const [failure, setError] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    setError(null);
    request('GET /items/{itemId}/origin', { itemId: id, signal: stop.signal }).then(setOrigin, (error: unknown) => {
      // Items written by users have no origin. That is not an error: the item itself shows its author.
      const isNone = error instanceof ApiError && error.statusCode === 404;
      if (!stop.signal.aborted && !isNone) setError(errorMessage(error));
    });
    return () => stop.abort();
  }, [id, attempt]);
  return { origin, error: failure, retry: () => setAttempt(attempt + 1) };
}
