import { expect, mock, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { eventLoopTurn } from '@hub/testkit/concurrency';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import type { PushRequest } from '../platform/ports.ts';
import type { PushSubscriptionRecord } from '../storage/notifications.ts';
import { PushQueue } from './push-queue.ts';
import { endpointProblem, generateKeyPair, isPublicAddress, isPublicKey, pushTransport } from './push-transport.ts';

// The queue loads it with its first notification, which takes longer than the turns of the event loop that tests wait for.
import 'web-push';

const problemOf = (endpoint: string) => endpointProblem(endpoint, { isLocalAllowed: false });

test('a push endpoint must not be an address of this machine or its network, or a reserved one', () => {
  const inner = [
    ...['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'],
    ...['224.0.0.1', '255.255.255.255', '::1', '::', 'fe80::1', 'fd00::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1'],
    ...['2002:7f00:1::', '2001:db8::1', 'ff02::1'],
  ];
  expect(inner.filter(isPublicAddress)).toEqual([]);
  expect(['8.8.8.8', '172.32.0.1', '2a00:1450:4001::1'].filter((each) => !isPublicAddress(each))).toEqual([]);
});

test('a push endpoint must be an https URL without user, password or fragment', () => {
  const right = ['https://push.example.net/a/b?c=d', 'https://push.example.net:8443/a'];
  for (const endpoint of right) expect(problemOf(endpoint)).toBeNull();
  const local = '127.0.0.1 2130706433 0x7f.1 [::1] [::ffff:10.0.0.1] localhost hub.localhost metadata.google.internal';
  for (const endpoint of [
    ...['', 'push.example.net', 'http://push.example.net/', 'ftp://push.example.net/'],
    ...['https://user:secret@push.example.net/', 'https://push.example.net/#part'],
    ...local.split(' ').map((host) => `https://${host}/`),
  ]) {
    expect([endpoint, problemOf(endpoint)]).toEqual([endpoint, expect.stringMatching(/^endpoint must /)]);
  }
});

test('a push endpoint is rejected after the DNS lookup if its name resolves to this machine, before anything is sent', async () => {
  const fetch = mock(() => new Response());
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch });
  const transport = pushTransport({ isLocalAllowed: false });
  for (const host of ['localhost', '127.0.0.1', '[::1]']) {
    const endpoint = `https://${host}:${server.port}/x`;
    const sent = transport.post({ endpoint, headers: {}, body: new Uint8Array(1) });
    await expect(sent).rejects.toThrow('resolves to this machine or its local network');
  }
  expect(fetch).not.toHaveBeenCalled();
  await server.stop(true);
});

test('isPublicKey rejects keys that are not points on the curve', () => {
  const key = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';
  const good = new Uint8Array(Buffer.from(key, 'base64url'));
  const bent = good.slice();
  bent[64] = (bent[64] ?? 0) ^ 1;
  expect(isPublicKey(good)).toBe(true);
  for (const bad of [bent, good.slice(1), new Uint8Array(65), new Uint8Array()]) expect(isPublicKey(bad)).toBe(false);
});

const random = { bytes: (count: number) => new Uint8Array(randomBytes(count)) };

/** Starts a queue on a transport whose responses the test determines. */
function startQueue() {
  const pending: (() => void)[] = [];
  const sent: string[] = [];
  let added = 0;
  const queue = new PushQueue({
    clock: new TestClock(),
    log: { debug() {}, info() {}, warn() {}, error() {} },
    identity: generateKeyPair(random),
    contactFor: () => 'mailto:nobody@hub.invalid',
    transport: {
      isLocalAllowed: false,
      post: async ({ endpoint }: PushRequest) => {
        sent.push(endpoint);
        await new Promise<void>((resolve) => pending.push(resolve));
        return { status: 201, retryAfter: null, reason: '' };
      },
    },
    onGone: async () => {},
  });
  const add = (userId: string, endpoint: string) => {
    added += 1;
    const notification = { kind: 'post' as const, title: 'x', body: 'x', to: '/', tag: `item ${added}` };
    const subscribed = subscription(userId, endpoint);
    queue.add({ subscription: subscribed, notification, isDue: async () => true, onSettled: () => {} });
  };
  const respond = async () => {
    pending.shift()?.();
    await eventLoopTurn();
  };
  return { sent, add, respond };
}

function subscription(userId: string, endpoint: string): PushSubscriptionRecord {
  const p256dh = generateKeyPair(random).publicKey;
  return { sessionId: `ses_${userId}`, userId, endpoint, p256dh, auth: random.bytes(16), origin: '', createdAt: 0 };
}

test('at most 2 requests to one origin are in flight, and at most 8 in total', async () => {
  const { add, sent } = startQueue();
  for (let n = 0; n < 10; n += 1) add(`user ${n}`, 'https://one.example/x');
  await eventLoopTurn();
  expect(sent).toEqual(Array(2).fill('https://one.example/x'));
  for (let n = 0; n < 10; n += 1) add(`other ${n}`, `https://${n}.example/x`);
  await eventLoopTurn();
  expect(sent).toHaveLength(8);
});

test('users take turns, however many notifications one of them has waiting', async () => {
  const { add, sent, respond } = startQueue();
  for (const [user, count] of Object.entries({ ada: 40, bob: 3, cy: 3 }))
    for (let n = 0; n < count; n += 1) add(user, `https://one.example/${user}`);
  await eventLoopTurn();
  for (let n = 0; n < 8; n += 1) await respond();
  const users = sent.map((endpoint) => endpoint.split('/').at(-1));
  expect(users.sort().join(' ')).toBe('ada ada ada ada bob bob bob cy cy cy');
});
