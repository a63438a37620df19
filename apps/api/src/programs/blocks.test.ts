import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { publicCaller } from '@hub/testkit/in-process/public-caller';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';

/** The rules for blocks have their own tests in the contract. These tests show that the API applies them. */
describe('Editor.js blocks over HTTP', () => {
  let hub: TestHub;
  let caller: Awaited<ReturnType<typeof publicCaller>>;
  beforeAll(async () => {
    hub = await startTestHub();
    caller = await publicCaller(hub);
  });
  afterAll(() => hub[Symbol.asyncDispose]());

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
