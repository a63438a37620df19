import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { endpointProblem, isPublicAddress } from './push-address.ts';
import { generateKeyPair, isPublicKey } from './push-keys.ts';
import { pushTransport } from './push-transport.ts';
import 'web-push';
import { randomBytes } from 'node:crypto';
import type { NotificationSettings } from '@hub/contract';
import { localPush, type PushService, startPushService } from '@hub/testkit/in-process/push-service';
import { type Team, teamOn } from '@hub/testkit/in-process/team';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import type { PushRequest } from '../platform/ports.ts';
import type { PushSubscriptionRecord } from '../storage/notifications.ts';
import { PushQueue } from './push-queue.ts';

const problemOf = (endpoint: string, isLocalAllowed = false) => endpointProblem(endpoint, { isLocalAllowed });

describe('a push endpoint', () => {
  test('must not be an address of this machine or its network, or a reserved one', () => {
    const inner = [
      ...['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'],
      ...['224.0.0.1', '255.255.255.255', '::1', '::', 'fe80::1', 'fd00::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1'],
      ...['2002:7f00:1::', '2001:db8::1', 'ff02::1'],
    ];
    expect(inner.filter(isPublicAddress)).toEqual([]);
    expect(['8.8.8.8', '172.32.0.1', '2a00:1450:4001::1'].filter((each) => !isPublicAddress(each))).toEqual([]);
  });

  test('must be an https URL without user, password or fragment', () => {
    expect(problemOf('https://push.example.net/a/b?c=d')).toBeNull();
    expect(problemOf('https://push.example.net:8443/a')).toBeNull();
    for (const endpoint of [
      'http://push.example.net/',
      'ftp://push.example.net/',
      'push.example.net',
      '',
      'https://user:secret@push.example.net/',
      'https://push.example.net/#part',
      'https://127.0.0.1/',
      'https://2130706433/',
      'https://0x7f.1/',
      'https://[::1]/',
      'https://[::ffff:10.0.0.1]/',
      'https://localhost/',
      'https://hub.localhost/',
      'https://metadata.google.internal/',
    ]) {
      expect([endpoint, problemOf(endpoint)]).toEqual([endpoint, expect.stringMatching(/^endpoint must /)]);
    }
  });

  test('is rejected after the DNS lookup if its name resolves to this machine, before anything is sent', async () => {
    let requests = 0;
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => {
        requests += 1;
        return new Response();
      },
    });
    const transport = pushTransport({ isLocalAllowed: false });
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      const endpoint = `https://${host}:${server.port}/x`;
      const sent = transport.post({ endpoint, headers: {}, body: new Uint8Array(1) });
      await expect(sent).rejects.toThrow('resolves to this machine or its local network');
    }
    expect(requests).toBe(0);
    await server.stop(true);
  });
});

test('isPublicKey rejects keys that are not points on the curve', () => {
  const good = new Uint8Array(
    Buffer.from('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4', 'base64url'),
  );
  const bent = good.slice();
  bent[64] = (bent[64] ?? 0) ^ 1;
  expect([good, bent, good.slice(1), new Uint8Array(65), new Uint8Array()].map(isPublicKey)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});

// The queue loads it with its first notification, which takes longer than the turns of the event loop that tests wait for.

const random = { bytes: (count: number) => new Uint8Array(randomBytes(count)) };

/** Starts a queue on a transport whose responses the test determines. */
function startQueue() {
  const clock = new TestClock();
  const underWay: { endpoint: string; response: (status: number) => void }[] = [];
  const sent: string[] = [];
  let added = 0;
  const queue = new PushQueue({
    clock,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    identity: generateKeyPair(random),
    contactFor: () => 'mailto:nobody@hub.invalid',
    transport: {
      isLocalAllowed: false,
      post: ({ endpoint }: PushRequest) => {
        sent.push(endpoint);
        return new Promise((resolve) => {
          underWay.push({ endpoint, response: (status) => resolve({ status, retryAfter: null, reason: '' }) });
        });
      },
    },
    onGone: async () => {},
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    clock,
    queue,
    sent,
    underWay,
    add: (userId: string, endpoint: string, { tag = `item ${added}`, onSettled = () => {} } = {}) => {
      added += 1;
      queue.add({
        subscription: subscription(userId, endpoint),
        notification: { kind: 'post', title: 'x', body: 'x', to: '/', tag },
        isDue: async () => true,
        onSettled,
      });
    },
    settled,
    response: async (status: number) => {
      underWay.shift()?.response(status);
      await settled();
    },
  };
}

function subscription(userId: string, endpoint: string): PushSubscriptionRecord {
  const p256dh = generateKeyPair(random).publicKey;
  return { sessionId: `ses_${userId}`, userId, endpoint, p256dh, auth: random.bytes(16), origin: '', createdAt: 0 };
}

const counted = (list: readonly string[]) =>
  Object.fromEntries([...Map.groupBy(list, (text) => text)].map(([text, all]) => [text, all.length]));

test('at most 2 requests to one origin are in flight, and at most 8 in total', async () => {
  const { add, sent, settled } = startQueue();
  for (let n = 0; n < 10; n += 1) add(`user ${n}`, 'https://one.example/x');
  await settled();
  expect(counted(sent)).toEqual({ 'https://one.example/x': 2 });
  for (let n = 0; n < 10; n += 1) add(`other ${n}`, `https://${n}.example/x`);
  await settled();
  expect(sent).toHaveLength(8);
});

test('users take turns, however many notifications one of them has waiting', async () => {
  const { add, sent, settled, response } = startQueue();
  for (let n = 0; n < 40; n += 1) add('ada', 'https://one.example/ada');
  for (let n = 0; n < 3; n += 1) add('bob', 'https://one.example/bob');
  for (let n = 0; n < 3; n += 1) add('cy', 'https://one.example/cy');
  await settled();
  for (let n = 0; n < 8; n += 1) await response(201);
  expect(counted(sent)).toEqual({
    'https://one.example/ada': 4,
    'https://one.example/bob': 3,
    'https://one.example/cy': 3,
  });
});

let service: PushService;
let hub: TestHub;
let team: Team;
beforeAll(() => {
  service = startPushService();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  service.received.length = 0;
  hub = await startTestHub({ push: localPush });
  team = await teamOn(hub, ['Ada Lovelace', 'Bob Kahn']);
});
afterEach(() => hub[Symbol.asyncDispose]());

/** Returns the number of subscribed browsers. The metric of a node can be some seconds old. */
async function subscriptions(): Promise<number> {
  const [row] = await hub.query<{ n: number }>('SELECT count(*) AS n FROM push_subscriptions');
  return Number(row?.n);
}

describe('a push subscription', () => {
  test('belongs to a session, replaces the previous one of that session, and passes to the next user of the browser', async () => {
    await service.subscribedAs(team.ada);
    const second = await service.subscribedAs(team.ada);
    expect(await subscriptions()).toBe(1);
    // Bob signs in with the same browser.
    expect(await second.subscribe(team.bob)).toBe(201);
    expect(await subscriptions()).toBe(1);
    expect((await team.ada.json<NotificationSettings>('GET', '/me/notifications')).body.push?.isSubscribed).toBe(false);
    expect((await team.bob.json('DELETE', '/me/push-subscriptions')).status).toBe(200);
    expect((await team.bob.json('DELETE', '/me/push-subscriptions')).status).toBe(404);
  });

  test('returns 400 with the reason for invalid values', async () => {
    const good = service.browser().subscription;
    for (const [wrong, text] of [
      [{ endpoint: 'ftp://push.example.net/' }, 'endpoint must be'],
      [{ p256dh: 'AAAA' }, 'p256dh must be'],
      [{ auth: 'AAAA' }, 'auth must be'],
      [{ auth: 'ä ö' }, 'auth must be'],
    ] as const) {
      const { status, body } = await team.ada.json('POST', '/me/push-subscriptions', { ...good, ...wrong });
      expect([status, body.message]).toEqual([400, expect.stringContaining(text)]);
    }
  });

  test('is not logged, and neither are its keys', async () => {
    const browser = await service.subscribedAs(team.ada);
    await team.ada.json('POST', '/me/notifications/test');
    await service.until(() => service.received.length > 0);
    const logged = JSON.stringify(hub.logged);
    const { privateKey } = (await hub.store.notifications.findIdentity()) ?? { privateKey: new Uint8Array() };
    expect(privateKey).toHaveLength(32);
    for (const secret of [browser.endpoint, browser.subscription.auth, Buffer.from(privateKey).toString('base64url')]) {
      expect(logged).not.toContain(secret);
    }
  });
});
