import type { Hub } from '@hub/contract';
import { useMemo } from 'preact/hooks';
import { bySeq } from '../../data/items/item.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { request } from '../../data/request.ts';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { PageBar } from '../../ui/page/navigation.tsx';
import { myTodos, type TodoSource } from './todo-lists.ts';
import { TodosView } from './todos-view.tsx';

export function MyTodosPage() {
  const { me } = useWorkspace();
  const myId = me.value.id;
  const source = useMemo(() => myTodos(myId), [myId]);
  return (
    <main class="main" id="main">
      <PageBar title="My to-dos" />
      <TodosView
        label="My to-dos in all Hubs"
        source={source}
        empty={<EmptyState title="No to-dos assigned to you" text="They appear here from all your Hubs." />}
      />
    </main>
  );
}

function todosOf(hubId: string): TodoSource {
  return {
    hubId,
    holds: (todo) => todo.hubId === hubId,
    order: bySeq,
    load: async (status, before) => {
      const query = { status, before, limit: 100 };
      const { items, next, seq } = await request('GET /hubs/{hubId}/todos', { hubId, query });
      return { items, next, asOf: () => seq };
    },
  };
}

export function TodosTab({ hub }: { hub: Hub }) {
  const source = useMemo(() => todosOf(hub.id), [hub.id]);
  return (
    <TodosView
      label={`To-dos in ${hub.name}`}
      source={source}
      hubId={hub.id}
      empty={<EmptyState title="No open to-dos" text="Add one above, or convert a message." />}
    />
  );
}
