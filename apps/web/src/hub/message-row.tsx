import type { Message } from '@hub/contract';
import { useComputed } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import { AuthorAvatar } from '../avatars/avatar.tsx';
import { Became } from '../item-text/conversion.tsx';
import { PostBody } from '../posts/post-body.tsx';
import { ReactionChips } from '../reactions/reaction-chips.tsx';
import { clockTime } from '../time/format.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import { askForEmoji } from './message-actions.ts';
import { MessageEditor } from './message-editor.tsx';
import { Edited, MessageHead, MessageTime } from './message-head.tsx';
import { MessageTools } from './message-tools.tsx';
import { type RowScope, useRowScope } from './row-scope.ts';
import { ThreadLink } from './thread-link.tsx';

const COLLAPSED_LINES = 30;

interface MessageRowProps {
  id: string;
  /** It follows one of the same author within five minutes: its head is left out. */
  isNext?: boolean;
  /** It stands over its own thread, which it need not lead to. */
  isHead?: boolean;
}

/** One message, and what can be done with it. */
export function MessageRow({ id, isNext = false, isHead = false }: MessageRowProps) {
  const { items } = useWorkspace();
  const scope = useRowScope();
  const isHere = useComputed(() => scope?.chosen.value === id).value;
  const isEdited = useComputed(() => scope?.editing.value === id).value;
  const [isPointed, setPointed] = useState(false);
  const isWanted = useToolsSoon(scope, isHere);
  const item = items.get(id).value;
  if (item?.kind !== 'message') return null;
  const label = isNext
    ? { 'aria-label': `${nameOf(item)}, ${clockTime(item.createdAt)}` }
    : { 'aria-labelledby': `${scope?.kind ?? 'row'}-${id}-by` };
  const classes = ['msg', isNext && 'is-next', isHere && 'is-current', item.deletedAt !== null && 'is-blank'];
  return (
    <article
      class={classes.filter(Boolean).join(' ')}
      data-row={id}
      {...(scope?.kind === 'conversation' ? { id } : {})}
      {...(isHere ? { tabIndex: -1 } : {})}
      {...label}
      onPointerEnter={() => setPointed(true)}
      onClick={(event) => {
        if (scope && isTapToChoose(event)) scope.chosen.value = isHere ? null : id;
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
        {scope && <ReactionChips message={item} onAdd={(opener) => askForEmoji(scope, item, opener)} />}
        {item.conversion && <Became {...item.conversion} />}
        {!isHead && item.replyCount > 0 && <ThreadLink message={item} />}
      </div>
      {scope && item.deletedAt === null && !isEdited && (isWanted || isPointed) && (
        <MessageTools message={item} scope={scope} isHead={isHead} />
      )}
    </article>
  );
}

/**
 * Whether the tools of a row are to be there: once it is chosen, or a moment after it came. While rows fly by, they would be half
 * of all that is drawn.
 */
function useToolsSoon(scope: RowScope | null, isHere: boolean): boolean {
  const wasTime = useRef(false);
  wasTime.current ||= isHere || scope?.isQuiet.value === true;
  return wasTime.current;
}

function nameOf({ author, key }: Message): string {
  return key ? `${author.name} via ${key.name}` : author.name;
}

/** Of a finger, and not one that presses something in the row or selects its text. */
export function isTapToChoose(event: MouseEvent): boolean {
  const { pointerType } = event as PointerEvent;
  if (pointerType !== 'touch' && pointerType !== 'pen') return false;
  const isOnControl =
    event.target instanceof Element && event.target.closest('a, button, input, textarea, pre') !== null;
  return !isOnControl && getSelection()?.isCollapsed !== false;
}
