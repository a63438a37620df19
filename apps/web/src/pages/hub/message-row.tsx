import type { Message } from '@hub/contract';
import { useComputed } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import { authorText } from '../../data/items/item.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { useAllMembers } from '../../data/members/members.ts';
import type { Repeats } from '../../lib/repeats.ts';
import { navigate, withPanel } from '../../lib/router/location.ts';
import { clockTime, daysAgo, fullTime, shortTime } from '../../lib/time/format.ts';
import { now } from '../../lib/time/now.ts';
import { hasNoHover } from '../../lib/widths.ts';
import { AuthorAvatar, Avatar } from '../../ui/avatars/avatar.tsx';
import { Badge } from '../../ui/items/conversion-badge.tsx';
import { RepeatsToggle } from '../../ui/items/repeats.tsx';
import { UnsavedEdit } from '../../ui/items/unsaved-edit.tsx';
import { lazy } from '../../ui/page/lazy.tsx';
import { PostBody } from '../../ui/posts/post-body.tsx';
import { ReactionChips } from '../../ui/reactions/reaction-chips.tsx';
import { openEmojiPicker, openOrigin } from './message-actions.ts';
import { type RowScope, useRowScope } from './row-scope.ts';

/** Keeps its space while its code loads. */
const ConversionBadge = lazy(async () => (await import('../../ui/items/conversion.tsx')).ConversionBadge, {
  around: ({ kind, id }) => <Badge kind={kind} id={id} />,
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
  /** Whether it is shown at the top of its own thread, and so has no thread link. */
  isHead?: boolean;
  repeats?: Repeats | undefined;
}

/** A message with its reactions, thread link and tools. */
export function MessageRow({ id, isNext = false, isHead = false, repeats }: MessageRowProps) {
  const { items } = useWorkspace();
  const scope = useRowScope();
  const isCurrent = useComputed(() => scope?.chosen.value === id).value;
  const isEdited = useComputed(() => scope?.editing.value === id).value;
  const [isPointed, setPointed] = useState(false);
  const isWanted = useToolsSoon(scope, isCurrent);
  const item = items.get(id).value;
  if (item?.kind !== 'message') return null;
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
      {...(scope?.kind === 'conversation' ? { id } : {})}
      // A tap selects a message. A click focuses it, so that shortcuts act on it.
      {...(isCurrent || !hasNoHover() ? { tabIndex: -1 } : {})}
      aria-label={`${authorText(item)}, ${clockTime(item.createdAt)}`}
      onPointerEnter={() => setPointed(true)}
      onClick={(event) => {
        if (scope && isSelectingTap(event)) scope.chosen.value = isCurrent ? null : id;
      }}
    >
      {isNext ? <MessageTime message={item} /> : <AuthorAvatar item={item} />}
      <div class="msg-body">
        {!isNext && <MessageHead message={item} />}
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
        {item.conversion && <ConversionBadge {...item.conversion} />}
        {!isHead && item.replyCount > 0 && <ThreadLink message={item} />}
      </div>
      {scope && item.deletedAt === null && !isEdited && (isWanted || isPointed) && (
        <MessageTools message={item} scope={scope} isHead={isHead} />
      )}
    </article>
  );
}

/**
 * Whether to render the tools of a row: once it is selected, or a moment after it was added. During fast scrolling the
 * tools would be half of everything that is drawn.
 */
function useToolsSoon(scope: RowScope | null, isCurrent: boolean): boolean {
  const wasWanted = useRef(false);
  wasWanted.current ||= isCurrent || scope?.isQuiet.value === true;
  return wasWanted.current;
}

/** Whether a click is a tap that selects the row, and not a press on a control or a text selection. */
export function isSelectingTap(event: MouseEvent): boolean {
  const { pointerType } = event as PointerEvent;
  if (pointerType !== 'touch' && pointerType !== 'pen') return false;
  const isOnControl =
    event.target instanceof Element && event.target.closest('a, button, input, textarea, pre') !== null;
  return !isOnControl && getSelection()?.isCollapsed !== false;
}

/** The author and time of a message. The name of a key opens its panel. */
function MessageHead({ message }: { message: Message }) {
  const { author, key, editedAt, editedBy, deletedAt } = message;
  return (
    <p class="msg-head">
      {key ? (
        <>
          <button
            class="via-key"
            type="button"
            aria-label={`${key.name}: show key`}
            onClick={() => openOrigin(message)}
          >
            {key.name}
          </button>{' '}
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

/** The time of a message, as a link to the message. */
function MessageTime({ message: { id, hubId, createdAt } }: { message: Message }) {
  return (
    <time class="at" dateTime={createdAt} title={fullTime(createdAt)}>
      <a
        href={`/p/${id}`}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
          event.preventDefault();
          navigate(`/hubs/${hubId}?at=${id}`);
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
export function ThreadLink({ message }: { message: Message }) {
  const { id, hubId, replyCount, lastReplyAt, repliers = [] } = message;
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
        <b>{replyCount === 1 ? '1 reply' : `${replyCount} replies`}</b>
        {lastReplyAt !== null && <span>{lastText(lastReplyAt, now.value)}</span>}
      </a>
    </div>
  );
}

function lastText(iso: string, nowMs: number): string {
  return `last ${daysAgo(iso, nowMs) === 0 ? 'at ' : ''}${shortTime(iso, nowMs)}`;
}
