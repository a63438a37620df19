import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  createdOf,
  type PostKind,
  publicCaller,
  SMALLEST_BODY,
  storedItem,
} from '@hub/testkit/in-process/public-caller';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';

describe('a post from a program', () => {
  let hub: TestHub;
  beforeAll(async () => {
    hub = await startTestHub();
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  for (const [kind, container] of [
    ['messages', 'conversationId'],
    ['notes', 'bucketId'],
    ['todos', 'bucketId'],
  ] as [PostKind, string][]) {
    test(`${kind}: returns 201 with success and data, which has exactly id, ${container} and createdAt`, async () => {
      const caller = await publicCaller(hub);
      const response = await caller.post(kind, SMALLEST_BODY[kind]);
      expect(response.status).toBe(201);
      expect(response.headers.get('content-type')).toStartWith('application/json');
      const body = await createdOf(response);
      expect(Object.keys(body)).toEqual(['success', 'data']);
      expect(body.success).toBe(true);
      expect(Object.keys(body.data).sort()).toEqual(['id', container, 'createdAt'].sort());
      expect(body.data.createdAt).toBe(new Date(hub.clock.now()).toISOString());
    });

    test(`${kind}: creates a new item for every accepted request, even for identical bytes`, async () => {
      const caller = await publicCaller(hub);
      const responses = await Promise.all([1, 2, 3].map(() => caller.post(kind, SMALLEST_BODY[kind])));
      const ids = await Promise.all(responses.map(async (response) => (await createdOf(response)).data.id));
      expect(new Set(ids).size).toBe(3);
      for (const id of ids) expect((await storedItem(hub, id)).hubId).toBe(caller.hubId);
    });
  }

  test('creates a second item for a repeated request, even with an idempotency key', async () => {
    const caller = await publicCaller(hub);
    const send = () => caller.post('messages', { text: 'Once' }, { headers: { 'idempotency-key': 'one' } });
    const [first, second] = [await createdOf(await send()), await createdOf(await send())];
    expect(first.data.id).not.toBe(second.data.id);
  });

  test('has a createdAt in ISO 8601 UTC with milliseconds, even on a full second', async () => {
    const caller = await publicCaller(hub);
    const { data } = await createdOf(await caller.post('notes', { content: 'x' }));
    expect(data.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('shares its container with other items of the Hub: one conversation and two buckets', async () => {
    const caller = await publicCaller(hub);
    const idsOf = async (kind: PostKind) => {
      const { data } = await createdOf(await caller.post(kind, SMALLEST_BODY[kind]));
      return data.conversationId ?? data.bucketId;
    };
    const [message, note, todo] = [await idsOf('messages'), await idsOf('notes'), await idsOf('todos')];
    expect(await idsOf('messages')).toBe(message);
    expect(await idsOf('notes')).toBe(note);
    expect(await idsOf('todos')).toBe(todo);
    expect(new Set([message, note, todo]).size).toBe(3);
  });

  test('is on disk when the 201 is sent, with its key, address and request id', async () => {
    const caller = await publicCaller(hub);
    const response = await caller.post('todos', {
      title: '  Renew the certificate ',
      content: '*soon*',
      dueDate: '2026-03-01T10:30:00.5+01:00',
      priority: 'URGENT',
    });
    const { data } = await createdOf(response);
    expect(await storedItem(hub, data.id)).toEqual({
      id: data.id,
      hubId: caller.hubId,
      kind: 'todo',
      keyId: caller.keyId,
      address: '192.0.2.1',
      requestId: response.headers.get('x-request-id') as string,
      createdAt: hub.clock.now(),
      title: '  Renew the certificate ',
      body: '*soon*',
      blocks: null,
      dueAt: Date.parse('2026-03-01T09:30:00.500Z'),
      priority: 'URGENT',
      status: 'open',
    });
  });

  test('stores text unchanged, in every script and with every line break', async () => {
    const caller = await publicCaller(hub);
    const text = '# Ünïcödé 👩‍👩‍👧 \u202e rtl\r\n\ttab\n<script>alert(1)</script> \\ " \' -- ; \u0007 \ufeff';
    expect((await caller.stored('messages', { text })).body).toBe(text);
    expect((await caller.stored('notes', { title: text.slice(0, 200), content: text })).title).toBe(text.slice(0, 200));
  });

  test('stores both text and blocks unchanged when both are sent', async () => {
    const caller = await publicCaller(hub);
    const blocks = [{ id: 'a1', type: 'paragraph', data: { text: '<b>Xylophone</b>', odd: 1 }, tunes: {} }];
    const item = await caller.stored('messages', { text: 'Plainword', blocks });
    expect(item.body).toBe('Plainword');
    expect(JSON.parse(item.blocks ?? '')).toEqual(blocks);
  });
});
