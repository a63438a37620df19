import { expect, test } from 'bun:test';
// The queue loads it with its first notification, which takes longer than the turns of the event loop that tests wait for.
import 'web-push';
import { randomBytes } from 'node:crypto';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import type { PushRequest } from '../platform/ports.ts';
import type { PushSubscriptionRecord } from '../storage/notifications.ts';
import { generateKeyPair } from './push-keys.ts';
import { PushQueue } from './push-queue.ts';

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

test('one user takes at most one slot per origin and two in total, so that others have the rest', async () => {
  const { add, sent, settled } = startQueue();
  for (let n = 0; n < 40; n += 1) add('ada', `https://${n % 10}.example/ada`);
  await settled();
  expect(sent).toEqual(['https://0.example/ada', 'https://1.example/ada']);
  add('bob', 'https://0.example/bob');
  await settled();
  expect(sent.at(-1)).toBe('https://0.example/bob');
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

test('retries count toward the limit of 1,000 waiting pushes; the user with the most then loses the oldest', async () => {
  const { clock, add, queue, sent, settled, response } = startQueue();
  add('bob', 'https://two.example/bob');
  await settled();
  await response(503);
  for (let n = 0; n < 1_010; n += 1) add('ada', 'https://one.example/ada');
  await settled();
  // One of Ada's pushes is in flight; Bob's retry is one of the 1,000 waiting.
  expect(queue.sums.dropped).toBe(10);
  expect(queue.waiting).toBe(1_000);
  clock.advance(30_000);
  await settled();
  expect(counted(sent)).toEqual({ 'https://two.example/bob': 2, 'https://one.example/ada': 1 });
});

test('a retry never replaces a newer notification with the same tag, and is settled without being sent', async () => {
  const { clock, add, sent, settled, response } = startQueue();
  const over: string[] = [];
  const post = (name: string) =>
    add('ada', 'https://one.example/ada', { tag: 'hub', onSettled: () => over.push(name) });
  post('failed before the next');
  await settled();
  await response(503);
  post('failed while the next waits');
  post('newest');
  expect(over).toEqual(['failed before the next']);
  await settled();
  await response(503);
  expect(over).toEqual(['failed before the next', 'failed while the next waits']);
  await response(201);
  clock.advance(60_000);
  await settled();
  expect(over.at(-1)).toBe('newest');
  expect(sent).toHaveLength(3);
});
