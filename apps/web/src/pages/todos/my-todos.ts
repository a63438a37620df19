import { byCreation } from '../../data/items/order.ts';
import { request } from '../../data/request.ts';
import type { TodoSource } from './todo-lists.ts';

/** Returns the to-dos assigned to a user in all Hubs. */
export function myTodos(myId: string): TodoSource {
  return {
    holds: ({ assignee }) => assignee?.id === myId,
    order: byCreation,
    load: async (status, before) => {
      const query = { assigneeId: 'me', status, before, limit: 100 };
      const { items, next, seqs } = await request('GET /todos', { query });
      return { items, next, asOf: (hubId) => seqs[hubId] ?? 0 };
    },
  };
}
