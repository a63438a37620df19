import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Access } from '@hub/contract/operations/operation';
import { pngOf } from '@hub/testkit/in-process/images';
import { startTeam, type Team, teamOn } from '@hub/testkit/in-process/team';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { signedIn, signIn, tokenOf, type UserCaller } from '@hub/testkit/in-process/users';

/**
 * A route of the app that is not reserved for admins. Every such route is tested with the ids of another Hub and
 * another user. `idor.test.ts` tests the item routes in detail.
 */
interface Route {
  method: string;
  path: string;
  operationId: string;
  filters: string[];
}

interface Detail {
  operationId?: string;
  'x-access'?: Access;
  parameters?: { name: string; in: string }[];
}

async function memberRoutes(): Promise<Route[]> {
  await using hub = await startTestHub();
  return hub.app.routes.flatMap(({ method, path, hooks }) => {
    const { operationId = '', parameters = [], 'x-access': access } = (hooks as { detail?: Detail }).detail ?? {};
    if (access !== 'member' && access !== 'user') return [];
    const filters = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    return [
      { method, path: path.replace('/api/v1', ''), operationId, filters: filters.filter((name) => /Id$/.test(name)) },
    ];
  });
}

/** Valid bodies for the operations that need one, so that only the ids are wrong. */
const BODIES: Readonly<Record<string, object>> = {
  markHubRead: { seq: 0 },
  markThreadRead: { seq: 0 },
  writeMessage: { text: 'x' },
  writeNote: { content: 'x' },
  writeTodo: { title: 'x' },
  replyToMessage: { text: 'x' },
  convertMessage: { to: 'note' },
  changeMessage: { text: 'x' },
  changeNote: { content: 'x' },
  changeTodo: { title: 'x' },
  setHubNotifications: { mode: 'muted' },
  setKeyNotifications: { mode: 'muted' },
};

const routes = await memberRoutes();
const withIds = routes.filter(({ path }) => path.includes('/:'));
const withFilters = routes.filter(({ method, filters }) => method === 'GET' && filters.length > 0);
let mine: Awaited<ReturnType<typeof startTeam>>;
let theirs: Team;
let ids: Readonly<Record<string, string>>;
let outsiders: UserCaller[];

beforeAll(async () => {
  mine = await startTeam();
  theirs = await teamOn(mine.hub, ['Ada Foreign', 'Bob Foreign']);
  const { bob } = theirs;
  const other = await signIn(mine.hub, bob.user);
  await tokenOf(mine.hub, bob.user);
  const idOfFirst = async (path: string) =>
    (await other.json<{ items: { id: string }[] }>('GET', path)).body.items[0]?.id ?? '';
  ids = {
    hubId: theirs.hubId,
    keyId: theirs.keyId,
    userId: bob.user.id,
    messageId: (await theirs.message(bob, 'their secret')).id,
    itemId: (await theirs.post('messages', { text: 'their secret' })).id,
    noteId: (await theirs.note(bob, { content: 'their secret' })).id,
    todoId: (await theirs.todo(bob, { title: 'their secret', assigneeId: bob.user.id })).id,
    emoji: '👍',
    sessionId: await idOfFirst('/me/sessions'),
    tokenId: await idOfFirst('/me/tokens'),
    authorId: bob.user.id,
    assigneeId: bob.user.id,
  };
  await other.fetch('/api/v1/me/avatar', {
    method: 'PUT',
    headers: { 'content-type': 'image/png' },
    body: pngOf({ width: 8, height: 8 }),
  });
  outsiders = [mine.ada, await tokenOf(mine.hub, mine.ada.user), await signedIn(mine.hub)];
});
afterAll(() => mine.hub[Symbol.asyncDispose]());

function idOf(name: string): string {
  const id = ids[name];
  if (id === undefined) throw new Error(`Define a foreign ${name} in this test`);
  return id;
}

const filled = (path: string) => path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(idOf(name)));

async function ask(caller: UserCaller, { method, path, operationId }: Route) {
  const fields = BODIES[operationId];
  const response = await caller.fetch(`/api/v1${filled(path)}`, {
    method,
    ...(fields ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) } : {}),
  });
  // Some responses are not JSON, such as avatars.
  const text = await response.text();
  return { text, outcome: `${response.status}${response.status === 400 ? ` ${text}` : ''}` };
}

describe('a user who is not a member', () => {
  test.each(withIds)('gets 404 from $method $path', async (route) => {
    const seq = await theirs.seq();
    for (const outsider of outsiders) {
      const { outcome, text } = await ask(outsider, route);
      expect(outcome).toBe('404');
      expect(text).not.toContain('secret');
    }
    expect(await theirs.seq()).toBe(seq);
  });

  test.each(withFilters)('finds nothing with a filter of $method $path', async ({ path, filters }) => {
    for (const name of filters) {
      for (const outsider of outsiders) {
        const url = `${filled(path)}?${name}=${idOf(name)}${path === '/search' ? '&q=secret' : ''}`;
        const { status, body } = await outsider.json<{ items?: { hubId?: string }[] }>('GET', url);
        const foreign = body.items?.filter(({ hubId }) => hubId !== mine.hubId);
        expect([url, status === 404 || (status === 200 && foreign?.length === 0)]).toEqual([url, true]);
        expect(JSON.stringify(body)).not.toContain('secret');
      }
    }
  });
});

test('a member of the foreign Hub has access to each of the routes, so the 404s above are meaningful', async () => {
  const order = ['GET', 'PUT', 'PATCH', 'POST', 'DELETE'];
  const endsAll = (path: string) => /members\/|sessions\//.test(path);
  // Routes that delete something come last: parts before the whole, then those that end the membership and the session.
  const rank = ({ method, path }: Route) =>
    1_000 * (order.indexOf(method) + (endsAll(path) ? order.length : 0)) - path.length;
  const inOrder = [...withIds].sort((one, other) => rank(one) - rank(other));
  for (const route of inOrder) {
    const { outcome } = await ask(theirs.bob, route);
    expect(`${route.method} ${route.path}: ${outcome}`).toMatch(/: (2\d\d|409)$/);
  }
  expect(inOrder.length).toBeGreaterThan(25);
});
