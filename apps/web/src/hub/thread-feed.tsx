import type { Message } from '@hub/contract';
import { useEffect, useMemo } from 'preact/hooks';
import { OutboxRows } from '../composer/outbox-rows.tsx';
import type { ItemList } from '../items/item-list.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import { Feed } from './feed.tsx';
import { FeedBones } from './feed-bones.tsx';
import { NotLoaded } from './feed-marks.tsx';
import { FeedView } from './feed-view.ts';
import { JumpToNewest } from './jump-to-newest.tsx';
import { MessageRow } from './message-row.tsx';
import { type RowScope, rowElement } from './row-scope.ts';

interface ThreadFeedProps {
  message: Message;
  list: ItemList;
  scope: RowScope;
}

/** A message, how many answered it, and what they said, the newest at the end; of many, what is near the view is drawn. */
export function ThreadFeed({ message, list, scope }: ThreadFeedProps) {
  const { id, hubId, author, replyCount } = message;
  const { hubs } = useWorkspace();
  const view = useMemo(() => new FeedView(list, hubs.find(hubId)?.seq ?? 0), [list]);
  scope.ids = () => [id, ...list.items.peek().map((reply) => reply.id)];
  scope.reveal = (row) => {
    if (row === id) rowElement(scope, id)?.scrollIntoView({ block: 'nearest' });
    else view.reveal(row);
  };
  scope.toNewest = () => view.goTo('end');
  const state = list.state.value;
  // One begins at the newest reply, and sees nothing before it is known what that is.
  const isKnown = replyCount === 0 || state.status !== 'loading';
  useEffect(() => {
    if (isKnown && !view.isPlaced.peek()) view.goTo('end');
  }, [view, isKnown]);
  return (
    <div class="feed-box">
      <Feed
        label={`Thread about a message of ${author.name}`}
        list={list}
        view={view}
        scope={scope}
        head={<ThreadHead message={message} />}
        follows={message}
      >
        {state.status === 'failed' && (
          <NotLoaded words={`The replies did not load. ${state.words}`} onAgain={() => list.reload()} />
        )}
        <OutboxRows draftKey={id} />
      </Feed>
      {!view.isPlaced.value && <FeedBones what="the thread" />}
      <JumpToNewest
        list={list}
        view={view}
        onJump={() => {
          scope.toNewest();
          scope.root()?.focus({ preventScroll: true });
        }}
      />
    </div>
  );
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
