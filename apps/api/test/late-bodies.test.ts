import { beforeEach, describe, expect, test } from 'bun:test';
import type { PostKind } from '@hub/testkit/http';
import { openConnection, rawHead } from '@hub/testkit/http';
import { publicCaller, SMALLEST_BODY } from '@hub/testkit/in-process/public-caller';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';

/** A request whose body arrives late is checked again when it has arrived. */
const hub = shared(startTestHub);
const DAY_MS = 24 * 60 * 60_000;
type Caller = Awaited<ReturnType<typeof publicCaller>>;

let caller: Caller;
beforeEach(async () => {
  caller = await publicCaller(hub);
});

describe('a post whose body arrives late is checked again', () => {
  /** Sends half of a body. Once the gate has let the request through, resolves with a function that sends the rest. */
  async function heldPost(sender: Caller, kind: PostKind = 'messages') {
    const body = JSON.stringify(SMALLEST_BODY[kind]);
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

  test.each([
    ['revoked', (sender: Caller) => hub.admin.revokeKey(sender.keyId)],
    ['replaced', (sender: Caller) => hub.admin.replaceKey(sender.keyId)],
  ])('401 if its key was %s in the meantime, and nothing is created', async (_, end) => {
    const held = [await heldPost(caller), await heldPost(caller, 'notes'), await heldPost(caller, 'todos')];
    const other = await heldPost(await publicCaller(hub));
    await end(caller);
    const [unaffected, ...responses] = await Promise.all([other, ...held].map((finish) => finish()));
    expect(unaffected?.status).toBe(201);
    for (const response of responses) {
      expect([response.status, response.header('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(Object.keys(JSON.parse(response.body)).sort()).toEqual(['message', 'path', 'statusCode', 'timestamp']);
      expect(JSON.parse(response.body).message).toStartWith('This API key is not valid');
    }
    expect(await hub.admin.showKey(caller.keyId)).toMatchObject({ requestCount: 3, postCount: 0 });
  });

  test('401 if its key expired, or the overlap of 24 hours ended in the meantime', async () => {
    const expiring = await publicCaller(hub, { lifetimeSeconds: 1 });
    const finish = await heldPost(expiring);
    hub.clock.setWall(hub.clock.now() + 1_000);
    expect((await finish()).status).toBe(401);
    await hub.admin.rotateKey(caller.keyId);
    const [early, late] = [await heldPost(caller), await heldPost(caller)];
    hub.clock.setWall(hub.clock.now() + DAY_MS - 1);
    expect((await early()).status).toBe(201);
    hub.clock.setWall(hub.clock.now() + 1);
    expect((await late()).status).toBe(401);
    expect((await hub.admin.showKey(caller.keyId)).postCount).toBe(1);
  });

  test('404 if its Hub was deleted in the meantime, and 401 if its key was revoked, too', async () => {
    const [first, second] = [await heldPost(caller), await heldPost(caller)];
    await hub.admin.deleteHub(caller.hubId);
    expect((await first()).status).toBe(404);
    await hub.admin.revokeKey(caller.keyId);
    expect((await second()).status).toBe(401);
    expect((await hub.admin.showKey(caller.keyId)).postCount).toBe(0);
  });
});
