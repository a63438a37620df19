import { describe, expect, test } from 'bun:test';
import type { HubCounts, Todo } from '@hub/contract';
import { startTeam } from '@hub/testkit/in-process/team';
import { post } from '@hub/testkit/in-process/test-hub';
import { adminJson, signedIn } from '@hub/testkit/in-process/users';

async function setUp() {
  const team = await startTeam();
  const ask = async (caller = team.ada) => (await caller.json<HubCounts>('GET', `/hubs/${team.hubId}/counts`)).body;
  return { ...team, ask, [Symbol.asyncDispose]: () => team[Symbol.asyncDispose]() };
}

describe('the counts of a Hub', () => {
  test('include members, keys, notes and open to-dos', async () => {
    await using t = await setUp();
    expect(await t.ask()).toEqual({ hubId: t.hubId, members: 2, keys: 1, notes: 0, openTodos: 0 });
    await t.note(t.ada, { content: 'x' });
    const [first] = [await t.todo(t.ada, { title: 'x' }), await t.post<Todo>('todos', { title: 'y' })];
    expect(await t.ask()).toMatchObject({ notes: 1, openTodos: 2 });
    await t.ada.json('PATCH', `/todos/${first.id}`, { status: 'done' });
    expect(await t.ask(t.bob)).toMatchObject({ notes: 1, openTodos: 1 });
  });

  test('leave out deleted items and keys that can no longer post', async () => {
    await using t = await setUp();
    const note = await t.note(t.ada, { content: 'x' });
    const todo = await t.todo(t.ada, { title: 'x' });
    await t.ada.json('DELETE', `/notes/${note.id}`);
    await t.ada.json('DELETE', `/todos/${todo.id}`);
    await t.hub.admin.raw('POST', `/keys/${t.keyId}/revocation`);
    expect(await t.ask()).toMatchObject({ keys: 0, notes: 0, openTodos: 0 });
  });

  test('include a blocked key, since the block ends by itself', async () => {
    await using t = await setUp();
    for (let n = 0; n < 61; n += 1) await post(t.hub, 'messages', t.key, { text: 'x' });
    expect(await t.ask()).toMatchObject({ keys: 1 });
  });

  test('hide the number of keys from members if only admins manage keys', async () => {
    await using t = await setUp();
    await adminJson(t.hub, 'PATCH', '/workspace', { membersManageKeys: false });
    expect(await t.ask()).toMatchObject({ members: 2, keys: null });
    expect((await adminJson(t.hub, 'GET', `/hubs/${t.hubId}/counts`)).body).toMatchObject({ keys: 1 });
  });

  test('return 401 without a session, 404 to other users, and 403 to admins who are not members', async () => {
    await using t = await setUp();
    const path = `/hubs/${t.hubId}/counts`;
    expect((await t.hub.fetch(`/api/v1${path}`)).status).toBe(401);
    expect((await (await signedIn(t.hub)).json('GET', path)).status).toBe(404);
    expect((await (await signedIn(t.hub, { role: 'admin' })).json('GET', path)).status).toBe(403);
    expect((await t.ada.json('GET', '/hubs/hub_unknown/counts')).status).toBe(404);
  });
});
