import { describe, expect, test } from 'bun:test';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import fc from 'fast-check';
import { blocksToText } from './blocks-to-text.ts';
import { checkBlocks } from './check-blocks.ts';
import { savedBlocks } from './saved-blocks.fixture.ts';
import { type Block, BlockSchema } from './schema.ts';

function messageOf(value: unknown): string {
  const result = checkBlocks(value);
  return result.ok ? 'accepted' : result.message;
}
const ofData = (type: string, data: unknown) => messageOf([{ type, data }]);

test('the output of the Editor.js tools is accepted', () => {
  for (const { by, block } of savedBlocks) {
    expect([by, messageOf([block]), Value.Check(BlockSchema, block)]).toEqual([by, 'accepted', true]);
  }
});

test('what is no array of blocks is rejected', () => {
  for (const value of [null, undefined, '[]', 3, {}, true]) {
    expect(messageOf(value)).toBe('blocks must be an array of Editor.js blocks');
  }
});

describe('a block', () => {
  test.each([
    [null, ' must be an object with a string `type` and an object `data`'],
    [[], ' must be an object with a string `type` and an object `data`'],
    ['text', ' must be an object with a string `type` and an object `data`'],
    [{}, '.type is missing; it must be a string'],
    [{ type: null, data: {} }, '.type must be a string'],
    [{ type: 'poll' }, '.data is missing; it must be an object'],
    [{ type: 'poll', data: [] }, '.data must be an object'],
    [{ type: 'poll', data: null }, '.data must be an object'],
    [{ id: 5, type: 'poll', data: {} }, '.id must be a string'],
    [{ type: 'poll', data: {}, tunes: [] }, '.tunes must be an object'],
    [{ type: 'poll', dta: {} }, '.dta is not a field of a block; did you mean data?'],
    [{ type: 'poll', data: {}, Type: 'x' }, '.Type is not a field of a block; did you mean type?'],
    [{ type: '', data: {}, 'a b': 1 }, '["a b"] is not a field of a block; a block has id, type, data, tunes'],
  ])('with the value %j is rejected with its path', (block, message) => {
    expect(messageOf([{ type: 'delimiter', data: {} }, block])).toBe(`blocks[1]${message}`);
  });

  test('may have null for id and tunes, which counts as absent', () => {
    expect(messageOf([{ id: null, type: 'delimiter', data: {}, tunes: null }])).toBe('accepted');
  });
});

describe('invalid data of a known type is rejected with its path', () => {
  const items = (...list: unknown[]) => ({ style: 'unordered', items: list });
  const withoutContent = { content: 'b', items: [{}] };
  test.each([
    ['paragraph', {}, 'text is missing; it must be a string'],
    ['paragraph', { text: null }, 'text must be a string'],
    ['header', { text: 'x', level: 7 }, 'level must be 1 to 6'],
    ['header', { text: 'x', level: 0 }, 'level must be 1 to 6'],
    ['header', { text: 'x', level: '2' }, 'level must be 1 to 6'],
    ['header', { text: 'x' }, 'level is missing; it must be 1 to 6'],
    ['list', { items: [] }, 'style is missing; it must be "ordered", "unordered" or "checklist"'],
    ['list', { style: 'dotted', items: [] }, 'style must be "ordered", "unordered" or "checklist"'],
    ['list', { style: 'ordered', items: 'a' }, 'items must be an array'],
    ['list', items('a', 3), 'items[1] must be a string or an object'],
    ['list', items('a', 'b', 'c', { content: 4 }), 'items[3].content must be a string'],
    ['list', items({ content: 'a', items: ['b'] }), 'items[0].items[0] must be an object'],
    ['list', items({ content: 'a', items: {} }), 'items[0].items must be an array'],
    ['list', items({ content: 'a', meta: { checked: 'yes' } }), 'items[0].meta.checked must be true or false'],
    ['list', { ...items(), meta: { start: -1 } }, 'meta.start must be 0 to 2147483647'],
    ['list', { ...items(), meta: [] }, 'meta must be an object'],
    ['checklist', { items: [{ text: 'a' }] }, 'items[0].checked is missing; it must be true or false'],
    ['checklist', { items: ['a'] }, 'items[0] must be an object'],
    ['quote', { text: 'a', alignment: 'up' }, 'alignment must be "left" or "center"'],
    ['quote', { text: 'a', caption: 1 }, 'caption must be a string'],
    ['code', { code: ['a'] }, 'code must be a string'],
    ['table', { content: [['a'], 'b'] }, 'content[1] must be an array'],
    ['table', { content: [['a'], ['b', 2]] }, 'content[1][1] must be a string'],
    ['table', { content: [], withHeadings: 1 }, 'withHeadings must be true or false'],
    ['warning', { title: 'a' }, 'message is missing; it must be a string'],
    ['image', { file: { url: 'http://example.com/a.png' } }, 'file.url must be an https URL'],
    ['image', { file: {} }, 'file.url is missing; it must be an https URL'],
    ['image', { url: 'https://' }, 'url must be an https URL'],
    ['image', { url: 'javascript:https://a.example/' }, 'url must be an https URL'],
    ['image', { file: { url: 'https://example.com/a.png' }, url: 'javascript:alert(1)' }, 'url must be an https URL'],
    ['image', { file: { url: 'http://a' }, url: 'https://example.com/a.png' }, 'file.url must be an https URL'],
  ])('%s %j', (type, data, rest) => {
    expect(ofData(type, data)).toBe(`blocks[0].data.${rest}`);
    expect(Value.Check(BlockSchema, { type, data })).toBe(false);
  });

  test.each([
    ['image', { url: 'https://[' }, 'url must be an https URL'],
    ['list', items({ content: 'a', items: [{ content: 'b', meta: 1 }] }), 'items[0].items[0].meta must be an object'],
    ['list', items({ content: 'a', items: [withoutContent] }), 'items[0].items[0].items[0].content is missing'],
  ])('even where the OpenAPI document describes the rule only in prose: %s %j', (type, data, rest) => {
    expect(ofData(type, data)).toStartWith(`blocks[0].data.${rest}`);
    expect(Value.Check(BlockSchema, { type, data })).toBe(true);
  });
});

const unknownTypes = ['poll', '', 'Header', 'paragraph ', 'paragraph\n', '__proto__', 'constructor', 'hasOwnProperty'];
test.each(unknownTypes)('the unknown type %j is accepted with any data', (type) => {
  const block = { type, data: { level: 9, text: null, items: [1, { a: true }] } };
  expect([messageOf([block]), Value.Check(BlockSchema, block)]).toEqual(['accepted', true]);
});

const words = (type: string, text: string) => ({ type, text });
const slackMessage = [
  { type: 'header', text: words('plain_text', 'Nightly build 218') },
  { type: 'section', block_id: 'result', text: words('mrkdwn', '*Failed* after 12 min: <https://ci.example.org|log>') },
  { type: 'divider' },
  { type: 'image', image_url: 'https://ci.example.org/218.png', alt_text: 'Duration of the last builds' },
  { type: 'context', elements: [words('mrkdwn', 'Started by the schedule')] },
  { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [words('text', 'Deployed')] }] },
  { type: 'markdown', text: '**Deployed** in 42 s' },
  { type: 'table', rows: [[words('raw_text', 'Suite')], [words('raw_text', 'unit')]] },
];

test('the error for blocks of Slack names their format, for a payload that contains them, and for each of them', () => {
  const message =
    'These look like Slack Block Kit blocks; Hub takes Editor.js blocks. Send text, or convert each to a type and ' +
    'data, such as {"type":"paragraph","data":{"text":"Hello"}}.';
  const tooMany = Array.from({ length: 101 }, () => slackMessage[1]);
  const payloads = [slackMessage, { channel: 'C0123', blocks: slackMessage }, tooMany];
  for (const value of [...payloads, ...slackMessage.map((single) => [single])]) {
    expect([value, messageOf(value)]).toEqual([value, message]);
  }
});

test.each([
  [[{ type: 'paragraph', text: 'Hello' }], 'blocks[0].text is not a field of a block'],
  [[{ type: 'header', text: 'Hello', level: 2 }], 'blocks[0].text is not a field of a block'],
  [[{ type: 'delimiter' }], 'blocks[0].data is missing'],
  [[{ type: 'paragraph', content: 'Hello' }], 'blocks[0].content is not a field of a block'],
  [{ time: 1, blocks: [{ type: 'delimiter', data: {} }], version: '2.31.0' }, 'send the `blocks` of what'],
  [{}, 'blocks must be an array'],
])('%j, which may be meant for Editor.js, is rejected with an error about the field', (value, message) => {
  expect(messageOf(value)).toContain(message);
});

describe('check blocks limits', () => {
  const poll = (data: object) => [{ type: 'poll', data }];
  const list = (items: unknown[]) => ({ type: 'list', data: { style: 'unordered', items } });
  const parsed = (json: string): object => JSON.parse(json);

  /** Returns a list with this depth, whose innermost items have the empty `items` and the `meta` that List 2 saves. */
  function listOfDepth(depth: number): unknown {
    let items: object[] = [];
    for (let level = 0; level < depth; level += 1) items = [{ content: 'x', meta: { checked: true }, items }];
    return list(items);
  }
  const arrays = (depth: number) => parsed(`${'['.repeat(depth)}0${']'.repeat(depth)}`);

  test('100 elements are accepted; the error for 101 names the limit and the number', () => {
    const blocks = (count: number) => Array.from({ length: count }, () => ({ type: 'delimiter', data: {} }));
    expect(messageOf(blocks(100))).toBe('accepted');
    expect(messageOf(blocks(101))).toBe('blocks has 101 elements; the limit is 100');
  });

  test('1,000 nested items are accepted, at every level and in all blocks together, with a row without cells as one', () => {
    const strings = (count: number) => Array.from({ length: count }, () => 'x');
    const items = strings(500).map((content) => ({ content, meta: {}, items: [{ content, meta: {}, items: [] }] }));
    const checked = { type: 'checklist', data: { items: strings(501).map((text) => ({ text, checked: true })) } };
    const table = (rows: string[][]) => ({ type: 'table', data: { content: rows } });
    for (const block of [list(strings(1_000)), list(items), table(strings(100).map(() => strings(10)))]) {
      expect(messageOf([block])).toBe('accepted');
    }
    for (const [count, ...blocks] of [
      [1_001, list(strings(1_001))],
      [1_001, list(items), list(['x'])],
      [1_002, checked, checked],
      [1_010, table(strings(101).map(() => strings(10)))],
      [1_001, table(strings(1_001).map(() => []))],
    ] as const) {
      const error = `blocks has ${count} nested items (list items and table cells, at every level); the limit is 1000`;
      expect(messageOf(blocks)).toBe(error);
    }
  });

  test('8 levels of list items, or of arrays in an unknown type, are accepted; the error for 9 names limit and depth', () => {
    expect([messageOf([listOfDepth(8)]), messageOf(poll({ a: arrays(8) }))]).toEqual(['accepted', 'accepted']);
    const error = 'is nested too deeply: depth 9, and the limit is 8';
    expect([messageOf([listOfDepth(9)]), messageOf(poll({ a: arrays(9) }))]).toEqual([
      expect.stringMatching(new RegExp(`^blocks\\[0\\]\\.data\\.items\\[0\\]\\.items\\[0\\]\\.items.* ${error}$`)),
      expect.stringMatching(new RegExp(`${error}$`)),
    ]);
  });

  test.each([
    ['arrays', () => arrays(500_000)],
    ['objects', () => parsed(`${'{"a":'.repeat(150_000)}0${'}'.repeat(150_000)}`)],
    ['arrays and objects in turn', () => parsed('{"a":['.repeat(80_000) + ']}'.repeat(80_000))],
  ])('the depth of a body full of %s is found to exceed the limit, quickly and without a stack overflow', (_, make) => {
    const data = { a: make() };
    const start = process.threadCpuUsage();
    expect(messageOf(poll(data))).toContain('is nested too deeply: depth ');
    expect(messageOf([list([{ content: 'x', extra: data }])])).toContain('is nested too deeply: depth ');
    expect(process.threadCpuUsage(start).user).toBeLessThan(2_000_000);
  });

  test('256 KiB of compact JSON are accepted; the error for one byte more names the limit and the size', () => {
    const code = (bytes: number) => [{ type: 'code', data: { code: 'ü'.repeat(bytes >> 1) + 'x'.repeat(bytes & 1) } }];
    const overhead = JSON.stringify(code(0)).length;
    expect(messageOf(code(262_144 - overhead))).toBe('accepted');
    expect(messageOf(code(262_145 - overhead))).toBe('blocks is 262145 bytes as JSON; the limit is 262144 (256 KiB)');
  });
});

const half = '\ud83d';
const nested = { style: 'ordered', items: [{ content: 'a', items: [{ content: half }] }] };
test.each([
  [{ type: 'paragraph', data: { text: 'a\0b' } }, '.data.text contains a NUL'],
  [{ type: 'paragraph', data: { text: '', extra: ['', '\0'] } }, '.data.extra[1] contains a NUL'],
  [{ type: 'paragraph', data: { text: '', '\0': 1 } }, '.data has a property whose name contains a NUL'],
  [{ type: 'list', data: nested }, '.data.items[0].items[0].content contains a lone surrogate'],
  [{ type: 'poll', data: { a: { b: [half] } } }, '.data.a.b[0] contains a lone surrogate'],
  [{ type: 'poll', data: { a: { [half]: 1 } } }, '.data.a has a property whose name contains a lone surrogate'],
  [{ type: half, data: {} }, '.type contains a lone surrogate'],
  [{ id: '\0', type: 'poll', data: {} }, '.id contains a NUL'],
  [{ type: 'poll', data: {}, tunes: { a: half } }, '.tunes.a contains a lone surrogate'],
  [{ type: 'poll', data: {}, [`x${half}`]: 1 }, '["x\\ud83d"] is not a field'],
])('%j, which cannot be stored, is rejected with its path', (block, message) => {
  expect(messageOf([block])).toStartWith(`blocks[0]${message}`);
  expect(messageOf([block]).isWellFormed()).toBe(true);
});

const schema = Type.Array(BlockSchema);

/** Errors that JSON Schema cannot express: overall limits, text that is not valid Unicode, nested items. */
const beyondSchema = /the limit is|NUL|lone surrogate|too large to store|\.items\[\d+\]\.items\[|must be an https URL$/;

/** Replaces, removes or adds one member, chosen by `which`. The result is close to valid, where bugs hide. */
function mutated(value: unknown, which: number, replacement: unknown, how: 'replace' | 'remove' | 'add'): unknown {
  const copy = structuredClone(value);
  const members: { parent: Record<string, unknown>; key: string }[] = [];
  const walk = (parent: unknown): void => {
    if (typeof parent !== 'object' || parent === null) return;
    for (const key of Object.keys(parent)) {
      members.push({ parent: parent as Record<string, unknown>, key });
      walk((parent as Record<string, unknown>)[key]);
    }
  };
  walk(copy);
  const member = members[which % members.length];
  if (member === undefined) return replacement;
  if (how === 'remove' && !Array.isArray(member.parent)) delete member.parent[member.key];
  else if (how === 'add' && !Array.isArray(member.parent)) member.parent[`${member.key}x`] = replacement;
  else member.parent[member.key] = replacement;
  return copy;
}

const texts = ['', 'x', '\0', '\ud800', 'https://a.example/', 'http://a.example/', 'ordered', 'left'];
const objects = [{}, { url: 'https://a.example/' }, { type: 'x', data: {} }];
const replacement = fc.oneof(
  fc.constantFrom<unknown>(null, -1, 0, 7, 1.5, true, ...texts),
  fc.constantFrom<unknown>([], ['a'], [['a']], [{}], [{ content: 'a' }], ...objects),
  fc.jsonValue({ stringUnit: 'binary' }),
);
const nearlyValid = fc
  .tuple(
    fc.array(fc.constantFrom(...savedBlocks.map(({ block }) => block)), { minLength: 1, maxLength: 3 }),
    fc.array(fc.tuple(fc.nat(), replacement, fc.constantFrom('replace' as const, 'remove' as const, 'add' as const)), {
      maxLength: 3,
    }),
  )
  .map(([blocks, changes]) =>
    changes.reduce<unknown>((value, [which, by, how]) => mutated(value, which, by, how), blocks),
  );
/** A value as parsed from JSON, which writes -0 as 0. */
const anyValue = fc
  .oneof({ weight: 4, arbitrary: nearlyValid }, fc.jsonValue({ stringUnit: 'binary' }))
  .map((value) => JSON.parse(JSON.stringify(value)) as typeof value);

test('any value is rejected in one readable line, or accepted unchanged and readable as text, as the schema says', () => {
  let accepted = 0;
  fc.assert(
    fc.property(anyValue, (value) => {
      const before = JSON.stringify(value);
      const result = checkBlocks(value);
      expect(JSON.stringify(value)).toBe(before);
      if (result.ok || !beyondSchema.test(result.message)) expect(Value.Check(schema, value)).toBe(result.ok);
      if (!result.ok) {
        expect(result.message).toMatch(/^(?:blocks[ .[]|These look like )[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u);
        return;
      }
      accepted += 1;
      expect(result.blocks).toBe(value as never);
      const text = blocksToText(result.blocks);
      expect(text.isWellFormed() && !text.includes('\0')).toBe(true);
    }),
    { numRuns: 5000 },
  );
  // The test would prove nothing if every value or no value were accepted.
  expect(accepted).toBeWithin(500, 4500);
});

test('the TypeScript types match the schema', () => {
  // These lines fail in the type check, not at run time.
  const fromSchema = (block: Static<typeof BlockSchema>): Block => block;
  const toSchema = (block: Block): Static<typeof BlockSchema> => block;
  // An OutputBlockData of Editor.js can be posted without a cast.
  const saved: { id?: string; type: string; data: Record<string, unknown> } = { type: 'poll', data: {} };
  expect(toSchema(fromSchema(saved))).toBe(saved);
});
