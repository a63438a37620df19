import type { Item, Message, Note, Todo } from '@hub/contract';
import { Calendar, CircleCheckBig, CornerDownRight, Square } from 'icons';
import { useItem } from '../../data/live/use-item.ts';
import { itemUrl } from '../../lib/item-url.ts';
import { excerpt, plainText } from '../../lib/posts/plain-text.ts';
import { withPanel } from '../../lib/router/location.ts';
import { dueGroup, dueText } from '../../lib/time/due.ts';
import { now } from '../../lib/time/now.ts';
import { ConversionBadge } from '../../ui/items/conversion.tsx';
import { PostBody } from '../../ui/posts/post-body.tsx';
import { ReactionChips } from '../../ui/reactions/reaction-chips.tsx';
import { openEmojiPicker } from '../hub/message-actions.ts';
import { ThreadLink } from '../hub/message-row.tsx';
import { useRowScope } from '../hub/row-scope.ts';
import { PriorityBars } from '../todos/priority-bars.tsx';

/** Feeds are for skimming: longer posts can be read in full in their Hub. */
const COLLAPSED_LINES = 12;

/** The content of an item, shortened for a feed. */
export function EntryBody({ item }: { item: Item }) {
  if (item.kind === 'todo') return <TodoCard item={item} />;
  if (item.kind === 'note') return <NoteCard item={item} />;
  return <MessageBody item={item} />;
}

function MessageBody({ item }: { item: Message }) {
  const scope = useRowScope();
  if (item.deletedAt !== null) return <p class="msg-blank">This message was deleted.</p>;
  return (
    <>
      {item.parentId !== null && <ReplyContext parentId={item.parentId} />}
      <PostBody item={item} collapseLines={COLLAPSED_LINES} />
      {scope && <ReactionChips message={item} onAdd={(opener) => openEmojiPicker(scope, item, opener)} />}
      {item.conversion && <ConversionBadge {...item.conversion} />}
      {item.replyCount > 0 && <ThreadLink message={item} />}
    </>
  );
}

function NoteCard({ item }: { item: Note }) {
  return (
    <a class="note" href={itemUrl(item)}>
      {item.title !== null && <h3>{item.title}</h3>}
      <p>{excerpt(item.content)}</p>
    </a>
  );
}

/** The message that a reply belongs to, as a link to its thread. */
function ReplyContext({ parentId }: { parentId: string }) {
  const result = useItem(parentId);
  const parent = result.status === 'found' && result.item.kind === 'message' ? result.item : null;
  return (
    <a class="reply-to" href={withPanel(parentId)}>
      <CornerDownRight size="xs" />
      <span class="sr">In reply to </span>
      {parent ? (
        <span class="t cut">
          <b>{parent.key?.name ?? parent.author.name}</b>{' '}
          {parent.deletedAt === null ? plainText(parent) : 'a deleted message'}
        </span>
      ) : (
        <span class="t cut">a thread</span>
      )}
    </a>
  );
}

/** A to-do in a feed. */
function TodoCard({ item }: { item: Todo }) {
  const isDone = item.status === 'done';
  return (
    <a class={isDone ? 'todo-card is-done' : 'todo-card'} href={itemUrl(item)}>
      <StatusIcon item={item} />
      <span class="t">
        {isDone && <span class="sr">Done: </span>}
        {item.title}
      </span>
      {item.dueDate !== null && !isDone && <Due dueDate={item.dueDate} />}
      {isDone && item.finishedBy && <span class="due">done by {item.finishedBy.name}</span>}
    </a>
  );
}

function StatusIcon({ item: { status, priority } }: { item: Todo }) {
  if (status === 'done') return <CircleCheckBig />;
  return priority === null ? <Square /> : <PriorityBars priority={priority} />;
}

function Due({ dueDate }: { dueDate: string }) {
  const group = dueGroup(dueDate, now.value);
  const state = group === 'overdue' ? ' is-late' : group === 'today' ? ' is-today' : '';
  return (
    <span class={`due${state}`}>
      <Calendar />
      <span class="sr">{group === 'overdue' ? 'Overdue since ' : 'Due '}</span>
      {dueText(dueDate, now.value)}
    </span>
  );
}
