import type { Item } from '@hub/contract';
import { useSignalEffect } from '@preact/signals';
import { Bell, BellOff, BellPlus } from 'icons';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { authorText, bySeq } from '../../data/items/item.ts';
import { ItemList } from '../../data/items/item-list.ts';
import type { ItemStore } from '../../data/items/item-store.ts';
import { useItem } from '../../data/live/use-item.ts';
import { useResource, useWorkspace } from '../../data/live/workspace.ts';
import { request } from '../../data/request.ts';
import { editDraftKey, storageKeys } from '../../data/unsent/unsaved-text.ts';
import { hasAttention } from '../../lib/attention.ts';
import { repliesText } from '../../lib/count-text.ts';
import { kindLabel } from '../../lib/items.ts';
import { route } from '../../lib/router/location.ts';
import { readStored } from '../../lib/stored.ts';
import { hasScreenKeyboard } from '../../lib/widths.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { Composer } from '../../ui/composer/composer.tsx';
import { OutboxRows } from '../../ui/composer/outbox-rows.tsx';
import { ErrorNotice } from '../../ui/page/load-states.tsx';
import { Panel } from '../../ui/panels/panel.tsx';
import { orToast, toast } from '../../ui/toast.tsx';
import { FeedSkeleton, JumpToNewest, NotLoaded } from './feed-edges.tsx';
import { EDGE, HEAD } from './feed-scroll.ts';
import { FeedView } from './feed-view.ts';
import { editLast, replyTarget } from './message-actions.ts';
import { MessageRow } from './message-row.tsx';
import { MessagesFeed } from './messages-feed.tsx';
import { focusComposer, focusRows, useRowKeys } from './row-keys.ts';
import { newRowScope, type RowScope, rowElement } from './row-scope.ts';

interface Thread {
  list: ItemList;
  scope: RowScope;
}

/** Returns the replies to an item while its panel is open. `isLoaded`: whether the item is there. */
export function useThread(id: string, isLoaded: boolean): Thread {
  const { items } = useWorkspace();
  const thread = useMemo(() => ({ list: repliesTo(items, id), scope: newRowScope('thread') }), [items, id]);
  useEffect(() => () => thread.list.dispose(), [thread]);
  const isReplyTarget = replyTarget.value === id && isLoaded;
  useLayoutEffect(() => {
    if (!isReplyTarget) return;
    replyTarget.value = null;
    focusComposer(thread.scope);
  }, [isReplyTarget]);
  return thread;
}

interface ReplyComposerProps extends Thread {
  item: Pick<Item, 'id' | 'hubId'>;
  isFocused?: boolean;
}

export function ReplyComposer({ item: { id, hubId }, list, scope, isFocused = false }: ReplyComposerProps) {
  const workspace = useWorkspace();
  return (
    <Composer
      label="Reply in thread"
      hubId={hubId}
      draftKey={id}
      onSend={() => scope.toNewest()}
      isFocused={isFocused}
      onLeave={() => focusRows(scope)}
      onEditLast={() => editLast(workspace, { list, scope })}
    />
  );
}

export function UnsentReply({ draftKey }: { draftKey: string }) {
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

interface ThreadFeedProps extends Thread {
  item: Item;
  children: ComponentChildren;
}

/** An item, its reply count and its replies, the newest at the end. Only rows near the view are drawn. */
export function ThreadFeed({ item, list, scope, children }: ThreadFeedProps) {
  const { id, hubId, replyCount } = item;
  const isMessage = item.kind === 'message';
  const { hubs } = useWorkspace();
  const view = useMemo(() => new FeedView(list, { seq: hubs.find(hubId)?.seq ?? 0 }), [list]);
  useReadThread(item, { list, view });
  scope.ids = () => [...(isMessage ? [id] : []), ...list.items.peek().map((reply) => reply.id)];
  scope.reveal = (row) => {
    if (row === id) rowElement(scope, id)?.scrollIntoView({ block: 'nearest' });
    else view.reveal(row);
  };
  scope.toNewest = () => view.goTo('end');
  const state = list.state.value;
  // It opens at the reply in the URL. Otherwise, a message opens at the newest reply, which may continue it, and a note
  // or a to-do at its beginning. It stays hidden until that is known.
  const isReady = replyCount === 0 || state.status !== 'loading';
  const targetId = route.value.query.get('reply');
  const goneId = useRef<string | null>(null);
  useEffect(() => {
    if (!isReady) return;
    const isWanted = targetId !== null && goneId.current !== targetId;
    if (!isWanted && !view.isPlaced.peek()) view.goTo(isMessage ? 'end' : { id: HEAD, top: EDGE });
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
  }, [view, isReady, state.status === 'ready', targetId]);
  return (
    <div class="feed-box">
      <MessagesFeed
        label={`Thread on a ${kindLabel(item).toLowerCase()} by ${authorText(item)}`}
        list={list}
        view={view}
        scope={scope}
        head={
          <>
            {children}
            {replyCount > 0 && (
              <h3 class="day">
                <span>{repliesText(replyCount)}</span>
              </h3>
            )}
          </>
        }
        follows={item}
      >
        {state.status === 'failed' && (
          <NotLoaded text={`Couldn’t load replies. ${state.text}`} onRetry={() => list.reload()} />
        )}
        <OutboxRows draftKey={id} />
      </MessagesFeed>
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

/** Marks a thread as read while its end is in view, just like a conversation. */
function useReadThread(item: Item, { list, view }: { list: ItemList; view: FeedView }): void {
  const { mentions } = useWorkspace().hubs;
  useSignalEffect(() => {
    const looked = [item, ...list.items.value];
    const isAtEnd = hasAttention.value && view.isPlaced.value && view.isAtEnd.value && !list.hasNewer.value;
    if (isAtEnd && looked.some(({ id }) => mentions.has(id))) mentions.markThreadRead(item.id, looked).catch(() => {});
  });
}

export function ThreadPanel({ id }: { id: string }) {
  const { hubs } = useWorkspace();
  const result = useItem(id);
  const thread = useThread(id, result.status === 'ready');
  useRowKeys(thread.scope);
  const message = result.status === 'ready' && result.item.kind === 'message' ? result.item : null;
  if (message === null) {
    return (
      <Panel title="Thread" hubName="">
        {result.status === 'failed' ? (
          <ErrorNotice text={result.text} onRetry={result.retry} />
        ) : result.status === 'loading' ? (
          <FeedSkeleton what="the thread" />
        ) : (
          <div class="empty">
            <p>This message was deleted, or you’re not a member of its Hub.</p>
            <UnsentReply draftKey={id} />
          </div>
        )}
      </Panel>
    );
  }
  return (
    <Panel
      title="Thread"
      hubName={hubs.find(message.hubId)?.name ?? ''}
      isScrolledInside
      tools={<FollowThread key={id} item={message} />}
      foot={<ReplyComposer item={message} {...thread} isFocused={!hasScreenKeyboard()} />}
    >
      <ThreadFeed item={message} {...thread}>
        <MessageRow id={id} isHead />
      </ThreadFeed>
    </Panel>
  );
}

function repliesTo(store: ItemStore, itemId: string): ItemList {
  return new ItemList(store, {
    holds: (item) => item.kind === 'message' && item.parentId === itemId,
    order: bySeq,
    load: async (before) => {
      const query = { before, limit: 50 };
      const { items, next, seq } = await request('GET /items/{itemId}/replies', { itemId, query });
      return { items, next, asOf: () => seq };
    },
  });
}

/** Returns a stored reply to an item, for views in which its composer is no longer shown. */
function replyDraftOf(userId: string, itemId: string): string {
  const isReply = (name: string) => name.endsWith(`.${itemId}`) && !name.endsWith(`.${editDraftKey(itemId)}`);
  return readStored(storageKeys('draft', userId).find(isReply) ?? '') ?? '';
}

/** A button in the header of a thread: follows the thread, or mutes it. */
export function FollowThread({ item: { id: itemId, repliers } }: { item: Item }) {
  const { me } = useWorkspace();
  // A reply makes the user take part.
  const hasReplied = repliers?.includes(me.value.id) ?? false;
  const { value, set } = useResource(
    (signal) => request('GET /me/notifications/threads/{itemId}', { itemId, signal }),
    { key: `${itemId} ${hasReplied}`, topics: [] },
  );
  const isFollowing = value?.isFollowing === true;
  const change = async () => {
    const mode = isFollowing ? 'muted' : 'every';
    await orToast('Not changed.', async () => {
      set(await request('PUT /me/notifications/threads/{itemId}', { itemId, body: { mode } }));
      toast(
        isFollowing ? 'Thread muted. Only mentions notify you.' : 'You’ll be notified about replies in this thread.',
      );
    });
  };
  return (
    <IconButton
      icon={isFollowing ? <Bell /> : value?.mode === 'muted' ? <BellOff /> : <BellPlus />}
      label={isFollowing ? 'Mute thread' : 'Follow thread'}
      aria-disabled={value === undefined}
      onClick={() => value && void change()}
    />
  );
}
