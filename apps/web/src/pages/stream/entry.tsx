import type { Item, Message, Note, Todo } from '@hub/contract';
import { Calendar, CircleCheckBig, CornerDownRight, Square } from 'icons';
import { useItem } from '../../data/live/use-item.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { itemUrl } from '../../lib/items.ts';
import { excerpt } from '../../lib/posts/plain-text.ts';
import type { Repeats } from '../../lib/repeats.ts';
import { withPanel } from '../../lib/router/location.ts';
import { dueGroup, dueText } from '../../lib/time/due.ts';
import { clockTime, fullTime, now } from '../../lib/time/format.ts';
import { AuthorAvatar } from '../../ui/avatars/avatar.tsx';
import { textOfItem } from '../../ui/items/deletion.tsx';
import { MessageEnd } from '../../ui/items/message-end.tsx';
import { RepeatsToggle } from '../../ui/items/repeats.tsx';
import { PostBody } from '../../ui/posts/post.tsx';
import { ReactionChips } from '../../ui/reactions/reaction-chips.tsx';
import { openEmojiPicker } from '../feed/message-actions.ts';
import { Edited, isSelectingTap, MessageTools, rowLabel, ThreadLink } from '../feed/message-row.tsx';
import { useRowScope, useRowTools } from '../feed/row-scope.ts';
import { PriorityBars } from '../todos/priority-bars.tsx';

/** An item in a feed that spans several Hubs: its kind, its author and a link to it. */
export function Entry({ id, isFresh, repeats }: { id: string; isFresh: boolean; repeats: Repeats | undefined }) {
  const { items, hubs } = useWorkspace();
  const scope = useRowScope();
  const { isCurrent, hasTools, showsTools, handlers } = useRowTools(scope, id);
  const item = items.get(id).value;
  if (!item) return null;
  const hubName = hubs.names.value.get(item.hubId) ?? 'a Hub';
  const to = itemUrl(item);
  const oldest = repeats?.oldest ?? id;
  return (
    <article
      class={['entry', isFresh && 'is-fresh', isCurrent && 'is-current'].filter(Boolean).join(' ')}
      data-item={id}
      data-row={id}
      data-oldest={oldest}
      tabIndex={-1}
      aria-label={`${rowLabel(item, isFresh)} in ${hubName}`}
      {...handlers}
      onClick={(event) => {
        if (scope && isSelectingTap(event)) scope.chosen.value = isCurrent ? null : id;
      }}
    >
      <a class="time" href={to} title={fullTime(item.createdAt)}>
        <time dateTime={item.createdAt}>{clockTime(item.createdAt)}</time>
        {isFresh && <span class="sr">, new</span>}
      </a>
      <AuthorAvatar item={item} size="m" />
      <div class="main-text">
        <EntryHead item={item} oldest={oldest} />
        <EntryBody item={item} />
        {repeats && <RepeatsToggle id={id} repeats={repeats} />}
      </div>
      <a class="hub" href={to}>
        <span class="ring" />
        <span class="sr">In </span>
        <span class="cut">{hubName}</span>
      </a>
      {scope && item.kind === 'message' && item.deletedAt === null && hasTools && (
        <MessageTools message={item} scope={scope} isHead={false} isVisible={showsTools} />
      )}
    </article>
  );
}

/** Notes and to-dos are often edited by their authors, so only edits by others are shown. */
const isEditShown = (item: Item) => (item.kind === 'message' ? item.deletedAt === null : item.editedBy !== null);

function EntryHead({ item, oldest }: { item: Item; oldest: string }) {
  const did = verb(item);
  return (
    <p class="top">
      {item.key ? (
        <>
          <a class="via-key" href={`${withPanel(oldest)}&show=origin`}>
            {item.key.name}
          </a>
          <span class="bot-tag">bot</span>
        </>
      ) : (
        <span class="msg-name">{item.author.name}</span>
      )}
      {did !== null && <span class="via action">{did}</span>}
      {item.editedAt !== null && isEditShown(item) && <Edited at={item.editedAt} by={item.editedBy} />}
    </p>
  );
}

/** Feeds are for skimming: longer posts can be read in full in their Hub. */
const COLLAPSED_LINES = 12;

function EntryBody({ item }: { item: Item }) {
  return (
    <>
      {item.kind === 'todo' && <TodoCard item={item} />}
      {item.kind === 'note' && <NoteCard item={item} />}
      {item.kind === 'message' && <MessageBody item={item} />}
      {item.replyCount > 0 && <ThreadLink item={item} />}
    </>
  );
}

function MessageBody({ item }: { item: Message }) {
  const scope = useRowScope();
  if (item.deletedAt !== null) return <p class="msg-blank">This message was deleted.</p>;
  return (
    <>
      {item.parentId !== null && <ReplyContext parentId={item.parentId} />}
      <PostBody item={item} collapseLines={COLLAPSED_LINES} />
      {scope && <ReactionChips message={item} onAdd={(opener) => openEmojiPicker(scope, item, opener)} />}
      <MessageEnd message={item} />
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

/** The item that a reply belongs to, as a link to its thread. */
function ReplyContext({ parentId }: { parentId: string }) {
  const result = useItem(parentId);
  const parent = result.status === 'ready' ? result.item : null;
  return (
    <a class="reply-to" href={withPanel(parentId)}>
      <CornerDownRight size="xs" />
      <span class="sr">In reply to </span>
      {parent ? (
        <span class="t cut">
          <b>{parent.key?.name ?? parent.author.name}</b>{' '}
          {parent.deletedAt === null ? textOfItem(parent) : 'a deleted message'}
        </span>
      ) : (
        <span class="t cut">a thread</span>
      )}
    </a>
  );
}

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

/** Returns what the author did; null for a message, which needs no explanation. */
function verb(item: Item): string | null {
  if (item.kind === 'note') return 'wrote a note';
  if (item.kind === 'todo') return 'added a to-do';
  return item.parentId === null ? null : 'replied';
}
