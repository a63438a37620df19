import { expect, test } from 'bun:test';
import type { Todo } from '@hub/contract';
import { shared } from '@hub/testkit/in-process/shared';
import { startTeam } from '@hub/testkit/in-process/team';
import { addMember, memberOf, signedIn } from '@hub/testkit/in-process/users';

const team = shared(startTeam);
const bob = () => ({ id: team.bob.user.id, name: 'Bob Kahn' });

test('a to-do can be completed by any member, which records the user and the time, and reopened', async () => {
  const todo = await team.post<Todo>('todos', { title: 'Renew the certificate' });
  expect(todo).toMatchObject({ status: 'open', finishedAt: null, finishedBy: null });
  team.hub.clock.advance(1_000);
  const done = await team.bob.json<Todo>('PATCH', `/todos/${todo.id}`, { status: 'done' });
  expect(done.body).toMatchObject({
    ...{ status: 'done', finishedAt: '2026-03-01T09:30:01.000Z', finishedBy: bob(), version: 2, editedAt: null },
  });
  const open = await team.ada.json<Todo>('PATCH', `/todos/${todo.id}`, { status: 'open' });
  expect(open.body).toEqual({ ...todo, version: 3 });
});

test('a to-do has an assignee, due date, priority, title and content that can be changed and cleared', async () => {
  const { id } = await team.todo(team.ada, { title: 'T' });
  const change = async (body: object) => (await team.bob.json<Todo>('PATCH', `/todos/${id}`, body)).body;
  const seq = await team.seq();
  const fields = { title: 'U', content: 'C', priority: 'URGENT' };
  const assignee = { id: team.ada.user.id, name: 'Ada Lovelace' };
  const dueDate = '2026-05-01T08:00:00.000Z';
  const changed = await change({ ...fields, dueDate: '2026-05-01T10:00:00+02:00', assigneeId: assignee.id });
  expect(changed).toMatchObject({ ...fields, dueDate, assignee, version: 2, status: 'open' });
  const none = { content: null, dueDate: null, priority: null };
  const cleared = await change({ ...none, assigneeId: null });
  expect(cleared).toMatchObject({ ...none, title: 'U', assignee: null, version: 3 });
  expect(await team.events(seq)).toEqual(['todo.changed', 'todo.changed']);
  // Its history tells who changed what, newest first.
  const history = async () => (await team.ada.request('GET /todos/{todoId}/history', { todoId: id })).items;
  expect((await history()).map(({ field, to }) => `${field}: ${to}`)).toEqual([
    ...['priority: null', 'dueDate: null', 'assignee: null'],
    ...['priority: URGENT', `dueDate: ${dueDate}`, 'assignee: Ada Lovelace'],
  ]);
  expect((await history())[0]).toMatchObject({ by: bob(), at: expect.any(String) });
  await team.hub.admin.raw('PATCH', `/todos/${id}`, { status: 'done' });
  expect((await history())[0]).toMatchObject({ field: 'status', to: 'done', by: null });
});

test('a to-do can only be assigned to active members of its Hub', async () => {
  const { id } = await team.todo(team.ada, { title: 'T' });
  const stranger = await signedIn(team.hub);
  const disabled = await memberOf(team.hub, team.hubId, { name: 'Gone' });
  await team.hub.admin.raw('POST', `/users/${disabled.user.id}/deactivation`);
  const seq = await team.seq();
  const rejected = '400 assigneeId must be the id of an active member of this Hub';
  for (const assigneeId of [stranger.user.id, disabled.user.id, 'usr_0', 'me']) {
    for (const [method, path] of [['PATCH', `/todos/${id}`] as const, ['POST', `/hubs/${team.hubId}/todos`] as const])
      expect(await team.ada.outcome(method, path, { assigneeId, title: 'other' })).toBe(rejected);
  }
  expect(await team.events(seq)).toEqual([]);
  await addMember(team.hub, team.hubId, stranger.user);
  const response = await team.ada.json<Todo>('PATCH', `/todos/${id}`, { assigneeId: stranger.user.id });
  expect(response.body.assignee?.id).toBe(stranger.user.id);
});
