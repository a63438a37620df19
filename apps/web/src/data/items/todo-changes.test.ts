import { expect, test } from 'bun:test';
import type { ChangeTodoBody, Todo } from '@hub/contract';
import { todo } from '@hub/testkit/web/sample-items';
import { ItemStore } from './item-store.ts';
import { TodoChanges } from './todo-changes.ts';

const OPEN: Todo = todo(1, { id: 'todo_1' });

/** Returns changes with a server whose responses the test controls. */
function changesWithServer() {
  const items = new ItemStore();
  items.applyResponse(OPEN);
  const asked: { body: ChangeTodoBody; response: PromiseWithResolvers<Todo> }[] = [];
  const changes = new TodoChanges(items, (_, body) => {
    const response = Promise.withResolvers<Todo>();
    asked.push({ body, response });
    return response.promise;
  });
  const known = () => items.get('todo_1').value as Todo;
  return { items, changes, asked, known };
}

test('a change is shown immediately and replaced by the response', async () => {
  const { changes, asked, known } = changesWithServer();
  const changed = changes.change('todo_1', { status: 'done' });
  expect(changes.withPending(known()).status).toBe('done');
  expect(known().status).toBe('open');
  await Promise.resolve();
  asked[0]?.response.resolve({ ...OPEN, status: 'done', version: 2 });
  await changed;
  expect(known().status).toBe('done');
});

test('a second change is sent after the response to the first', async () => {
  const { changes, asked, known } = changesWithServer();
  const first = changes.change('todo_1', { status: 'done' });
  const second = changes.change('todo_1', { status: 'open', assignee: { id: 'usr_2', name: 'Bob' } });
  await Promise.resolve();
  expect(asked).toHaveLength(1);
  expect(changes.withPending(known())).toMatchObject({ status: 'open', assignee: { name: 'Bob' } });
  asked[0]?.response.resolve({ ...OPEN, status: 'done', version: 2 });
  await first;
  expect(changes.withPending(known()).status).toBe('open');
  expect(asked[1]?.body).toEqual({ status: 'open', assigneeId: 'usr_2' });
  asked[1]?.response.resolve({ ...OPEN, version: 3 });
  await second;
});

test('a response that arrives after the event for a later change reverts nothing', async () => {
  const { items, changes, asked, known } = changesWithServer();
  const changed = changes.change('todo_1', { priority: 'LOW' });
  await Promise.resolve();
  const data = { ...OPEN, version: 3, priority: 'URGENT' } as const;
  items.apply({ type: 'event', hubId: 'hub_1', seq: 3, event: 'todo.changed', data });
  asked[0]?.response.resolve({ ...OPEN, version: 2, priority: 'LOW' });
  await changed;
  expect(known().priority).toBe('URGENT');
});
