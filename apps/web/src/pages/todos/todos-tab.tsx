import type { Hub } from '@hub/contract';
import { useMemo } from 'preact/hooks';
import { bySeq } from '../../data/items/order.ts';
import { request } from '../../data/request.ts';
import type { TodoSource } from './todo-lists.ts';
import { TodosView } from './todos-view.tsx';

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

/** The to-dos of a Hub. */
export function TodosTab({ hub }: { hub: Hub }) {
  const source = useMemo(() => todosOf(hub.id), [hub.id]);
  return (
    <TodosView
      label={`To-dos in ${hub.name}`}
      source={source}
      hubId={hub.id}
      empty={<p>No open to-dos. Add one above, or convert a message.</p>}
    />
  );
}
