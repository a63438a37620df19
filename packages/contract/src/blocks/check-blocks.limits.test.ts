import { describe, expect, test } from 'bun:test';
import { checkBlocks } from './check-blocks.ts';

function messageOf(value: unknown): string {
  const result = checkBlocks(value);
  return result.ok ? 'accepted' : result.message;
}
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
const objects = (depth: number) => parsed(`${'{"a":'.repeat(depth)}0${'}'.repeat(depth)}`);

describe('the number of elements', () => {
  test('may be 100; the error for 101 names the limit and the number', () => {
    const blocks = (count: number) => Array.from({ length: count }, () => ({ type: 'delimiter', data: {} }));
    expect(messageOf(blocks(100))).toBe('accepted');
    expect(messageOf(blocks(101))).toBe('blocks has 101 elements; the limit is 100');
  });
});

describe('the number of nested items', () => {
  const error = (count: number) =>
    `blocks has ${count} nested items (list items and table cells, at every level); the limit is 1000`;
  const strings = (count: number) => Array.from({ length: count }, () => 'x');

  test('may be 1,000 in a list; the error for 1,001 names the limit and the number', () => {
    expect(messageOf([list(strings(1000))])).toBe('accepted');
    expect(messageOf([list(strings(1001))])).toBe(error(1001));
  });

  test('includes every level and all blocks', () => {
    const items = strings(500).map((content) => ({ content, meta: {}, items: [{ content, meta: {}, items: [] }] }));
    expect(messageOf([list(items)])).toBe('accepted');
    expect(messageOf([list(items), list(['x'])])).toBe(error(1001));
    const checked = { type: 'checklist', data: { items: strings(501).map((text) => ({ text, checked: true })) } };
    expect(messageOf([checked, checked])).toBe(error(1002));
  });

  test('includes table cells, and counts a row without cells as one', () => {
    const table = (rows: string[][]) => [{ type: 'table', data: { content: rows } }];
    expect(messageOf(table(strings(100).map(() => strings(10))))).toBe('accepted');
    expect(messageOf(table(strings(101).map(() => strings(10))))).toBe(error(1010));
    expect(messageOf(table(strings(1001).map(() => [])))).toBe(error(1001));
  });
});

describe('the depth', () => {
  test('may be 8 levels of list items; the error for 9 names the limit and the depth', () => {
    expect(messageOf([listOfDepth(8)])).toBe('accepted');
    expect(messageOf([listOfDepth(9)])).toEndWith('is nested too deeply: depth 9, and the limit is 8');
    expect(messageOf([listOfDepth(9)])).toStartWith('blocks[0].data.items[0].items[0].items');
  });

  test('may be 8 levels of nested arrays in an unknown type', () => {
    expect(messageOf(poll({ a: arrays(8) }))).toBe('accepted');
    expect(messageOf(poll({ a: arrays(9) }))).toEndWith('depth 9, and the limit is 8');
  });

  test.each([
    ['arrays', () => arrays(500_000)],
    ['objects', () => objects(150_000)],
    ['arrays and objects in turn', () => parsed('{"a":['.repeat(80_000) + ']}'.repeat(80_000))],
  ])('of a body full of nested %s is found to exceed the limit, quickly and without a stack overflow', (_, make) => {
    const data = { a: make() };
    const start = process.threadCpuUsage();
    expect(messageOf(poll(data))).toContain('is nested too deeply: depth ');
    expect(messageOf([list([{ content: 'x', extra: data }])])).toContain('is nested too deeply: depth ');
    expect(process.threadCpuUsage(start).user).toBeLessThan(2_000_000);
  });
});

describe('the size', () => {
  const overhead = JSON.stringify([{ type: 'code', data: { code: '' } }]).length;
  const code = (text: string) => [{ type: 'code', data: { code: text } }];

  test('may be 256 KiB of compact JSON; the error for one byte more names the limit and the size', () => {
    expect(messageOf(code('x'.repeat(262_144 - overhead)))).toBe('accepted');
    expect(messageOf(code('x'.repeat(262_145 - overhead)))).toBe(
      'blocks is 262145 bytes as JSON; the limit is 262144 (256 KiB)',
    );
  });
});
