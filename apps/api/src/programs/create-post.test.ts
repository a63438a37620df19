import { beforeAll, describe, expect, test } from 'bun:test';
import type { PostKind } from '@hub/testkit/http';
import { createdOf, publicCaller, SMALLEST_BODY, storedItem } from '@hub/testkit/in-process/public-caller';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import type { Store } from '../storage/store.ts';

describe('creating a post', () => {
  test('returns 201 only after the store confirms that the post is on disk', async () => {
    let isPosting = false;
    const flushed = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    await using hub = await startTestHub({
      wrapStore: (store) =>
        withPosts(store, async (...post) => {
          const result = await store.posts.write(...post);
          if (!isPosting) return result;
          reached.resolve();
          await flushed.promise;
          return result;
        }),
    });
    const caller = await publicCaller(hub);
    isPosting = true;
    let hasResponse = false;
    const response = caller.post('messages', { text: 'x' }).finally(() => {
      hasResponse = true;
    });
    await reached.promise;
    // Meanwhile, another request completes, so a response that does not wait for the disk would have arrived.
    await caller.post('messages', {});
    expect(hasResponse).toBe(false);
    flushed.resolve();
    expect((await response).status).toBe(201);
  });
});

function withPosts(store: Store, write: Store['posts']['write']): Store {
  return { ...store, posts: { write } };
}

describe('a post from a program', () => {
  const hub = shared(startTestHub);

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

  test('stores both text and blocks unchanged when both are sent', async () => {
    const caller = await publicCaller(hub);
    const blocks = [{ id: 'a1', type: 'paragraph', data: { text: '<b>Xylophone</b>', odd: 1 }, tunes: {} }];
    const item = await caller.stored('messages', { text: 'Plainword', blocks });
    expect(item.body).toBe('Plainword');
    expect(JSON.parse(item.blocks ?? '')).toEqual(blocks);
  });
});

/** The rules for blocks have their own tests in the contract. These tests show that the API applies them. */
describe('Editor.js blocks over HTTP', () => {
  const hub = shared(startTestHub);
  let caller: Awaited<ReturnType<typeof publicCaller>>;
  beforeAll(async () => {
    caller = await publicCaller(hub);
  });
  test('accepts the blocks of save() and stores them unchanged', async () => {
    const blocks = [
      { id: 'oUq2g_tl8y', type: 'header', data: { text: 'Release <b>2.4</b>', level: 2 } },
      {
        id: 'zbGZFPM-iI',
        type: 'paragraph',
        data: { text: 'It is <mark>here</mark> &amp; now<br>' },
        tunes: { align: 'left' },
      },
      { type: 'list', data: { style: 'unordered', meta: {}, items: [{ content: 'One', meta: {}, items: [] }] } },
      { type: 'image', data: { file: { url: 'https://example.org/a.png' }, caption: '', withBorder: false } },
    ];
    const sent = blocks.map((block) => ({
      ...block,
      ...('tunes' in block ? { tunes: { align: { to: 'left' } } } : {}),
    }));
    expect(JSON.parse((await caller.stored('messages', { blocks: sent })).blocks ?? '')).toEqual(sent);
  });

  test('keeps a block of an unknown type', async () => {
    const blocks = [{ type: 'poll', data: { question: 'Tea?', options: ['yes', 'no'] } }];
    expect(JSON.parse((await caller.stored('messages', { blocks })).blocks ?? '')).toEqual(blocks);
  });

  const rejected: [string, unknown, string][] = [
    [
      'bad data of a known type',
      [
        { type: 'delimiter', data: {} },
        { type: 'delimiter', data: {} },
        { type: 'header', data: { text: 'x', level: 7 } },
      ],
      'blocks[2].data.level must be 1 to 6',
    ],
    [
      'an image that is not https',
      [{ type: 'image', data: { file: { url: 'http://example.org/a.png' } } }],
      'blocks[0].data.file.url must be an https URL',
    ],
    [
      'a javascript: image',
      [{ type: 'image', data: { url: 'javascript:alert(1)' } }],
      'blocks[0].data.url must be an https URL',
    ],
    ['an element that is no object', ['x'], 'blocks[0] must be an object'],
    ['an element without a type', [{ data: {} }], 'blocks[0].type is missing'],
    ['an element without data', [{ type: 'poll' }], 'blocks[0].data is missing'],
    [
      'a lone surrogate in a text',
      [{ type: 'paragraph', data: { text: '\ud800' } }],
      'blocks[0].data.text contains a lone surrogate',
    ],
    ['a NUL in unknown data', [{ type: 'poll', data: { a: ['\0'] } }], 'blocks[0].data.a[0] contains a NUL character'],
    ['an object instead of an array', { blocks: [] }, 'blocks must be an array'],
    ['a text instead of an array', 'x', 'blocks must be an array'],
    ['a number instead of an array', 1, 'blocks must be an array'],
  ];
  for (const [name, blocks, message] of rejected) {
    test(`${name} returns 400 with the location, even next to valid text`, async () => {
      expect(await caller.error('messages', { blocks })).toStartWith(message);
      expect(await caller.error('messages', { text: 'x', blocks })).toStartWith(message);
    });
  }
});

describe('dueDate', () => {
  const hub = shared(startTestHub);
  let caller: Awaited<ReturnType<typeof publicCaller>>;
  beforeAll(async () => {
    caller = await publicCaller(hub);
  });
  const accepted: [string, string][] = [
    ['2026-03-01T09:30:00Z', '2026-03-01T09:30:00.000Z'],
    ['2026-03-01T09:30:00.123Z', '2026-03-01T09:30:00.123Z'],
    ['2026-03-01T10:30+01:00', '2026-03-01T09:30:00.000Z'],
    ['2026-03-01t09:30z', '2026-03-01T09:30:00.000Z'],
    ['2026-03-01T23:59:59.999999999-12:00', '2026-03-02T11:59:59.999Z'],
    ['2028-02-29T00:00Z', '2028-02-29T00:00:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['2016-12-31T15:59:60-08:00', '2017-01-01T00:00:00.000Z'],
  ];
  for (const [sent, kept] of accepted) {
    test(`${sent} is stored as the instant ${kept}`, async () => {
      const { dueAt } = await caller.stored('todos', { title: 'x', dueDate: sent });
      expect(new Date(dueAt ?? Number.NaN).toISOString()).toBe(kept);
    });
  }

  const rejected: [string, unknown][] = [
    ['a date alone', '2026-03-01'],
    ['a local time without offset', '2026-03-01T09:30:00'],
    ['31 February', '2026-02-31T09:30:00Z'],
    ['29 February of a common year', '2027-02-29T09:30:00Z'],
    ['a leap second in the morning', '2026-03-01T09:30:60Z'],
    ['a leap second at midnight of an offset, not of UTC', '2016-12-31T23:59:60+01:00'],
    ['a number', 1_772_357_400_000],
    ['a number of seconds as text', '1772357400'],
    ['true', true],
    ['an array', ['2026-03-01T09:30:00Z']],
    ['an object', { date: '2026-03-01' }],
    ['a word', 'tomorrow'],
    ['a space in place of T', '2026-03-01 09:30:00Z'],
    ['spaces around it', ' 2026-03-01T09:30:00Z '],
    ['the form of e-mail', 'Sun, 01 Mar 2026 09:30:00 GMT'],
    ['a NUL at its end', '2026-03-01T09:30:00Z\0'],
    ['a lone surrogate', '\ud800'],
    ['a million digits', `2026-03-01T09:30:00.${'0'.repeat(900_000)}`],
  ];
  for (const [name, dueDate] of rejected) {
    test(`${name} returns 400 with the expected format`, async () => {
      expect(await caller.error('todos', { title: 'x', dueDate })).toBe(
        'dueDate must be a valid date and time with Z or an offset, such as 2026-03-01T09:30:00Z or 2026-03-01T10:30+01:00',
      );
    });
  }
});
