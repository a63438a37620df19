import Calendar from 'icon:calendar';
import CircleCheckBig from 'icon:circle-check-big';
import Square from 'icon:square';
import type { Todo } from '@hub/contract';
import { itemUrl } from '../items/item-url.ts';
import { now } from '../time/now.ts';
import { dueGroup, dueText } from '../todos/due.ts';
import { PriorityBars } from '../todos/priority-bars.tsx';

/** A to-do in a feed. */
export function TodoCard({ item }: { item: Todo }) {
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
  if (status === 'done') return <CircleCheckBig size="s" />;
  return priority === null ? <Square size="s" /> : <PriorityBars priority={priority} />;
}

function Due({ dueDate }: { dueDate: string }) {
  const group = dueGroup(dueDate, now.value);
  const state = group === 'overdue' ? ' is-late' : group === 'today' ? ' is-today' : '';
  return (
    <span class={`due${state}`}>
      <Calendar size="s" />
      <span class="sr">{group === 'overdue' ? 'Overdue since ' : 'Due '}</span>
      {dueText(dueDate, now.value)}
    </span>
  );
}
