import type { Todo } from '@hub/contract';
import { useEffect, useMemo } from 'preact/hooks';
import { ItemList } from '../items/item-list.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import { myTodos } from './my-todos.ts';

/** How many open to-dos one has in all Hubs, up to a hundred; `null` as long as it is not known. */
export function useMyOpenTodoCount(): number | null {
  const { items, me } = useWorkspace();
  const myId = me.value.id;
  const list = useMemo(() => {
    const { holds, order, load } = myTodos(myId);
    const isMine = (todo: Todo) => todo.status === 'open' && holds(todo);
    return new ItemList(items, {
      holds: (item) => item.kind === 'todo' && isMine(item),
      order,
      load: (before) => load('open', before),
    });
  }, [items, myId]);
  useEffect(() => () => list.dispose(), [list]);
  return list.state.value.status === 'ready' ? list.items.value.length : null;
}
