import type { Message } from '@hub/contract';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { OutboxRows } from '../composer/outbox-rows.tsx';
import { useReadThread } from '../hubs/use-read-thread.ts';
import type { ItemList } from '../items/item-list.ts';
import { route } from '../router/location.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import { Feed } from './feed.tsx';
import { NotLoaded } from './feed-edges.tsx';
import { FeedSkeleton } from './feed-skeleton.tsx';
import { FeedView } from './feed-view.ts';
import { JumpToNewest } from './jump-to-newest.tsx';
import { MessageRow } from './message-row.tsx';
import { type RowScope, rowElement } from './row-scope.ts';

/** A reply is placed this many pixels below the upper edge, so that the reply before it stays visible. */
const REPLY_TOP = 120;

interface ThreadFeedProps {
  message: Message;
  list: ItemList;
  scope: RowScope;
}

/** A message, its reply count and its replies, the newest at the end. Only rows near the view are drawn. */
export function ThreadFeed({ message, list, scope }: ThreadFeedProps) {
  const { id, hubId, author, replyCount } = message;
  const { hubs } = useWorkspace();
  const view = useMemo(() => new FeedView(list, hubs.find(hubId)?.seq ?? 0), [list]);
  useReadThread(message, { list, view });
  scope.ids = () => [id, ...list.items.peek().map((reply) => reply.id)];
  scope.reveal = (row) => {
    if (row === id) rowElement(scope, id)?.scrollIntoView({ block: 'nearest' });
    else view.reveal(row);
  };
  scope.toNewest = () => view.goTo('end');
  const state = list.state.value;
  // The thread opens at the newest reply, or at the one in the URL, and stays hidden until that is known.
  const isKnown = replyCount === 0 || state.status !== 'loading';
  const wanted = route.value.query.get('reply');
  const gone = useRef<string | null>(null);
  useEffect(() => {
    if (!isKnown) return;
    const isWanted = wanted !== null && gone.current !== wanted;
    if (!isWanted && !view.isPlaced.peek()) view.goTo('end');
    if (!isWanted) return;
    let isOver = false;
    void loadUpTo(list, wanted).then((isThere) => {
      if (isOver) return;
      gone.current = wanted;
      if (isThere) scope.chosen.value = wanted;
      view.goTo(isThere ? { id: wanted, top: REPLY_TOP } : 'end', { outlastsArrivals: true });
    });
    return () => {
      isOver = true;
    };
  }, [view, isKnown, wanted]);
  return (
    <div class="feed-box">
      <Feed
        label={`Thread on a message by ${author.name}`}
        list={list}
        view={view}
        scope={scope}
        head={<ThreadHead message={message} />}
        follows={message}
      >
        {state.status === 'failed' && (
          <NotLoaded text={`Couldn't load replies. ${state.text}`} onRetry={() => list.reload()} />
        )}
        <OutboxRows draftKey={id} />
      </Feed>
      {!view.isPlaced.value && <FeedSkeleton what="the thread" />}
      <JumpToNewest list={list} view={view} scope={scope} />
    </div>
  );
}

/** Loads older replies until this one is loaded. Returns false if it does not exist. */
async function loadUpTo(list: ItemList, id: string): Promise<boolean> {
  const isLoaded = () => list.items.peek().some((reply) => reply.id === id);
  while (!isLoaded() && list.hasOlder.peek()) {
    const { length } = list.items.peek();
    await list.loadOlder();
    if (list.items.peek().length === length) break;
  }
  return isLoaded();
}

function ThreadHead({ message: { id, replyCount } }: { message: Message }) {
  return (
    <>
      <MessageRow id={id} isHead />
      {replyCount > 0 && (
        <h3 class="day">
          <span>{replyCount === 1 ? '1 reply' : `${replyCount} replies`}</span>
        </h3>
      )}
    </>
  );
}
