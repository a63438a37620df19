import type { Item, Message } from '@hub/contract';
import { useComputed } from '@preact/signals';
import { authorText } from '../../data/items/item.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { useAllMembers } from '../../data/members/members.ts';
import { repliesText } from '../../lib/count-text.ts';
import { itemUrl, kindLabel } from '../../lib/items.ts';
import type { Repeats } from '../../lib/repeats.ts';
import { navigate, withPanel } from '../../lib/router/location.ts';
import { clockTime, daysAgo, fullTime, now, shortTime } from '../../lib/time/format.ts';
import { hasNoHover } from '../../lib/widths.ts';
import { AuthorAvatar, Avatar } from '../../ui/avatars/avatar.tsx';
import { RepeatsToggle } from '../../ui/items/repeats.tsx';
import { Badge, UnsavedEdit } from '../../ui/items/row-parts.tsx';
import { lazy } from '../../ui/page/lazy.tsx';
import { PostBody } from '../../ui/posts/post.tsx';
import { ReactionChips } from '../../ui/reactions/reaction-chips.tsx';
import { openEmojiPicker } from './message-actions.ts';
import { useRowScope, useRowTools } from './row-scope.ts';

/** Keeps its space while its code loads. */
const MessageEnd = lazy(async () => (await import('../../ui/items/message-end.tsx')).MessageEnd, {
  around: ({ message }) => message.conversion && <Badge {...message.conversion} />,
});
const MessageEditor = lazy(async () => (await import('./message-editor.tsx')).MessageEditor, {
  around: ({ message }, instead, isComing) => (isComing ? <PostBody item={message} /> : instead),
  takesText: true,
});

/** Absent until its code has loaded. */
export const MessageTools = lazy(async () => (await import('./message-tools.tsx')).MessageTools, {
  around: () => null,
});

const COLLAPSED_LINES = 30;

interface MessageRowProps {
  id: string;
  /** Whether it follows a message by the same author within five minutes, and so has no header. */
  isNext?: boolean;
  /** Whether it is below the "New" divider. */
  isNew?: boolean;
  /** Whether it is shown at the top of its own thread, and so has no thread link. */
  isHead?: boolean;
  repeats?: Repeats | undefined;
}

/** A message with its reactions, thread link and tools. */
export function MessageRow({ id, isNext = false, isNew = false, isHead = false, repeats }: MessageRowProps) {
  const { items } = useWorkspace();
  const scope = useRowScope();
  const { isCurrent, hasTools, showsTools, handlers } = useRowTools(scope, id);
  const isEdited = useComputed(() => scope?.editing.value === id).value;
  const item = items.get(id).value;
  if (item?.kind !== 'message') return null;
  const oldest = repeats?.oldest ?? id;
  const classes = [
    'msg',
    item.key && 'is-bot',
    isNext && 'is-next',
    isCurrent && 'is-current',
    item.deletedAt !== null && 'is-blank',
  ];
  return (
    <article
      class={classes.filter(Boolean).join(' ')}
      data-row={id}
      data-oldest={oldest}
      {...(scope?.kind === 'conversation' ? { id } : {})}
      // A tap selects a message. A click focuses it, so that shortcuts act on it.
      {...(isCurrent || !hasNoHover() ? { tabIndex: -1 } : {})}
      aria-label={rowLabel(item, isNew)}
      {...handlers}
      onClick={(event) => {
        if (scope && isSelectingTap(event)) scope.chosen.value = isCurrent ? null : id;
      }}
    >
      {isNext ? <MessageTime message={item} /> : <AuthorAvatar item={item} />}
      <div class="msg-body">
        {!isNext && <MessageHead message={item} oldest={oldest} />}
        {scope && isEdited && item.deletedAt === null ? (
          <MessageEditor message={item} scope={scope} />
        ) : item.deletedAt !== null ? (
          <p class="msg-blank">This message was deleted.</p>
        ) : (
          <PostBody item={item} collapseLines={COLLAPSED_LINES} />
        )}
        {scope && !isEdited && item.deletedAt === null && (
          <UnsavedEdit
            id={item.id}
            onOpen={() => {
              scope.editing.value = item.id;
            }}
          />
        )}
        {isNext && !isEdited && item.editedAt !== null && <Edited at={item.editedAt} by={item.editedBy} />}
        {repeats && <RepeatsToggle id={id} repeats={repeats} />}
        {scope && <ReactionChips message={item} onAdd={(opener) => openEmojiPicker(scope, item, opener)} />}
        {(item.conversion ?? item.question) && <MessageEnd message={item} />}
        {!isHead && item.replyCount > 0 && <ThreadLink item={item} />}
      </div>
      {scope && item.deletedAt === null && !isEdited && hasTools && (
        <MessageTools message={item} scope={scope} isHead={isHead} isVisible={showsTools} />
      )}
    </article>
  );
}

/** Names a row for screen readers, without the names of its buttons. */
export function rowLabel(item: Item, isNew: boolean): string {
  const states = [
    isNew && 'new',
    item.kind === 'message' && item.deletedAt === null && item.editedAt !== null && 'edited',
    item.replyCount > 0 && repliesText(item.replyCount),
  ];
  return [authorText(item), clockTime(item.createdAt), kindLabel(item).toLowerCase(), ...states]
    .filter(Boolean)
    .join(', ');
}

/** Whether a click is a tap or by assistive technology, which selects the row, and not on a control or a selection. */
export function isSelectingTap(event: MouseEvent): boolean {
  const { pointerType, detail } = event as PointerEvent;
  if (pointerType !== 'touch' && pointerType !== 'pen' && detail > 0) return false;
  const isOnControl =
    event.target instanceof Element && event.target.closest('a, button, input, textarea, summary, pre') !== null;
  return !isOnControl && getSelection()?.isCollapsed !== false;
}

function MessageHead({ message, oldest }: { message: Message; oldest: string }) {
  const { author, key, editedAt, editedBy, deletedAt } = message;
  return (
    <p class="msg-head">
      {key ? (
        <>
          <a class="via-key" aria-label={`${key.name}: show key`} href={`${withPanel(oldest)}&show=origin`}>
            {key.name}
          </a>{' '}
          <span class="bot-tag">bot</span>
        </>
      ) : (
        <span class="msg-name">{author.name}</span>
      )}{' '}
      <MessageTime message={message} />
      {editedAt !== null && deletedAt === null && <Edited at={editedAt} by={editedBy} />}
    </p>
  );
}

function MessageTime({ message }: { message: Message }) {
  const { id, createdAt } = message;
  return (
    <time class="at" dateTime={createdAt}>
      <a
        href={`/p/${id}`}
        title={fullTime(createdAt)}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
          event.preventDefault();
          navigate(itemUrl(message));
        }}
      >
        {clockTime(createdAt)}
      </a>
    </time>
  );
}

/** Marks a message whose text was edited, and names the editor if that was not its author. */
export function Edited({ at, by }: { at: string; by: Message['editedBy'] }) {
  return (
    <span class="edited" title={`Edited ${fullTime(at)}`}>
      edited
      {by && (
        <>
          {' by '}
          <bdi>{by.name}</bdi>
        </>
      )}
    </span>
  );
}

/** A link to the thread: the last repliers, the reply count and the time of the last reply. */
export function ThreadLink({ item }: { item: Item }) {
  const { id, hubId, replyCount, lastReplyAt, repliers = [] } = item;
  const members = useAllMembers(hubId);
  const avatars = repliers
    .map((each) => members.find((member) => member.id === each))
    .filter((each) => each !== undefined);
  return (
    <div class="under">
      <a class="thread-link" href={withPanel(id)}>
        {avatars.length > 0 && (
          <span class="avatars">
            {avatars.map((member) => (
              <Avatar key={member.id} id={member.id} name={member.name} kind="user" size="s" />
            ))}
          </span>
        )}
        <b>{repliesText(replyCount)}</b>
        {lastReplyAt !== null && <span>{lastText(lastReplyAt, now.value)}</span>}
      </a>
    </div>
  );
}

function lastText(iso: string, nowMs: number): string {
  return `last ${daysAgo(iso, nowMs) === 0 ? 'at ' : ''}${shortTime(iso, nowMs)}`;
}
