import type { Message } from '@hub/contract';
import { useSignalEffect } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { authorText } from '../../data/items/item.ts';
import type { ItemList } from '../../data/items/item-list.ts';
import { useItem } from '../../data/live/use-item.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { replyDraftOf } from '../../data/unsent/composer-drafts.ts';
import { hasAttention } from '../../lib/attention.ts';
import { route } from '../../lib/router/location.ts';
import { hasScreenKeyboard } from '../../lib/widths.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { Composer } from '../../ui/composer/composer.tsx';
import { OutboxRows } from '../../ui/composer/outbox-rows.tsx';
import { ErrorNotice } from '../../ui/page/load-states.tsx';
import { Panel } from '../../ui/panels/panel.tsx';
import { repliesTo } from './conversation.ts';
import { Feed } from './feed.tsx';
import { FeedSkeleton, JumpToNewest, NotLoaded } from './feed-edges.tsx';
import { FeedView } from './feed-view.ts';
import { editLast, replyTarget } from './message-actions.ts';
import { MessageRow } from './message-row.tsx';
import { focusComposer, focusRows, useRowKeys } from './row-keys.ts';
import { RowOverlays } from './row-overlays.tsx';
import { newRowScope, type RowScope, rowElement } from './row-scope.ts';

/** The panel of a thread: a message and its replies. */
export function ThreadPanel({ id }: { id: string }) {
  const workspace = useWorkspace();
  const { hubs, items } = workspace;
  const result = useItem(id);
  const scope = useMemo(() => newRowScope('thread'), [id]);
  const list = useMemo(() => repliesTo(items, { id }), [items, id]);
  useEffect(() => () => list.dispose(), [list]);
  useRowKeys(scope);
  const isReplyTarget = replyTarget.value === id && result.status === 'found';
  useLayoutEffect(() => {
    if (!isReplyTarget) return;
    replyTarget.value = null;
    focusComposer(scope);
  }, [isReplyTarget]);
  if (result.status === 'failed') {
    return (
      <Panel title="Thread" hubName="">
        <ErrorNotice text={result.text} onRetry={result.retry} />
      </Panel>
    );
  }
  if (result.status === 'loading') {
    return (
      <Panel title="Thread" hubName="">
        <FeedSkeleton what="the thread" />
      </Panel>
    );
  }
  const message = result.status === 'found' && result.item.kind === 'message' ? result.item : null;
  if (message === null) {
    return (
      <Panel title="Thread" hubName="">
        <div class="empty">
          <p>This message was deleted, or you’re not a member of its Hub.</p>
          <UnsentReply draftKey={id} />
        </div>
      </Panel>
    );
  }
  const { hubId } = message;
  return (
    <Panel
      title="Thread"
      hubName={hubs.find(hubId)?.name ?? ''}
      isScrolledInside
      foot={
        <Composer
          label="Reply in thread"
          hubId={hubId}
          draftKey={id}
          onSend={() => scope.toNewest()}
          isFocused={!hasScreenKeyboard()}
          onLeave={() => focusRows(scope)}
          onEditLast={() => editLast(workspace, { list, scope })}
        />
      }
    >
      <ThreadFeed message={message} list={list} scope={scope} />
      <RowOverlays scope={scope} />
    </Panel>
  );
}

/** The unsent reply to a message that was deleted. */
function UnsentReply({ draftKey }: { draftKey: string }) {
  const { me } = useWorkspace();
  const [text, setText] = useState('');
  // The composer saves its text on unmount, which is after the first render here.
  useEffect(() => setText(replyDraftOf(me.peek().id, draftKey)), [draftKey]);
  if (text.trim() === '') return null;
  return (
    <>
      <blockquote class="written-text">{text}</blockquote>
      <Button label="Copy your text" onClick={() => void copyText(text, 'Text copied.')} />
    </>
  );
}

/** A reply is placed this many pixels below the upper edge, so that the reply before it stays visible. */
const REPLY_TOP = 120;

/** A message, its reply count and its replies, the newest at the end. Only rows near the view are drawn. */
function ThreadFeed({ message, list, scope }: { message: Message; list: ItemList; scope: RowScope }) {
  const { id, hubId, replyCount } = message;
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
  const targetId = route.value.query.get('reply');
  const goneId = useRef<string | null>(null);
  useEffect(() => {
    if (!isKnown) return;
    const isWanted = targetId !== null && goneId.current !== targetId;
    if (!isWanted && !view.isPlaced.peek()) view.goTo('end');
    if (!isWanted) return;
    let isOver = false;
    void loadUpTo(list, targetId).then((isThere) => {
      if (isOver) return;
      if (list.state.peek().status === 'ready') goneId.current = targetId;
      if (isThere) scope.chosen.value = targetId;
      view.goTo(isThere ? { id: targetId, top: REPLY_TOP } : 'end', { outlastsArrivals: true });
    });
    return () => {
      isOver = true;
    };
  }, [view, isKnown, state.status === 'ready', targetId]);
  return (
    <div class="feed-box">
      <Feed
        label={`Thread on a message by ${authorText(message)}`}
        list={list}
        view={view}
        scope={scope}
        head={<ThreadHead message={message} />}
        follows={message}
      >
        {state.status === 'failed' && (
          <NotLoaded text={`Couldn’t load replies. ${state.text}`} onRetry={() => list.reload()} />
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

/** Marks a thread as read while its end is in view, just like a conversation. */
function useReadThread(message: Message, { list, view }: { list: ItemList; view: FeedView }): void {
  const { mentions } = useWorkspace().hubs;
  useSignalEffect(() => {
    const looked = [message, ...list.items.value];
    const isAtEnd = hasAttention.value && view.isPlaced.value && view.isAtEnd.value && !list.hasNewer.value;
    if (isAtEnd && looked.some(({ id }) => mentions.has(id)))
      mentions.markThreadRead(message.id, looked).catch(() => {});
  });
}
