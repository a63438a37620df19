import type { Message } from '@hub/contract';
import { useComputed } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import { AuthorAvatar } from '../avatars/avatar.tsx';
import { ConversionBadge } from '../item-text/conversion.tsx';
import { PostBody } from '../posts/post-body.tsx';
import { ReactionChips } from '../reactions/reaction-chips.tsx';
import { clockTime } from '../time/format.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import { openEmojiPicker } from './message-actions.ts';
import { MessageEditor } from './message-editor.tsx';
import { Edited, MessageHead, MessageTime } from './message-head.tsx';
import { MessageTools } from './message-tools.tsx';
import { type RowScope, useRowScope } from './row-scope.ts';
import { ThreadLink } from './thread-link.tsx';

const COLLAPSED_LINES = 30;

interface MessageRowProps {
  id: string;
  /** Whether it follows a message by the same author within five minutes, and so has no header. */
  isNext?: boolean;
  /** Whether it is shown at the top of its own thread, and so has no thread link. */
  isHead?: boolean;
}

/** A message with its reactions, thread link and tools. */
export function MessageRow({ id, isNext = false, isHead = false }: MessageRowProps) {
  const { items } = useWorkspace();
  const scope = useRowScope();
  const isCurrent = useComputed(() => scope?.chosen.value === id).value;
  const isEdited = useComputed(() => scope?.editing.value === id).value;
  const [isPointed, setPointed] = useState(false);
  const isWanted = useToolsSoon(scope, isCurrent);
  const item = items.get(id).value;
  if (item?.kind !== 'message') return null;
  const label = isNext
    ? { 'aria-label': `${nameOf(item)}, ${clockTime(item.createdAt)}` }
    : { 'aria-labelledby': `${scope?.kind ?? 'row'}-${id}-by` };
  const classes = ['msg', isNext && 'is-next', isCurrent && 'is-current', item.deletedAt !== null && 'is-blank'];
  return (
    <article
      class={classes.filter(Boolean).join(' ')}
      data-row={id}
      {...(scope?.kind === 'conversation' ? { id } : {})}
      {...(isCurrent ? { tabIndex: -1 } : {})}
      {...label}
      onPointerEnter={() => setPointed(true)}
      onClick={(event) => {
        if (scope && isSelectingTap(event)) scope.chosen.value = isCurrent ? null : id;
      }}
    >
      {isNext ? <MessageTime message={item} /> : <AuthorAvatar item={item} />}
      <div class="msg-body">
        {!isNext && <MessageHead message={item} id={`${scope?.kind ?? 'row'}-${id}-by`} />}
        {scope && isEdited && item.deletedAt === null ? (
          <MessageEditor message={item} scope={scope} />
        ) : item.deletedAt !== null ? (
          <p class="msg-blank">This message was deleted.</p>
        ) : (
          <PostBody item={item} collapseLines={COLLAPSED_LINES} />
        )}
        {isNext && !isEdited && item.editedAt !== null && <Edited at={item.editedAt} by={item.editedBy} />}
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

function nameOf({ author, key }: Message): string {
  return key ? `${author.name} via ${key.name}` : author.name;
}

/** Whether a click is a tap that selects the row, and not a press on a control or a text selection. */
export function isSelectingTap(event: MouseEvent): boolean {
  const { pointerType } = event as PointerEvent;
  if (pointerType !== 'touch' && pointerType !== 'pen') return false;
  const isOnControl =
    event.target instanceof Element && event.target.closest('a, button, input, textarea, pre') !== null;
  return !isOnControl && getSelection()?.isCollapsed !== false;
}
