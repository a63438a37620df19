import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { StreamPage } from '@hub/contract';
import { type ForeignRoute, startWithForeignHub } from '../testing/foreign-hub.ts';
import { type PersonCaller, signedIn, tokenOf } from '../testing/people.ts';

/** No route gives a member of one Hub anything of another: foreign things answer as if they did not exist. */
let world: Awaited<ReturnType<typeof startWithForeignHub>>;
let outsiders: [string, PersonCaller][];

beforeAll(async () => {
  world = await startWithForeignHub();
  const { ada, hub } = world.mine;
  outsiders = [
    ['a member of another Hub', ada],
    ['the same with a personal token', await tokenOf(hub, ada.person)],
    ['somebody without a Hub', await signedIn(hub)],
  ];
});
afterAll(() => world.mine.hub[Symbol.asyncDispose]());

const NOBODYS = '00000000000000000000000000';

const asked = (caller: PersonCaller, [method, path, , body]: ForeignRoute, id: string) =>
  caller.json<{ message: string }>(method, path.replace(':id', id), body);

describe('whoever does not belong to a Hub', () => {
  test('gets from each of its routes what an unknown id gets, and changes nothing', async () => {
    const { theirs, contents, managed } = world;
    const seq = theirs.seq();
    const judge = async (route: ForeignRoute, [who, caller]: [string, PersonCaller]): Promise<void> => {
      const [method, path, id] = route;
      const unknown = `${id.split('_')[0]}_${NOBODYS}`;
      const [foreign, nothing] = await Promise.all([asked(caller, route, id), asked(caller, route, unknown)]);
      const message = nothing.body.message.replaceAll(unknown, id);
      expect([who, method, path, foreign.status]).toEqual([who, method, path, 404]);
      expect([who, method, path, foreign.body.message]).toEqual([who, method, path, message]);
      expect(JSON.stringify(foreign.body)).not.toContain('secret');
    };
    // All at once: on a busy machine each round trip waits for its turn.
    await Promise.all(
      [...contents, ...managed].flatMap((route) => outsiders.map((outsider) => judge(route, outsider))),
    );
    expect(theirs.seq()).toBe(seq);
  });

  test('has no other route to it: each that takes the id of something is among these', () => {
    const shape = (path: string) => path.replace(/\?.*/, '').replace(/\/[^/]*(:|_0|👍)[^/]*/g, '/*');
    const known = new Set([...world.contents, ...world.managed].map(([method, path]) => `${method} ${shape(path)}`));
    const routes = world.mine.hub.app.routes
      .filter(({ path }) => path.startsWith('/api/v1/') && path.includes(':') && !path.startsWith('/api/v1/me/'))
      .filter(({ hooks }) => (hooks.detail as { 'x-access'?: string } | undefined)?.['x-access'] !== 'admin')
      .map(({ method, path }) => `${method} ${shape(path.slice('/api/v1'.length))}`);
    expect(routes.filter((route) => !known.has(route))).toEqual([]);
    expect(routes.length).toBeGreaterThan(20);
  });

  test('finds nothing of it in any list of his own', async () => {
    const { mine, theirs, things } = world;
    const lists = [
      '/hubs',
      '/hubs?membership=mine',
      '/keys',
      `/keys?hubId=${mine.hubId}`,
      '/stream',
      '/stream?limit=1',
      '/stream?unread=true',
      `/stream?keyId=${theirs.keyId}`,
      `/stream?before=${things.todo.id}`,
      `/stream?after=${things.message.id}`,
      '/mentions',
      `/mentions?before=${things.todo.id}`,
      '/todos',
      '/todos?assigneeId=me',
      '/todos?assigneeId=none',
      `/todos?assigneeId=${theirs.ada.person.id}`,
      '/search?q=secret',
      `/search?q=secret&keyId=${theirs.keyId}`,
      `/search?q=secret&authorId=${theirs.bob.person.id}`,
      `/search?q=secret&before=${things.product.id}`,
      `/search?q=${theirs.hubId.replace('hub_', 'hub')}`,
      `/hubs/${mine.hubId}/messages?authorId=${theirs.bob.person.id}`,
      `/hubs/${mine.hubId}/messages?keyId=${theirs.keyId}`,
      `/hubs/${mine.hubId}/messages?before=${things.reply.id}`,
      `/hubs/${mine.hubId}/todos?assigneeId=${theirs.ada.person.id}`,
    ];
    const judge = async (list: string): Promise<void> => {
      const { status, body } = await mine.ada.json<StreamPage>('GET', list);
      expect([list, status]).toEqual([list, 200]);
      expect(JSON.stringify(body)).not.toContain('secret');
      expect(JSON.stringify(body)).not.toContain(theirs.hubId);
    };
    await Promise.all(lists.map(judge));
  });

  test('cannot bring its members into a Hub of his own, nor himself into theirs', async () => {
    const { mine, theirs } = world;
    const assigneeId = theirs.ada.person.id;
    const own = await mine.todo(mine.ada, { title: 'x' });
    expect((await mine.ada.json('PATCH', `/todos/${own.id}`, { assigneeId })).status).toBe(400);
    expect((await mine.ada.json('POST', `/hubs/${mine.hubId}/todos`, { title: 'x', assigneeId })).status).toBe(400);
    const source = await mine.message(mine.ada, '@Ada Foreign');
    expect(source.mentions).not.toContain(assigneeId);
    const body = { to: 'todo', assigneeId };
    expect((await mine.ada.json('POST', `/messages/${source.id}/conversion`, body)).status).toBe(400);
    const personId = mine.ada.person.id;
    expect((await mine.ada.json('POST', `/hubs/${theirs.hubId}/members`, { personId })).status).toBe(403);
  });
});

test('a member gets all of it, so that the refusals above mean something', async () => {
  const { theirs, contents } = world;
  const judge = async (route: ForeignRoute): Promise<void> => {
    const { status, body } = await asked(theirs.bob, route, route[2]);
    expect([route[1], status]).toEqual([route[1], 200]);
    expect(JSON.stringify(body)).toContain(route[1].endsWith('/origin') ? theirs.keyId : theirs.hubId);
  };
  await Promise.all(contents.filter(([method]) => method === 'GET').map(judge));
});

test('an admin who does not belong to the Hub is told how to get in, and nothing else', async () => {
  const admin = await signedIn(world.mine.hub, { role: 'admin' });
  const judge = async (route: ForeignRoute): Promise<void> => {
    const answer = await asked(admin, route, route[2]);
    expect([route[1], answer.status]).toEqual([route[1], 403]);
    expect(answer.body.message).toContain('Add yourself to its members first');
    expect(JSON.stringify(answer.body)).not.toContain('secret');
  };
  await Promise.all(world.contents.map(judge));
});
