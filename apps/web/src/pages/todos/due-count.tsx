import type { Todo } from '@hub/contract';
import { useComputed } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { dueGroup } from '../../lib/time/due.ts';
import { now } from '../../lib/time/format.ts';
import { unreadText } from '../../ui/page/navigation.tsx';
import { myTodos, TodoLists } from './todo-lists.ts';

/** How many of the user's to-dos are due today or overdue, beside the link to them. */
export function DueCount() {
  const { items, me } = useWorkspace();
  const myId = me.value.id;
  const lists = useMemo(() => new TodoLists(items, myTodos(myId)), [items, myId]);
  useEffect(() => () => lists.dispose(), [lists]);
  const due = useComputed(() => {
    const groups = (lists.open.items.value as readonly Todo[]).map(({ status, dueDate }) =>
      status === 'open' ? dueGroup(dueDate, now.value) : 'none',
    );
    const late = groups.filter((group) => group === 'overdue').length;
    return { late, all: late + groups.filter((group) => group === 'today').length };
  });
  const { late, all } = due.value;
  if (all === 0) return null;
  const title = late === 0 ? 'due today' : late === all ? 'overdue' : `due today or overdue, ${late} overdue`;
  return (
    <span class={late === 0 ? 'due-count' : 'due-count is-late'} title={`${all} ${title}`}>
      {unreadText(all)}
      <span class="sr"> {title}</span>
    </span>
  );
}
