import { expect, test } from 'bun:test';
import { openConnection, POSTS, type PostKind, rawHead } from '@hub/testkit/http';
import { publicCaller } from '@hub/testkit/in-process/public-caller';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { failInTransactions } from './store/writes.ts';

/** A request whose body arrives late is checked again when it has arrived. */
const hub = shared(startTestHub);
type Caller = Awaited<ReturnType<typeof publicCaller>>;

/** Sends half of a body. Once the gate has let the request through, resolves with a function that sends the rest. */
async function heldPost(sender: Caller, kind: PostKind = 'messages') {
  const body = JSON.stringify(POSTS[kind]('Hello'));
  const { requestCount: before } = await hub.admin.showKey(sender.keyId);
  const socket = await openConnection(hub.url);
  const fields = [`Authorization: Bearer ${sender.key}`, 'Content-Type: application/json'];
  fields.push(`Content-Length: ${body.length}`);
  await socket.write(rawHead(`POST /api/public/v1/${kind} HTTP/1.1`, 'Host: hub', ...fields) + body.slice(0, 5));
  while ((await hub.admin.showKey(sender.keyId)).requestCount === before);
  return async () => {
    await socket.write(body.slice(5));
    const response = await socket.response();
    socket.close();
    return response;
  };
}

const INVALID = 'This API key is not valid';

/** The revocation stays in memory, although the disk works again when the body has arrived. */
async function revokeOnFullDisk(keyId: string): Promise<void> {
  const restore = failInTransactions(hub.deps.store, 'keys', 'update');
  expect((await hub.admin.raw('POST', `/keys/${keyId}/revocation`)).status).toBe(503);
  restore();
}

/** Changes before the rest of a body arrives, with the status and message of the response. */
const MEANWHILE: [what: string, act: (sender: Caller) => unknown, status: number, message: string][] = [
  ['its key was revoked', ({ keyId }) => hub.admin.revokeKey(keyId), 401, INVALID],
  ['its key was replaced', ({ keyId }) => hub.admin.replaceKey(keyId), 401, INVALID],
  ['its key expired', () => hub.clock.setWall(hub.clock.now() + 1_000), 401, INVALID],
  ['its key was revoked on a full disk', ({ keyId }) => revokeOnFullDisk(keyId), 401, INVALID],
  ['its Hub was deleted', ({ hubId }) => hub.admin.deleteHub(hubId), 404, 'The Hub of this key was deleted'],
  [
    'its Hub was deleted and its key revoked',
    async ({ hubId, keyId }) => [await hub.admin.deleteHub(hubId), await hub.admin.revokeKey(keyId)],
    401,
    INVALID,
  ],
];

test.each(MEANWHILE)('a post is rejected, and nothing created, if %s while its body arrived', async (...row) => {
  const [what, act, status, message] = row;
  const caller = await publicCaller(hub, what.endsWith('expired') ? { lifetimeSeconds: 1 } : {});
  const other = await heldPost(await publicCaller(hub));
  const held = [await heldPost(caller), await heldPost(caller, 'notes'), await heldPost(caller, 'todos')];
  await act(caller);
  expect((await other()).status).toBe(201);
  for (const finish of held) {
    const response = await finish();
    expect([response.status, response.header('www-authenticate')]).toEqual([status, status === 401 ? 'Bearer' : null]);
    const error = JSON.parse(response.body);
    expect(Object.keys(error).sort()).toEqual(['message', 'path', 'statusCode', 'timestamp']);
    expect(error.message).toStartWith(message);
  }
  expect(await hub.admin.showKey(caller.keyId)).toMatchObject({ requestCount: 3, postCount: 0 });
});
