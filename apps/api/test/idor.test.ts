import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Item, Message, StreamPage } from '@hub/contract';
import { pngOf } from '@hub/testkit/in-process/images';
import { startTeam, type Team, teamOn } from '@hub/testkit/in-process/team';
import { signedIn, tokenOf, type UserCaller } from '@hub/testkit/in-process/users';

/** No route gives members of one Hub access to another Hub: foreign ids behave as if they did not exist. */
let world: Awaited<ReturnType<typeof startWithForeignHub>>;
let outsiders: [string, UserCaller][];

beforeAll(async () => {
  world = await startWithForeignHub();
  const { ada, hub } = world.mine;
  outsiders = [
    ['a member of another Hub', ada],
    ['the same with a personal token', await tokenOf(hub, ada.user)],
    ['a user without a Hub', await signedIn(hub)],
  ];
});
afterAll(() => world.mine.hub[Symbol.asyncDispose]());

const UNUSED_ID = '00000000000000000000000000';

const asked = (caller: UserCaller, [method, path, , body]: ForeignRoute, id: string) =>
  caller.json<{ message: string }>(method, path.replace(':id', id), body);

describe('a user who is not a member of a Hub', () => {
  test('gets the same response as for an unknown id from each route of the Hub, and changes nothing', async () => {
    const { theirs, contents, managed } = world;
    const seq = await theirs.seq();
    const check = async (route: ForeignRoute, [who, caller]: [string, UserCaller]): Promise<void> => {
      const [method, path, id] = route;
      const unknown = `${id.split('_')[0]}_${UNUSED_ID}`;
      const [foreign, nothing] = await Promise.all([asked(caller, route, id), asked(caller, route, unknown)]);
      const message = nothing.body.message.replaceAll(unknown, id);
      expect([who, method, path, foreign.status]).toEqual([who, method, path, 404]);
      expect([who, method, path, foreign.body.message]).toEqual([who, method, path, message]);
      expect(JSON.stringify(foreign.body)).not.toContain('secret');
    };
    // In parallel, since sequential round trips are slow on a busy machine.
    await Promise.all(
      [...contents, ...managed].flatMap((route) => outsiders.map((outsider) => check(route, outsider))),
    );
    expect(await theirs.seq()).toBe(seq);
  });

  test('has no other route to it: every route with an id is covered here', () => {
    const shape = (path: string) => path.replace(/\?.*/, '').replace(/\/[^/]*(:|_0|👍)[^/]*/g, '/*');
    const known = new Set([...world.contents, ...world.managed].map(([method, path]) => `${method} ${shape(path)}`));
    const routes = world.mine.hub.app.routes
      .filter(({ path }) => path.startsWith('/api/v1/') && path.includes(':') && !path.startsWith('/api/v1/me/'))
      .filter(({ hooks }) => {
        const access = (hooks.detail as { 'x-access'?: string } | undefined)?.['x-access'];
        return access !== 'admin' && access !== 'owner';
      })
      .map(({ method, path }) => `${method} ${shape(path.slice('/api/v1'.length))}`);
    expect(routes.filter((route) => !known.has(route))).toEqual([]);
    expect(routes.length).toBeGreaterThan(20);
  });

  test('finds none of its content in any list', async () => {
    const { mine, theirs, foreign } = world;
    const lists = [
      '/hubs',
      '/hubs?membership=mine',
      '/keys',
      `/keys?hubId=${mine.hubId}`,
      '/stream',
      '/stream?limit=1',
      '/stream?unread=true',
      `/stream?keyId=${theirs.keyId}`,
      `/stream?before=${foreign.todo.id}`,
      `/stream?after=${foreign.message.id}`,
      '/mentions',
      `/mentions?before=${foreign.todo.id}`,
      '/todos',
      '/todos?assigneeId=me',
      '/todos?assigneeId=none',
      `/todos?assigneeId=${theirs.ada.user.id}`,
      '/search?q=secret',
      `/search?q=secret&keyId=${theirs.keyId}`,
      `/search?q=secret&authorId=${theirs.bob.user.id}`,
      `/search?q=secret&before=${foreign.product.id}`,
      `/search?q=${theirs.hubId.replace('hub_', 'hub')}`,
      `/hubs/${mine.hubId}/messages?authorId=${theirs.bob.user.id}`,
      `/hubs/${mine.hubId}/messages?keyId=${theirs.keyId}`,
      `/hubs/${mine.hubId}/messages?before=${foreign.reply.id}`,
      `/hubs/${mine.hubId}/todos?assigneeId=${theirs.ada.user.id}`,
    ];
    const check = async (list: string): Promise<void> => {
      const { status, body } = await mine.ada.json<StreamPage>('GET', list);
      expect([list, status]).toEqual([list, 200]);
      expect(JSON.stringify(body)).not.toContain('secret');
      expect(JSON.stringify(body)).not.toContain(theirs.hubId);
    };
    await Promise.all(lists.map(check));
  });

  test('cannot assign to-dos to its members, mention them, or add themselves to it', async () => {
    const { mine, theirs } = world;
    const assigneeId = theirs.ada.user.id;
    const own = await mine.todo(mine.ada, { title: 'x' });
    expect((await mine.ada.json('PATCH', `/todos/${own.id}`, { assigneeId })).status).toBe(400);
    expect((await mine.ada.json('POST', `/hubs/${mine.hubId}/todos`, { title: 'x', assigneeId })).status).toBe(400);
    const source = await mine.message(mine.ada, '@Ada Foreign');
    expect(source.mentions).not.toContain(assigneeId);
    const body = { to: 'todo', assigneeId };
    expect((await mine.ada.json('POST', `/messages/${source.id}/conversion`, body)).status).toBe(400);
    const userId = mine.ada.user.id;
    expect((await mine.ada.json('POST', `/hubs/${theirs.hubId}/members`, { userId })).status).toBe(403);
  });
});

describe('a user whose Hub shares a member with a foreign Hub', () => {
  /** Creates to-dos for one user and mentions of that user, some in their own Hub and some in the foreign one. */
  async function startWithShared() {
    const mine = await startTeam();
    const theirs = await teamOn(mine.hub, ['Ada Foreign', 'Bob Foreign']);
    const { bob } = mine;
    await mine.hub.admin.raw('POST', `/hubs/${theirs.hubId}/members`, { userId: bob.user.id });
    const foreign: string[] = [];
    const own: string[] = [];
    for (const [team, ids] of Array.from({ length: 9 }, (_, n) => [
      n % 3 === 1 ? mine : theirs,
      n % 3 === 1 ? own : foreign,
    ]) as [Team, string[]][]) {
      mine.hub.clock.advance(1);
      const { id } = await team.todo(team.ada, { title: 'x', assigneeId: bob.user.id });
      const { id: named } = await team.message(team.ada, `@${bob.user.name}`);
      ids.push(id, named);
    }
    return { mine, theirs, foreign, own };
  }

  /** Reads all pages of a list. Returns the ids in it, and the text of all responses. */
  async function walk(caller: UserCaller, list: string, direction: 'before' | 'after') {
    const ids: string[] = [];
    let bodies = '';
    let cursor = direction === 'after' ? `item_${UNUSED_ID}` : undefined;
    do {
      const from = cursor === undefined ? '' : `&${direction}=${cursor}`;
      const { status, body } = await caller.json<StreamPage>('GET', `${list}${from}`);
      expect([list, status]).toEqual([list, 200]);
      ids.push(...body.items.map(({ id }) => id));
      bodies += JSON.stringify(body);
      cursor = body.next ?? undefined;
    } while (cursor !== undefined);
    return { ids: ids.sort(), bodies };
  }

  test('gets none of its ids in any response, neither as an item nor as the cursor of the next page', async () => {
    const { mine, foreign, own, theirs } = await startWithShared();
    await using _ = mine.hub;
    const { ada, bob, hubId } = mine;
    const todos = own.filter((id) => id.startsWith('todo_'));
    const messages = own.filter((id) => id.startsWith('msg_'));
    await mine.hub.admin.raw('DELETE', `/hubs/${theirs.hubId}/members/${bob.user.id}`);
    const lists: [UserCaller, string, string[]][] = [
      [ada, `/todos?assigneeId=${bob.user.id}`, todos],
      [ada, `/todos?assigneeId=${bob.user.id}&status=open`, todos],
      [ada, `/todos?hubId=${hubId}&assigneeId=${bob.user.id}`, todos],
      [ada, `/hubs/${hubId}/todos?assigneeId=${bob.user.id}`, todos],
      [bob, '/todos?assigneeId=me', todos],
      [bob, '/todos?status=open', todos],
      [bob, `/stream?authorId=${ada.user.id}`, own],
      [bob, '/stream?unread=true', own],
      [bob, `/hubs/${hubId}/messages?authorId=${ada.user.id}`, messages],
    ];
    for (const limit of [1, 2, 50]) {
      for (const [caller, list, expected] of lists) {
        for (const direction of ['before', 'after'] as const) {
          const { ids, bodies } = await walk(caller, `${list}&limit=${limit}`, direction);
          expect([list, ids]).toEqual([list, expected.toSorted()]);
          expect(foreign.filter((id) => bodies.includes(id))).toEqual([]);
        }
      }
      for (const list of ['/mentions?', '/search?q=bob&']) {
        const { ids, bodies } = await walk(bob, `${list}limit=${limit}`, 'before');
        expect([list, ids]).toEqual([list, messages.toSorted()]);
        expect(foreign.filter((id) => bodies.includes(id))).toEqual([]);
      }
    }
  });
});

test('a member of the foreign Hub can read all of it, so the 404s above are meaningful', async () => {
  const { theirs, contents } = world;
  const check = async (route: ForeignRoute): Promise<void> => {
    const { status, body } = await asked(theirs.bob, route, route[2]);
    expect([route[1], status]).toEqual([route[1], 200]);
    expect(JSON.stringify(body)).toContain(route[1].endsWith('/origin') ? theirs.keyId : theirs.hubId);
  };
  await Promise.all(contents.filter(([method]) => method === 'GET').map(check));
});

test('an admin who is not a member of the Hub gets only a 403 that says how to become a member', async () => {
  const admin = await signedIn(world.mine.hub, { role: 'admin' });
  const check = async (route: ForeignRoute): Promise<void> => {
    const response = await asked(admin, route, route[2]);
    expect([route[1], response.status]).toEqual([route[1], 403]);
    expect(response.body.message).toContain('add yourself as a member first');
    expect(JSON.stringify(response.body)).not.toContain('secret');
  };
  await Promise.all(world.contents.map(check));
});

type ForeignRoute = [method: string, path: string, id: string, body: object | undefined];

/** Starts a server with two Hubs; the second has one of everything that members of the first must never see. */
async function startWithForeignHub() {
  const mine = await startTeam();
  const theirs = await teamOn(mine.hub, ['Ada Foreign', 'Bob Foreign']);
  const { ada, bob, hubId, keyId } = theirs;
  const message = await theirs.message(bob, 'their secret @Ada');
  const reply = await theirs.reply(bob, message, 'their secret reply');
  const note = await theirs.note(bob, { title: 'their secret', content: 'their secret' });
  const todo = await theirs.todo(bob, { title: 'their secret', assigneeId: ada.user.id });
  const post = await theirs.post<Message>('messages', { text: 'their secret post' });
  const source = await theirs.message(bob, 'their secret source');
  const { body: product } = await bob.json<Item>('POST', `/messages/${source.id}/conversion`, { to: 'note' });
  const gone = await theirs.note(bob, { content: 'their deleted secret' });
  await bob.json('DELETE', `/notes/${gone.id}`);
  await bob.fetch('/api/v1/me/avatar', {
    method: 'PUT',
    headers: { 'content-type': 'image/png' },
    body: pngOf({ width: 8, height: 8 }),
  });
  await mine.message(mine.ada, 'ours');
  const foreign = { hubId, keyId, message, reply, note, todo, post, source, product, gone };
  return { mine, theirs, foreign, contents: contents(foreign), managed: managed(foreign, bob.user.id) };
}

type ForeignContent = Record<'hubId' | 'keyId', string> & Record<string, { id: string } | string>;

/** Returns each route to the items of a Hub, with a body that is valid for members. */
function contents({ hubId, ...foreign }: ForeignContent): ForeignRoute[] {
  const id = (name: string): string => {
    const item = foreign[name];
    if (typeof item !== 'object') throw new Error(`There is no ${name} in the foreign Hub`);
    return item.id;
  };
  return [
    ['GET', '/items/:id', id('message'), undefined],
    ['GET', '/items/:id', id('reply'), undefined],
    ['GET', '/items/:id', id('note'), undefined],
    ['GET', '/items/:id', id('todo'), undefined],
    ['GET', '/items/:id', id('product'), undefined],
    ['GET', '/items/:id/origin', id('post'), undefined],
    ['POST', '/items/:id/restoration', id('gone'), undefined],
    ['GET', '/hubs/:id/deleted-items', hubId, undefined],
    ['PATCH', '/messages/:id', id('message'), { text: 'x' }],
    ['PATCH', '/messages/:id', id('reply'), { text: 'x' }],
    ['DELETE', '/messages/:id', id('message'), undefined],
    ['GET', '/messages/:id/replies', id('message'), undefined],
    ['POST', '/messages/:id/replies', id('message'), { text: 'x' }],
    ['POST', '/messages/:id/replies', id('reply'), { text: 'x' }],
    ['PUT', '/messages/:id/replies/read', id('message'), { seq: 1 }],
    ['PUT', '/messages/:id/reactions/👍', id('message'), undefined],
    ['DELETE', '/messages/:id/reactions/👍', id('message'), undefined],
    ['POST', '/messages/:id/conversion', id('message'), { to: 'todo' }],
    ['POST', '/messages/:id/conversion', id('reply'), { to: 'note' }],
    ['POST', '/messages/:id/conversion', id('source'), { to: 'note' }],
    ['PATCH', '/notes/:id', id('note'), { content: 'x' }],
    ['DELETE', '/notes/:id', id('note'), undefined],
    ['PATCH', '/todos/:id', id('todo'), { status: 'done' }],
    ['PATCH', '/todos/:id', id('todo'), { title: 'x', baseVersion: 9 }],
    ['DELETE', '/todos/:id', id('todo'), undefined],
    ['GET', '/hubs/:id/messages', hubId, undefined],
    ['GET', '/hubs/:id/notes', hubId, undefined],
    ['GET', '/hubs/:id/todos', hubId, undefined],
    ['POST', '/hubs/:id/messages', hubId, { text: 'x' }],
    ['POST', '/hubs/:id/notes', hubId, { content: 'x' }],
    ['POST', '/hubs/:id/todos', hubId, { title: 'x' }],
    ['PUT', '/hubs/:id/read', hubId, { seq: 1 }],
    ['GET', '/hubs/:id/counts', hubId, undefined],
    ['GET', '/hubs/:id/export', hubId, undefined],
    ['GET', '/stream?hubId=:id', hubId, undefined],
    ['GET', '/todos?hubId=:id', hubId, undefined],
    ['GET', '/search?q=secret&hubId=:id', hubId, undefined],
  ];
}

/** Returns each route to the Hub itself, its members, their avatars and its keys, which admins manage too. */
function managed({ hubId, keyId }: ForeignContent, memberId: string): ForeignRoute[] {
  return [
    ['GET', '/hubs/:id', hubId, undefined],
    ['GET', '/hubs/:id/members', hubId, undefined],
    ['DELETE', `/hubs/:id/members/${memberId}`, hubId, undefined],
    ['GET', '/users/:id/avatar', memberId, undefined],
    ['GET', '/keys/:id', keyId, undefined],
    ['GET', '/keys/:id/usage', keyId, undefined],
    ['GET', '/keys/:id/addresses', keyId, undefined],
    ['POST', '/keys/:id/rotation', keyId, undefined],
    ['POST', '/keys/:id/replacement', keyId, undefined],
    ['POST', '/keys/:id/revocation', keyId, undefined],
  ];
}
