import { expect, test } from 'bun:test';
import type { Item, StreamPage } from '@hub/contract';
import type { Access } from '@hub/contract/operations/operation';
import { pngOf } from '@hub/testkit/in-process/images';
import { shared } from '@hub/testkit/in-process/shared';
import { startTeam, teamOn } from '@hub/testkit/in-process/team';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { addMember, signedIn, signIn, tokenOf, type UserCaller } from '@hub/testkit/in-process/users';

// No route gives members of one Hub access to another Hub: foreign ids behave as if they did not exist.

/** A detail of a route of the app, as its declaration makes it. */
interface Detail {
  operationId?: string;
  'x-access'?: Access;
  parameters?: { name: string; in: string }[];
}

/** Every route that is not reserved for admins. */
async function memberRoutes() {
  await using hub = await startTestHub();
  return hub.app.routes.flatMap(({ method, path, hooks }) => {
    const { operationId = '', parameters = [], 'x-access': access } = (hooks as { detail?: Detail }).detail ?? {};
    if (access !== 'member' && access !== 'user') return [];
    const ids = parameters.filter((parameter) => parameter.in === 'query' && /Id$/.test(parameter.name));
    return [{ method, path: path.replace('/api/v1', ''), operationId, filters: ids.map(({ name }) => name) }];
  });
}
type Route = Awaited<ReturnType<typeof memberRoutes>>[number];

const [TEXT, CONTENT, TITLE, MODE] = [{ text: 'x' }, { content: 'x' }, { title: 'x' }, { mode: 'muted' }];
/** Valid bodies for the operations that need one, so that only the ids are wrong. */
const BODIES: Readonly<Record<string, object>> = {
  ...{ writeMessage: TEXT, changeMessage: TEXT, replyToItem: TEXT, convertMessage: { to: 'note' } },
  answerQuestion: { choice: 'x' },
  ...{ writeNote: CONTENT, changeNote: CONTENT, writeTodo: TITLE, changeTodo: TITLE },
  ...{ markHubRead: { seq: 0 }, markThreadRead: { seq: 0 }, changeKey: { description: 'x' } },
  ...{ setHubNotifications: MODE, setKeyNotifications: MODE, setThreadNotifications: MODE },
};

const routes = await memberRoutes();
const withIds = routes.filter(({ path }) => path.includes('/:'));
const withFilters = routes.filter(({ method, filters }) => method === 'GET' && filters.length > 0);
const UNUSED_ID = '00000000000000000000000000';

/** Two Hubs; the second has one of everything that members of the first must never see. */
const world = shared(async () => {
  const mine = await startTeam();
  const theirs = await teamOn(mine.hub, ['Ada Foreign', 'Bob Foreign']);
  const { ada, bob } = theirs;
  const other = await signIn(mine.hub, bob.user);
  await tokenOf(mine.hub, bob.user);
  const idOfFirst = async (path: string) =>
    (await other.json<{ items: { id: string }[] }>('GET', path)).body.items[0]?.id ?? '';
  const message = await theirs.message(bob, 'their secret @Ada');
  const reply = await theirs.reply(bob, message, 'their secret reply');
  const note = await theirs.note(bob, { title: 'their secret', content: 'their secret' });
  const todo = await theirs.todo(bob, { title: 'their secret', assigneeId: ada.user.id });
  const post = await theirs.post('messages', { text: 'their secret post' });
  const source = await theirs.message(bob, 'their secret source');
  const { body: product } = await bob.json<Item>('POST', `/messages/${source.id}/conversion`, { to: 'note' });
  const { id: fileId } = await theirs.upload(bob, 'their-secret.png', pngOf({ width: 8, height: 8 }));
  await bob.json('POST', `/items/${message.id}/replies`, { files: [fileId] });
  const gone = await theirs.note(bob, { content: 'their deleted secret' });
  await bob.json('DELETE', `/notes/${gone.id}`);
  await mine.message(mine.ada, 'ours');
  const avatar = { method: 'PUT', headers: { 'content-type': 'image/png' }, body: pngOf({ width: 8, height: 8 }) };
  await other.fetch('/api/v1/me/avatar', avatar);
  const ids: Readonly<Record<string, readonly string[]>> = {
    ...{ hubId: [theirs.hubId], keyId: [theirs.keyId], noteId: [note.id], todoId: [todo.id], emoji: ['👍'] },
    ...{ userId: [bob.user.id], authorId: [bob.user.id], assigneeId: [ada.user.id] },
    messageId: [message, reply, source, post].map(({ id }) => id),
    itemId: [post, message, reply, note, todo, product, gone].map(({ id }) => id),
    fileId: [fileId],
    sessionId: [await idOfFirst('/me/sessions')],
    tokenId: [await idOfFirst('/me/tokens')],
  };
  const outsiders = [mine.ada, await tokenOf(mine.hub, mine.ada.user), await signedIn(mine.hub)];
  const foreign = { message, reply, todo, product };
  return { mine, theirs, foreign, ids, outsiders, [Symbol.asyncDispose]: () => mine[Symbol.asyncDispose]() };
});

/** Returns this path with each of the foreign ids that it can have. */
function filled(path: string): string[] {
  const name = /:(\w+)/.exec(path)?.[1];
  if (name === undefined) return [path];
  const ids = world.ids[name];
  if (ids === undefined) throw new Error(`Define a foreign ${name} in this test`);
  return ids.flatMap((id) => filled(path.replace(`:${name}`, encodeURIComponent(id))));
}

async function ask(caller: UserCaller, { method, operationId }: Route, path: string) {
  const fields = BODIES[operationId];
  const isUpload = operationId === 'uploadHubFile';
  const response = await caller.fetch(`/api/v1${path}${isUpload ? '?name=a' : ''}`, {
    method,
    ...(fields ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) } : {}),
    ...(isUpload && { body: 'x' }),
  });
  return { status: response.status, text: await response.text() };
}

test.each(withIds)(
  'a user who is not a member gets the same 404 as for an unknown id from $method $path',
  async (route) => {
    const seq = await world.theirs.seq();
    const asUnknown = (text: string) => text.replace(/_[0-9A-HJKMNP-TV-Z]{26}/g, `_${UNUSED_ID}`);
    for (const path of filled(route.path)) {
      for (const outsider of world.outsiders) {
        const foreign = await ask(outsider, route, path);
        expect([path, foreign.status]).toEqual([path, 404]);
        const unknown = await ask(outsider, route, asUnknown(path));
        expect(asUnknown(foreign.text)).toBe(asUnknown(unknown.text));
        expect(foreign.text).not.toContain('secret');
      }
    }
    expect(await world.theirs.seq()).toBe(seq);
  },
);

test.each(withFilters)(
  'a user who is not a member finds nothing with a filter of $method $path',
  async ({ path, filters }) => {
    for (const name of filters) {
      for (const outsider of world.outsiders) {
        const url = `${filled(path)[0]}?${name}=${world.ids[name]?.[0]}${path === '/search' ? '&q=secret' : ''}`;
        const { status, body } = await outsider.json<{ items?: { hubId?: string }[] }>('GET', url);
        const foreign = body.items?.filter(({ hubId }) => hubId !== world.mine.hubId);
        expect([url, status === 404 || (status === 200 && foreign?.length === 0)]).toEqual([url, true]);
        expect(JSON.stringify(body)).not.toContain('secret');
      }
    }
  },
);

test('a user who is not a member finds none of its content in any list, whatever the filter or cursor', async () => {
  const { mine, theirs, foreign } = world;
  const ofMine = `/hubs/${mine.hubId}/messages`;
  for (const list of [
    ...['/hubs', '/hubs?membership=mine', '/keys', '/stream', '/stream?limit=1', '/stream?unread=true', '/mentions'],
    ...['/todos', '/todos?assigneeId=me', '/todos?assigneeId=none', '/search?q=secret'],
    ...[`/stream?before=${foreign.todo.id}`, `/stream?after=${foreign.message.id}`],
    ...[`/mentions?before=${foreign.todo.id}`, `/search?q=secret&before=${foreign.product.id}`],
    ...[`/search?q=${theirs.hubId.replace('hub_', 'hub')}`, `${ofMine}?before=${foreign.reply.id}`],
    ...[`${ofMine}?authorId=${theirs.bob.user.id}`, `${ofMine}?keyId=${theirs.keyId}`],
  ]) {
    const { status, body } = await mine.ada.json<StreamPage>('GET', list);
    expect([list, status]).toEqual([list, 200]);
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(JSON.stringify(body)).not.toContain(theirs.hubId);
  }
});

const OF_CONTENT =
  /^\/(items|messages|notes|todos)\/|\/(messages|notes|todos|export|read|counts|deleted-items|pins|favorite)$/;

test('an admin who is not a member gets only a 403 that says how to become one', async () => {
  const admin = await signedIn(world.mine.hub, { role: 'admin' });
  const ofContent = withIds.filter(({ path }) => OF_CONTENT.test(path));
  expect(ofContent.length).toBeGreaterThan(15);
  for (const route of ofContent) {
    for (const path of filled(route.path)) {
      const { status, text } = await ask(admin, route, path);
      expect([route.method, path, status]).toEqual([route.method, path, 403]);
      expect(text).toContain('add yourself as a member first');
      expect(text).not.toContain('secret');
    }
  }
});

test('a user whose Hub shares a member with a foreign Hub gets none of its ids, neither as an item nor as a cursor', async () => {
  await using mine = await startTeam();
  const theirs = await teamOn(mine.hub, ['Ada Foreign', 'Bob Foreign']);
  const { ada, bob, hub, hubId } = mine;
  await addMember(hub, theirs.hubId, bob.user);
  const [foreign, own]: [string[], string[]] = [[], []];
  for (let n = 0; n < 9; n += 1) {
    const [team, ids] = n % 3 === 1 ? [mine, own] : [theirs, foreign];
    hub.clock.advance(1);
    const { id } = await team.todo(team.ada, { title: 'x', assigneeId: bob.user.id });
    ids.push(id, (await team.message(team.ada, `@${bob.user.name}`)).id);
  }
  await hub.admin.raw('DELETE', `/hubs/${theirs.hubId}/members/${bob.user.id}`);
  const todos = own.filter((id) => id.startsWith('todo_'));
  const messages = own.filter((id) => id.startsWith('msg_'));
  /** Returns the ids on all pages of a list. No response has a foreign id. */
  const walk = async (caller: UserCaller, list: string, direction: 'before' | 'after'): Promise<string[]> => {
    const ids: string[] = [];
    let cursor: string | null = direction === 'after' ? `item_${UNUSED_ID}` : null;
    do {
      const path: string = cursor === null ? list : `${list}&${direction}=${cursor}`;
      const { status, body } = await caller.json<StreamPage>('GET', path);
      expect([list, status]).toEqual([list, 200]);
      expect(foreign.filter((id) => JSON.stringify(body).includes(id))).toEqual([]);
      ids.push(...body.items.map(({ id }) => id));
      cursor = body.next;
    } while (cursor !== null);
    return ids.sort();
  };
  const lists: [UserCaller, string, string[], onlyBack?: boolean][] = [
    [ada, `/todos?assigneeId=${bob.user.id}&status=open`, todos],
    [ada, `/todos?hubId=${hubId}&assigneeId=${bob.user.id}`, todos],
    [ada, `/hubs/${hubId}/todos?assigneeId=${bob.user.id}`, todos],
    [bob, '/todos?assigneeId=me', todos],
    [bob, '/todos?status=open', todos],
    [bob, `/stream?authorId=${ada.user.id}`, own],
    [bob, '/stream?unread=true', own],
    [bob, `/hubs/${hubId}/messages?authorId=${ada.user.id}`, messages],
    [bob, '/mentions?', messages, true],
    [bob, '/search?q=bob', messages, true],
  ];
  for (const limit of [1, 50]) {
    for (const [caller, list, expected, onlyBack = false] of lists) {
      for (const direction of onlyBack ? (['before'] as const) : (['before', 'after'] as const)) {
        const path = `${list}&limit=${limit}`.replace('?&', '?');
        expect([list, await walk(caller, path, direction)]).toEqual([list, expected.toSorted()]);
      }
    }
  }
});

test('a member of the foreign Hub has access to each of the routes, so the 404s above are meaningful', async () => {
  const order = ['GET', 'PUT', 'PATCH', 'POST', 'DELETE'];
  const endsAll = (path: string) => /members\/|sessions\//.test(path);
  // Routes that delete something come last: parts before the whole, then those that end the membership and the session.
  const rank = ({ method, path }: Route) =>
    1_000 * (order.indexOf(method) + (endsAll(path) ? order.length : 0)) - path.length;
  const inOrder = [...withIds].sort((one, other) => rank(one) - rank(other));
  for (const route of inOrder) {
    const [path = ''] = filled(route.path);
    const { status, text } = await ask(world.theirs.bob, route, path);
    expect(`${route.method} ${path}: ${status} ${status === 400 ? text : ''}`).toMatch(/: (2\d\d|409) $/);
  }
  expect(inOrder.length).toBeGreaterThan(25);
});
