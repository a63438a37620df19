import SquareCheckBig from 'icon:square-check-big';
import type { Todo } from '@hub/contract';
import { useItem } from '../items/use-item.ts';
import { withPanel } from '../router/location.ts';
import { now } from '../time/now.ts';
import { dueGroup, dueWords } from './due.ts';
import { useTodoChanges } from './use-todo-changes.ts';

/** What a message became, if it became a to-do: its title and how it stands, live. */
export function TodoBadge({ id }: { id: string }) {
  const found = useItem(id);
  const changes = useTodoChanges();
  if (found.status === 'loading') return null;
  if (found.status !== 'found' || found.item.kind !== 'todo' || found.item.deletedAt !== null) return null;
  const todo = changes.shown(found.item);
  return (
    <a class="became" href={withPanel(id)}>
      <SquareCheckBig />
      <span class="sr">To-do: </span>
      <bdi class="t">{todo.title}</bdi>
      <span class="m">{stateOf(todo, now.value)}</span>
    </a>
  );
}

/** "open · Tomás · due today" */
function stateOf({ status, assignee, finishedBy, dueDate }: Todo, nowMs: number): string {
  if (status === 'done') return ['done', firstName(finishedBy)].filter(Boolean).join(' · ');
  return ['open', firstName(assignee), dueDate === null ? '' : dueState(dueDate, nowMs)].filter(Boolean).join(' · ');
}

function dueState(dueDate: string, nowMs: number): string {
  const words = dueWords(dueDate, nowMs);
  if (dueGroup(dueDate, nowMs) === 'overdue') return 'overdue';
  return `due ${/^To(?:day|morrow)/.test(words) ? words.toLowerCase() : words}`;
}

function firstName(person: { name: string } | null): string {
  return person?.name.split(' ')[0] ?? '';
}
