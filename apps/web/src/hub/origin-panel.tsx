import Trash2 from 'icon:trash-2';
import type { Item, ItemOrigin } from '@hub/contract';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, errorMessage, path, request } from '../api/request.ts';
import { ErrorNotice } from '../frame/error-notice.tsx';
import { type FoundItem, useItem } from '../items/use-item.ts';
import { Panel } from '../panels/panel.tsx';
import { later } from '../ui/lazy.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { FeedSkeleton } from './feed-skeleton.tsx';
import { KeyFacts } from './key-facts.tsx';
import { OriginFacts } from './origin-facts.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { useKey } from './use-key.ts';

const KeyNotifications = later(
  async () => (await import('../settings/notifications/key-notifications.tsx')).KeyNotifications,
  {
    isRare: true,
  },
);

const TITLE = 'Where this came from';

/** Where a post by a key came from: the key and the request. */
export function OriginPanel({ id }: { id: string }) {
  const { hubs } = useWorkspace();
  const found = useItem(id);
  const { origin, error: failure, again } = useOrigin(id);
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
              ? 'A person wrote this, so no key and no request stand behind it.'
              : 'There is no such post any more. It was deleted, or removed with others of its key.'}
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
          onAgain={found.status === 'failed' ? found.again : again}
        />
      </Panel>
    );
  }
  if (!item?.key || origin === null) {
    return (
      <Panel title={TITLE} hubName={hubName}>
        <FeedSkeleton what="where this came from" />
      </Panel>
    );
  }
  return (
    <Panel title={TITLE} hubName={hubName} foot={key && <RevokeKey key={key.id} apiKey={key} onChanged={show} />}>
      <div class="detail">
        {isRemoved && (
          <p class="banner" role="status">
            <Trash2 size="s" />
            <span class="grow">This post was removed. What is known of its key stays.</span>
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

/** The item as it is, or as it was when it went away: what one looks at does not vanish with it. */
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
    request<ItemOrigin>('GET', path`/items/${id}/origin`, { signal: stop.signal }).then(setOrigin, (error: unknown) => {
      // Of what a person wrote there is none, which the item says itself.
      const isNone = error instanceof ApiError && error.statusCode === 404;
      if (!stop.signal.aborted && !isNone) setError(errorMessage(error));
    });
    return () => stop.abort();
  }, [id, attempt]);
  return { origin, error: failure, again: () => setAttempt(attempt + 1) };
}
