import { describe, expect, test } from 'bun:test';
import { isPending } from '@hub/testkit/concurrency';
import { POST_KINDS, POSTS } from '@hub/testkit/http';
import { createdOf, publicCaller, storedItem } from '@hub/testkit/in-process/public-caller';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { holdNext } from '../../test/store/writes.ts';

test('a 201 is returned only after the store confirms that the post is on disk', async () => {
  await using hub = await startTestHub();
  const caller = await publicCaller(hub);
  const { reached, goOn } = holdNext(hub.store.posts, 'write');
  const response = caller.post('messages', { text: 'x' });
  await reached;
  // Meanwhile, another request completes, so a response that does not wait for the disk would have arrived.
  await caller.post('messages', {});
  expect(await isPending(response)).toBe(true);
  goOn();
  expect((await response).status).toBe(201);
});

describe('a post from a program', () => {
  const hub = shared(startTestHub);

  for (const kind of POST_KINDS) {
    const container = kind === 'messages' ? 'conversationId' : 'bucketId';
    test(`${kind}: each request creates a new item; its 201 has exactly success, id, ${container} and createdAt`, async () => {
      const caller = await publicCaller(hub);
      const response = await caller.post(kind, POSTS[kind]('Hello'));
      expect(response.status).toBe(201);
      expect(response.headers.get('content-type')).toStartWith('application/json');
      const body = await createdOf(response);
      const [id, createdAt] = [expect.any(String), new Date(hub.clock.now()).toISOString()];
      expect(body).toEqual({ success: true, data: { id, [container]: expect.any(String), createdAt } });
      expect((await storedItem(hub, body.data.id)).hubId).toBe(caller.hubId);
      // Even for identical bytes.
      const again = await Promise.all([1, 2].map(async () => createdOf(await caller.post(kind, POSTS[kind]('Hello')))));
      expect(new Set([body, ...again].map(({ data }) => data.id)).size).toBe(3);
    });
  }

  test('is on disk when the 201 is sent, with its key, address and request id', async () => {
    const caller = await publicCaller(hub);
    const sent = { title: '  Renew the certificate ', content: '*soon*', priority: 'URGENT' };
    const response = await caller.post('todos', { ...sent, dueDate: '2026-03-01T10:30:00.5+01:00' });
    const { id } = (await createdOf(response)).data;
    const { hubId, keyId } = caller;
    const requestId = response.headers.get('x-request-id') as string;
    expect(await storedItem(hub, id)).toEqual({
      ...{ id, hubId, keyId, requestId, address: '192.0.2.1', createdAt: hub.clock.now() },
      ...{ kind: 'todo', title: sent.title, body: sent.content, blocks: null, priority: 'URGENT' },
      ...{ dueAt: Date.parse('2026-03-01T09:30:00.500Z'), status: 'open' },
    });
  });

  // The rules for blocks have their own tests in the contract. These show that the API applies them.
  test('stores text and blocks unchanged, also those of an unknown type', async () => {
    const caller = await publicCaller(hub);
    const blocks = [
      { id: 'oUq2g_tl8y', type: 'header', data: { text: 'Hub <b>2.4</b>', level: 2 }, tunes: { a: { to: 'left' } } },
      { type: 'paragraph', data: { text: 'It is <mark>here</mark> &amp; now<br>', odd: 1 }, tunes: {} },
      { type: 'list', data: { style: 'unordered', meta: {}, items: [{ content: 'One', meta: {}, items: [] }] } },
      { type: 'poll', data: { question: 'Tea?', options: ['yes', 'no'] } },
    ];
    const item = await caller.stored('messages', { text: 'Plainword', blocks });
    expect([item.body, JSON.parse(item.blocks ?? '')]).toEqual(['Plainword', blocks]);
    expect(JSON.parse((await caller.stored('messages', { blocks })).blocks ?? '')).toEqual(blocks);
  });

  test('gets 400 with the location in its blocks, even next to valid text', async () => {
    const caller = await publicCaller(hub);
    const poll = { type: 'poll', data: {} };
    for (const [blocks, message] of [
      [[poll, { type: 'header', data: { level: 7 } }], 'blocks[1].data.text is missing'],
      [[{ type: 'image', data: { url: 'javascript:alert(1)' } }], 'blocks[0].data.url must be an https URL'],
      [['x'], 'blocks[0] must be an object'],
      ['x', 'blocks must be an array'],
    ]) {
      expect(await caller.error('messages', { blocks })).toStartWith(String(message));
      expect(await caller.error('messages', { text: 'x', blocks })).toStartWith(String(message));
    }
  });

  // The formats have their own tests in the platform.
  test('stores a dueDate as an instant; anything but a date and a time with an offset gets 400 with the format', async () => {
    const caller = await publicCaller(hub);
    for (const [sent, kept] of [
      ['2026-03-01T10:30+01:00', '2026-03-01T09:30:00.000Z'],
      ['2026-03-01T23:59:59.999999999-12:00', '2026-03-02T11:59:59.999Z'],
      ['2016-12-31t23:59:60z', '2017-01-01T00:00:00.000Z'],
    ]) {
      const { dueAt } = await caller.stored('todos', { title: 'x', dueDate: sent });
      expect([sent, new Date(dueAt ?? Number.NaN).toISOString()]).toEqual([sent, kept]);
    }
    const rejected = ['2026-03-01', '2026-03-01T09:30:00', '2026-02-31T09:30:00Z', 'tomorrow', 1_772_357_400_000, true];
    const long = `2026-03-01T09:30:00.${'0'.repeat(900_000)}`;
    for (const dueDate of [...rejected, ['2026-03-01T09:30:00Z'], { date: '2026-03-01' }, '\ud800', long]) {
      expect(await caller.error('todos', { title: 'x', dueDate })).toBe(
        'dueDate must be a valid date and time with Z or an offset, such as 2026-03-01T09:30:00Z or 2026-03-01T10:30+01:00',
      );
    }
  });
});
