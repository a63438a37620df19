import type { Todo, UserRef } from '@hub/contract';
import { Paperclip } from 'icons';
import { useWorkspace } from '../../data/live/workspace.ts';
import { countText, repliesText } from '../../lib/count-text.ts';
import { dueGroup, dueSentence, dueText } from '../../lib/time/due.ts';
import { now, shortTime } from '../../lib/time/format.ts';
import { Avatar } from '../../ui/avatars/avatar.tsx';
import { useCheck } from '../../ui/items/todo-changes.ts';
import { PriorityBars } from './priority-bars.tsx';

interface TodoRowProps {
  id: string;
  href: string;
  isCurrent: boolean;
  /** Whether this is the one row that the Tab key reaches. */
  isTabStop: boolean;
  /** Whether another member created it since the user last looked. */
  isNew: boolean;
  /** `null` unless rows are being selected. */
  isSelected: boolean | null;
  hubName?: string | undefined;
}

/** A to-do in a list. It reads its own item, so that a change renders only one row again. */
export function TodoRow(row: TodoRowProps) {
  const { items } = useWorkspace();
  const item = items.get(row.id).value;
  return item?.kind === 'todo' ? <Row {...row} todo={item} /> : null;
}

function Row({ id, href, isCurrent, isTabStop, isNew, isSelected, hubName, todo }: TodoRowProps & { todo: Todo }) {
  const isDone = todo.status === 'done';
  const check = useCheck(todo);
  const tabIndex = isTabStop ? 0 : -1;
  return (
    <li
      class={['todo', isDone && 'is-done', isCurrent && 'is-current', isSelected && 'is-selected', isNew && 'is-new']
        .filter(Boolean)
        .join(' ')}
      data-todo={id}
    >
      {isSelected === null ? (
        <input
          class="check"
          type="checkbox"
          checked={isDone}
          {...check}
          tabIndex={tabIndex}
          aria-labelledby={`row-${id}`}
        />
      ) : (
        <button
          class="check is-round"
          type="button"
          role="checkbox"
          aria-checked={isSelected}
          tabIndex={tabIndex}
          aria-label={`Select ${todo.title}`}
        />
      )}
      <PriorityBars priority={todo.priority} />
      <span class="title">
        <a class="cut" id={`row-${id}`} href={href} tabIndex={tabIndex} aria-current={isCurrent ? 'true' : undefined}>
          {isSelected && <span class="sr">Selected: </span>}
          <bdi>{todo.title}</bdi>
        </a>
        {isNew && <span class="count">New</span>}
        {hubName !== undefined && <span class="from is-hub">{hubName}</span>}
        <Origin todo={todo} />
        {todo.replyCount > 0 && <span class="from is-count">{repliesText(todo.replyCount)}</span>}
        {todo.files && <FileCount count={todo.files.length} />}
      </span>
      {isDone ? <DoneWhen todo={todo} /> : <Due todo={todo} />}
      {hubName === undefined && <Assignee user={todo.assignee} />}
    </li>
  );
}

/** The message or the program that a to-do comes from. */
function Origin({ todo: { key, sourceId } }: { todo: Todo }) {
  if (sourceId !== null) return <span class="from">from a message</span>;
  return (
    key && (
      <span class="from">
        <bdi>{key.name}</bdi> <span class="bot-tag">bot</span>
      </span>
    )
  );
}

function FileCount({ count }: { count: number }) {
  return (
    <span class="from is-count" title={countText(count, 'file')}>
      <Paperclip size="xs" />
      <span aria-hidden="true">{count}</span>
      <span class="sr">{countText(count, 'file')}</span>
    </span>
  );
}

function Due({ todo: { dueDate } }: { todo: Todo }) {
  if (dueDate === null) return <span class="due" />;
  const nowMs = now.value;
  const group = dueGroup(dueDate, nowMs);
  const isLate = group === 'overdue';
  return (
    <span class={isLate ? 'due is-late' : group === 'today' ? 'due is-today' : 'due'}>
      <span class="sr">{isLate ? 'Overdue, due ' : 'Due '}</span>
      <time dateTime={dueDate} title={dueSentence(dueDate, nowMs)}>
        {dueText(dueDate, nowMs)}
      </time>
    </span>
  );
}

function DoneWhen({ todo: { finishedAt, finishedBy } }: { todo: Todo }) {
  if (finishedAt === null) return <span class="due">Done</span>;
  const [first = ''] = (finishedBy?.name ?? '').split(' ');
  return (
    <span class="due">
      <span class="sr">Done by </span>
      {first === '' ? '' : <bdi>{first}, </bdi>}
      <time dateTime={finishedAt}>{shortTime(finishedAt, now.value)}</time>
    </span>
  );
}

/** The avatar of the assignee, or a dashed ring if unassigned. */
export function Assignee({ user }: { user: UserRef | null }) {
  if (user === null) return <span class="avatar is-s is-none" role="img" aria-label="Unassigned" title="Unassigned" />;
  return (
    <span class="assignee" role="img" aria-label={user.name} title={user.name}>
      <Avatar id={user.id} name={user.name} kind="user" size="s" />
    </span>
  );
}
