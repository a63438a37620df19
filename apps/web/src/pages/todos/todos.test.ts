import { describe, expect, test } from 'bun:test';
import type { Todo } from '@hub/contract';
import { todo as sample } from '../../../test/sample-items.ts';
import { bySeq } from '../../data/items/item.ts';
import { ItemStore } from '../../data/items/item-store.ts';
import { groupDone, groupOpen, TodoLists } from './todo-lists.ts';

describe('the lists', () => {
  const todo = (seq: number, fields: Partial<Todo> = {}) => sample(seq, { id: `todo_${seq}`, ...fields });

  /** Returns lists over a server with these to-dos, in pages of two. */
  function listsOver(todos: Todo[]) {
    const store = new ItemStore();
    let seq = todos.length;
    /** Responses wait for these. */
    const late: Record<Todo['status'], Promise<void>> = { open: Promise.resolve(), done: Promise.resolve() };
    const lists = new TodoLists(store, {
      holds: ({ hubId }) => hubId === 'hub_1',
      order: bySeq,
      load: async (status, before) => {
        await late[status];
        const found = todos.filter((each) => each.status === status).toSorted((one, other) => other.seq - one.seq);
        const start = before === null ? 0 : Number(before);
        const next = start + 2 < found.length ? String(start + 2) : null;
        return { items: found.slice(start, start + 2), next, asOf: () => seq };
      },
    });
    const change = (data: Todo) => {
      seq += 1;
      store.apply({ type: 'event', hubId: 'hub_1', seq, event: 'todo.changed', data });
    };
    return { store, lists, change, late };
  }

  const ids = (list: { items: { value: readonly { id: string }[] } }) => list.items.value.map(({ id }) => id);
  const until = async (isTrue: () => boolean) => {
    for (let turn = 0; turn < 100 && !isTrue(); turn += 1) await Promise.resolve();
    expect(isTrue()).toBeTrue();
  };

  test('all open to-dos are loaded page by page', async () => {
    const { lists } = listsOver([1, 2, 3, 4, 5].map((seq) => todo(seq)));
    await until(() => lists.isOpenLoaded.value);
    expect(ids(lists.open)).toEqual(['todo_1', 'todo_2', 'todo_3', 'todo_4', 'todo_5']);
  });

  const bothLoaded = async (lists: TodoLists) => {
    void lists.done;
    await until(() => lists.isOpenLoaded.value && lists.isDoneLoaded.value);
  };
  const done = (hour: number) => ({ status: 'done', finishedAt: `2026-11-12T${hour}:00:00.000Z` }) as const;

  test('a checked-off to-do keeps its position until settle() is called, and then joins the completed ones; a reopened one alike', async () => {
    const { lists, change } = listsOver([todo(1), todo(2), todo(3), todo(4, done(10))]);
    await bothLoaded(lists);
    change(todo(2, { ...done(11), version: 2 }));
    change(todo(4, { version: 2 }));
    expect([ids(lists.open), ids(lists.done)]).toEqual([['todo_1', 'todo_2', 'todo_3'], ['todo_4']]);
    lists.settle();
    expect([ids(lists.open), ids(lists.done)]).toEqual([['todo_1', 'todo_3', 'todo_4'], ['todo_2']]);
  });

  test('completed to-dos are in order of completion', async () => {
    const { lists } = listsOver([todo(1, done(12)), todo(2, done(10)), todo(3, done(11))]);
    await bothLoaded(lists);
    expect(ids(lists.done)).toEqual(['todo_2', 'todo_3', 'todo_1']);
  });

  test('a reloaded list shows only the state of the server', async () => {
    const todos = [todo(1), todo(2)];
    const { store, lists, change } = listsOver(todos);
    await until(() => lists.isOpenLoaded.value);
    todos[0] = todo(1, { ...done(11), version: 2 });
    change(todos[0]);
    expect(ids(lists.open)).toEqual(['todo_1', 'todo_2']);
    await store.resetHubs(['hub_1']);
    expect(ids(lists.open)).toEqual(['todo_2']);
  });

  test.each(['open', 'done'] as const)(
    'a to-do that was completed while away is among the completed ones, even if the %s ones reload last',
    async (last) => {
      const todos = [todo(1), todo(2)];
      const { store, lists, late } = listsOver(todos);
      await bothLoaded(lists);
      todos[0] = todo(1, { ...done(11), version: 2 });
      const { promise, resolve } = Promise.withResolvers<void>();
      late[last] = promise;
      const reset = store.resetHubs(['hub_1']);
      const other = last === 'open' ? lists.done : lists.open;
      await until(() => other.state.value.status === 'ready');
      resolve();
      await reset;
      expect([ids(lists.open), ids(lists.done)]).toEqual([['todo_2'], ['todo_1']]);
    },
  );
});

describe('the groups', () => {
  const NOW = new Date(2026, 10, 12, 11, 0).getTime();
  const at = (day: number, hour = 12) => new Date(2026, 10, day, hour).toISOString();

  const todo = (id: string, fields: Partial<Todo> = {}) => sample(1, { id, ...fields });

  const shape = (groups: ReturnType<typeof groupOpen>) =>
    groups.map(({ title, todos }) => `${title}: ${todos.map(({ id }) => id).join(' ')}`);

  test('by due date, puts overdue first and undated last, and sorts equal due dates by priority', () => {
    const todos = [
      todo('a'),
      todo('b', { dueDate: at(30) }),
      todo('c', { dueDate: at(12, 18) }),
      todo('d', { dueDate: at(12, 18), priority: 'HIGH' }),
      todo('e', { dueDate: at(10) }),
      todo('f', { dueDate: at(14) }),
      todo('g', { priority: 'LOW' }),
    ];
    const groups = ['Overdue: e', 'Today: d c', 'Next 7 days: f', 'Later: b', 'No date: g a'];
    expect(shape(groupOpen(todos, 'due', NOW))).toEqual(groups);
  });

  test('by priority, has a group for each priority and sorts by due date within it', () => {
    const low = { priority: 'LOW' } as const;
    const [b, c, d] = [todo('b', low), todo('c', { priority: 'URGENT' }), todo('d', { ...low, dueDate: at(13) })];
    const todos = [todo('a'), b, c, d];
    expect(shape(groupOpen(todos, 'priority', NOW))).toEqual(['Urgent: c', 'Low: d b', 'No priority: a']);
  });

  test('with the newest first, has a single group', () => {
    expect(shape(groupOpen([todo('a'), todo('c'), todo('b')], 'newest', NOW))).toEqual(['Newest first: c b a']);
    expect(groupOpen([], 'newest', NOW)).toEqual([]);
  });

  test('completed to-dos are grouped by day of completion, most recent first', () => {
    const done = (id: string, finishedAt: string) => todo(id, { status: 'done', finishedAt });
    const todos = [done('a', at(1)), done('b', at(12, 9)), done('c', at(12, 10)), done('d', at(11)), done('e', at(8))];
    const groups = ['Done today: c b', 'Done yesterday: d', 'Done in the last seven days: e', 'Done earlier: a'];
    expect(shape(groupDone(todos, NOW))).toEqual(groups);
  });
});
