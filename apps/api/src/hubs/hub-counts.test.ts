import { describe, expect, test } from 'bun:test';
import type { HubCounts, Todo } from '@hub/contract';
import { post } from '../testing/start-test-hub.ts';
import { startTeam } from '../testing/team.ts';
import { adminJson, signedIn } from '../testing/users.ts';

async function setUp() {
  const team = await startTeam();
  const ask = async (caller = team.ada) => (await caller.json<HubCounts>('GET', `/hubs/${team.hubId}/counts`)).body;
  return { ...team, ask, [Symbol.asyncDispose]: () => team[Symbol.asyncDispose]() };
}

describe('what there is in a Hub', () => {
  test('is counted: members, keys, notes and open to-dos', async () => {
    await using t = await setUp();
    expect(await t.ask()).toEqual({ hubId: t.hubId, members: 2, keys: 1, notes: 0, openTodos: 0 });
    await t.note(t.ada, { content: 'x' });
    const [first] = [await t.todo(t.ada, { title: 'x' }), await t.post<Todo>('todos', { title: 'y' })];
    expect(await t.ask()).toMatchObject({ notes: 1, openTodos: 2 });
    await t.ada.json('PATCH', `/todos/${first.id}`, { status: 'done' });
    expect(await t.ask(t.bob)).toMatchObject({ notes: 1, openTodos: 1 });
  });

  test('leaves out what was deleted, and keys that can post no more', async () => {
    await using t = await setUp();
    const note = await t.note(t.ada, { content: 'x' });
    const todo = await t.todo(t.ada, { title: 'x' });
    await t.ada.json('DELETE', `/notes/${note.id}`);
    await t.ada.json('DELETE', `/todos/${todo.id}`);
    await t.hub.admin.raw('POST', `/keys/${t.keyId}/revocation`);
    expect(await t.ask()).toMatchObject({ keys: 0, notes: 0, openTodos: 0 });
  });

  test('counts a key that is blocked: it is let in again by itself', async () => {
    await using t = await setUp();
    for (let n = 0; n < 61; n += 1) await post(t.hub, 'messages', t.key, { text: 'x' });
    expect(await t.ask()).toMatchObject({ keys: 1 });
  });

  test('says nothing of keys to members where admins alone manage them', async () => {
    await using t = await setUp();
    await adminJson(t.hub, 'PATCH', '/workspace', { membersManageKeys: false });
    expect(await t.ask()).toMatchObject({ members: 2, keys: null });
    expect((await adminJson(t.hub, 'GET', `/hubs/${t.hubId}/counts`)).body).toMatchObject({ keys: 1 });
  });

  test('is for its members: 401 without a session, 404 to others, 403 with the way in to admins', async () => {
    await using t = await setUp();
    const path = `/hubs/${t.hubId}/counts`;
    expect((await t.hub.fetch(`/api/v1${path}`)).status).toBe(401);
    expect((await (await signedIn(t.hub)).json('GET', path)).status).toBe(404);
    expect((await (await signedIn(t.hub, { role: 'admin' })).json('GET', path)).status).toBe(403);
    expect((await t.ada.json('GET', '/hubs/hub_unknown/counts')).status).toBe(404);
  });
});
