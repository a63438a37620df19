import { describe, expect, test } from 'bun:test';
import { checkBlocks } from './check-blocks.ts';

function messageOf(value: unknown): string {
  const verdict = checkBlocks(value);
  return verdict.ok ? 'accepted' : verdict.message;
}
const poll = (data: object) => [{ type: 'poll', data }];
const list = (items: unknown[]) => ({ type: 'list', data: { style: 'unordered', items } });
const parsed = (json: string): object => JSON.parse(json);

/** A list whose items lie this deep, the innermost with the empty `items` and `meta` that List 2 saves. */
function listOfDepth(depth: number): unknown {
  let items: object[] = [];
  for (let level = 0; level < depth; level += 1) items = [{ content: 'x', meta: { checked: true }, items }];
  return list(items);
}
const arrays = (depth: number) => parsed(`${'['.repeat(depth)}0${']'.repeat(depth)}`);
const objects = (depth: number) => parsed(`${'{"a":'.repeat(depth)}0${'}'.repeat(depth)}`);

describe('elements', () => {
  test('100 pass, 101 are refused with the limit and the number', () => {
    const blocks = (count: number) => Array.from({ length: count }, () => ({ type: 'delimiter', data: {} }));
    expect(messageOf(blocks(100))).toBe('accepted');
    expect(messageOf(blocks(101))).toBe('blocks has 101 elements; the limit is 100');
  });
});

describe('nested items', () => {
  const error = (count: number) =>
    `blocks has ${count} nested items (list items and table cells, at every level); the limit is 1000`;
  const strings = (count: number) => Array.from({ length: count }, () => 'x');

  test('1,000 items of a list pass, 1,001 are refused with the limit and the number', () => {
    expect(messageOf([list(strings(1000))])).toBe('accepted');
    expect(messageOf([list(strings(1001))])).toBe(error(1001));
  });

  test('they are counted at every level and over all blocks', () => {
    const items = strings(500).map((content) => ({ content, meta: {}, items: [{ content, meta: {}, items: [] }] }));
    expect(messageOf([list(items)])).toBe('accepted');
    expect(messageOf([list(items), list(['x'])])).toBe(error(1001));
    const checked = { type: 'checklist', data: { items: strings(501).map((text) => ({ text, checked: true })) } };
    expect(messageOf([checked, checked])).toBe(error(1002));
  });

  test('a table counts its cells, and a row without cells as one', () => {
    const table = (rows: string[][]) => [{ type: 'table', data: { content: rows } }];
    expect(messageOf(table(strings(100).map(() => strings(10))))).toBe('accepted');
    expect(messageOf(table(strings(101).map(() => strings(10))))).toBe(error(1010));
    expect(messageOf(table(strings(1001).map(() => [])))).toBe(error(1001));
  });

  test('the elements of arrays in unknown types, tunes and further properties count too', () => {
    expect(messageOf(poll({ a: strings(600), b: { c: [strings(400)] } }))).toBe('accepted');
    expect(messageOf(poll({ a: strings(600), b: { c: [strings(401)] } }))).toBe(error(1001));
    expect(messageOf([{ type: 'delimiter', data: { extra: strings(1000) }, tunes: { a: [1] } }])).toBe(error(1001));
  });
});

describe('depth', () => {
  test('a list may have 8 levels of items, and 9 are refused with the limit and the depth', () => {
    expect(messageOf([listOfDepth(8)])).toBe('accepted');
    expect(messageOf([listOfDepth(9)])).toEndWith('is nested too deeply: depth 9, and the limit is 8');
    expect(messageOf([listOfDepth(9)])).toStartWith('blocks[0].data.items[0].items[0].items');
  });

  test('arrays within one another may have 8 levels in an unknown type', () => {
    expect(messageOf(poll({ a: arrays(8) }))).toBe('accepted');
    expect(messageOf(poll({ a: arrays(9) }))).toEndWith('depth 9, and the limit is 8');
  });

  test('what is empty is no level', () => {
    expect(messageOf(poll({ a: parsed('['.repeat(9) + ']'.repeat(9)) }))).toBe('accepted');
    expect(messageOf(poll({ a: parsed(`${'['.repeat(8)}{}${']'.repeat(8)}`) }))).toBe('accepted');
    expect(messageOf(poll({ a: parsed('['.repeat(10) + ']'.repeat(10)) }))).toEndWith('depth 9, and the limit is 8');
  });

  test('so may objects within one another', () => {
    expect(messageOf(poll({ a: objects(8) }))).toBe('accepted');
    expect(messageOf(poll({ a: objects(9) }))).toEndWith('depth 9, and the limit is 8');
  });

  test('an array is one level together with the objects that are its elements', () => {
    const columns = (depth: number): object => (depth === 0 ? {} : { cols: [{ text: 'x', ...columns(depth - 1) }] });
    expect(messageOf(poll(columns(8)))).toBe('accepted');
    expect(messageOf(poll(columns(9)))).toEndWith('depth 9, and the limit is 8');
  });

  test('tunes and further properties are bounded too', () => {
    expect(messageOf([{ type: 'delimiter', data: {}, tunes: { a: arrays(9) } }])).toStartWith('blocks[0].tunes.a[0]');
    expect(messageOf([{ type: 'delimiter', data: { extra: objects(9) } }])).toStartWith('blocks[0].data.extra.a');
  });

  test.each([
    ['arrays', () => arrays(500_000)],
    ['objects', () => objects(150_000)],
    ['both in turn', () => parsed('{"a":['.repeat(80_000) + ']}'.repeat(80_000))],
  ])('a body full of nested %s is refused at once and exhausts no stack', (_, make) => {
    const data = { a: make() };
    const started = performance.now();
    expect(messageOf(poll(data))).toContain('is nested too deeply: depth ');
    expect(messageOf([list([{ content: 'x', extra: data }])])).toContain('is nested too deeply: depth ');
    expect(performance.now() - started).toBeLessThan(2000);
  });

  test('a list as deep as a body allows is refused with its depth', () => {
    const json = '{"content":"","items":['.repeat(40_000) + ']}'.repeat(40_000);
    expect(messageOf([list([parsed(json)])])).toEndWith('depth 40000, and the limit is 8');
  });
});

describe('size', () => {
  const overhead = JSON.stringify([{ type: 'code', data: { code: '' } }]).length;
  const code = (text: string) => [{ type: 'code', data: { code: text } }];

  test('256 KiB of compact JSON pass, one byte more is refused with the limit and the size', () => {
    expect(messageOf(code('x'.repeat(262_144 - overhead)))).toBe('accepted');
    expect(messageOf(code('x'.repeat(262_145 - overhead)))).toBe(
      'blocks is 262145 bytes as JSON; the limit is 262144 (256 KiB)',
    );
  });

  test('it is counted in bytes of UTF-8, not in characters', () => {
    const euros = Math.floor((262_144 - overhead) / 3);
    expect(messageOf(code('€'.repeat(euros)))).toBe('accepted');
    expect(messageOf(code('€'.repeat(euros + 1)))).toContain(`${overhead + 3 * (euros + 1)} bytes`);
  });

  test('a name of a megabyte does not come back whole in the message', () => {
    expect(messageOf([{ type: 'x', data: {}, ['k'.repeat(1_000_000)]: 1 }]).length).toBeLessThan(200);
  });
});
