import type { Item, ItemOrigin } from '@hub/contract';
import { Copy, Trash2 } from 'icons';
import { useRef } from 'preact/hooks';
import { type FoundItem, useItem } from '../../data/live/use-item.ts';
import { useResource } from '../../data/live/use-resource.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { ApiError, request } from '../../data/request.ts';
import { LOCALE } from '../../lib/time/format.ts';
import { IconButton } from '../../ui/button.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { Fact } from '../../ui/fact.tsx';
import { lazy } from '../../ui/page/lazy.tsx';
import { ErrorNotice } from '../../ui/page/load-states.tsx';
import { Panel } from '../../ui/panels/panel.tsx';
import { FeedSkeleton } from './feed-edges.tsx';
import { KeyFacts, RevokeKey, useKey } from './origin-key.tsx';

const KeyNotifications = lazy(
  async () => (await import('../settings/notifications/key-notifications.tsx')).KeyNotifications,
  {
    isRare: true,
  },
);

const WRITTEN_BY_MEMBER = 'A member wrote this, so there is no API key or request.';
const NO_POST = 'This post no longer exists. It was deleted, or removed along with other posts from its key.';

/** The key and the request that created a post. */
export function OriginPanel({ id }: { id: string }) {
  const { hubs } = useWorkspace();
  const result = useItem(id);
  const { state, value: origin = null, reload } = useOrigin(id);
  const item = useLastSeen(id, result);
  const isRemoved = result.status === 'missing' || (item !== null && item.deletedAt !== null);
  const { key, show } = useKey(item?.key?.id ?? null);
  const hubName = hubs.find(item?.hubId ?? '')?.name ?? '';
  const error = result.status === 'failed' ? result : state.status === 'failed' ? { ...state, retry: reload } : null;
  const content = () => {
    if (item ? item.key === null : isRemoved) {
      return (
        <div class="empty">
          <p>{item ? WRITTEN_BY_MEMBER : NO_POST}</p>
        </div>
      );
    }
    if (error) return <ErrorNotice text={error.text} onRetry={error.retry} />;
    if (!item?.key || origin === null) return <FeedSkeleton what="the key" />;
    return (
      <div class="detail">
        {isRemoved && (
          <p class="banner" role="status">
            <Trash2 />
            <span class="grow">This post was removed. Its key is still shown.</span>
          </p>
        )}
        <dl class="facts">
          <KeyFacts name={item.key.name} id={item.key.id} origin={origin} apiKey={key} onChanged={show} />
          <OriginFacts createdAt={item.createdAt} origin={origin} />
        </dl>
        <KeyNotifications keyId={item.key.id} name={item.key.name} />
      </div>
    );
  };
  const isShown = error === null && origin !== null;
  return (
    <Panel
      title="Key"
      hubName={hubName}
      foot={isShown && key && <RevokeKey key={key.id} apiKey={key} onChanged={show} />}
    >
      {content()}
    </Panel>
  );
}

/** Returns the item, or its last state once it is deleted, so that the open panel keeps its content. */
function useLastSeen(id: string, result: FoundItem): Item | null {
  const last = useRef<Item | null>(null);
  if (result.status === 'found') last.current = result.item;
  return last.current?.id === id ? last.current : null;
}

/** Loads the request that created an item; the value is `null` for an item that a user wrote. */
function useOrigin(id: string) {
  const load = async (signal: AbortSignal): Promise<ItemOrigin | null> => {
    try {
      return await request('GET /items/{itemId}/origin', { itemId: id, signal });
    } catch (error) {
      if (error instanceof ApiError && error.statusCode === 404) return null;
      throw error;
    }
  };
  return useResource(load, { key: id });
}

const EXACT = new Intl.DateTimeFormat(LOCALE, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});

/** The request that created a post: its time, its address and its id in the server's logs. */
function OriginFacts({ createdAt, origin: { address, requestId } }: { createdAt: string; origin: ItemOrigin }) {
  return (
    <>
      <Fact name="Posted" value={<time dateTime={createdAt}>{EXACT.format(new Date(createdAt))}</time>} />
      <Fact name="From" variant="mono" value={address} />
      <dt>Request</dt>
      <dd>
        <span class="mono origin-id grow">{requestId}</span>
        <IconButton
          icon={<Copy />}
          label="Copy request ID"
          onClick={() => void copyText(requestId, 'Request ID copied.')}
        />
      </dd>
    </>
  );
}
