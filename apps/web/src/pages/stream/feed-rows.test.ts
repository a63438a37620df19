import { describe, expect, test } from 'bun:test';
import type { Item } from '@hub/contract';
import { areSameRows, CHUNK_ROWS, chunksOf, type FeedRow, feedRows } from './feed-rows.ts';

const item = (id: string, createdAt: string) => ({ id, createdAt, kind: 'note' }) as Item;
const lineOf = (rows: FeedRow[]) => rows.filter(({ newAbove }) => newAbove > 0).map((row) => [row.id, row.newAbove]);
const rowsOf = (items: Item[], fresh: string[], isRestRead = true) =>
  feedRows({
    items,
    isFresh: ({ id }) => fresh.includes(id),
    isRestRead: () => isRestRead,
    dayOf: (iso) => iso.slice(0, 10),
  });

describe('the rows of a feed', () => {
  const items = ['a', 'b', 'c', 'd'].map((id, n) => item(id, `2026-03-0${1 + (n >> 1)}T0${n}:00:00.000Z`));

  test('are newest first, with a heading above the newest of each day', () => {
    const rows = rowsOf(items, []);
    expect(rows.map(({ id, day }) => [id, day?.slice(0, 10) ?? null])).toEqual([
      ['d', '2026-03-02'],
      ['c', null],
      ['b', '2026-03-01'],
      ['a', null],
    ]);
  });

  test('have a divider below the new items with their count', () => {
    expect(lineOf(rowsOf(items, ['d', 'c']))).toEqual([['b', 2]]);
    expect(lineOf(rowsOf(items, []))).toEqual([]);
    expect(lineOf(rowsOf(items, ['a', 'b', 'c', 'd']))).toEqual([]);
  });

  test('have the divider only where everything below has been read, with the count of all new items above', () => {
    expect(lineOf(rowsOf(items, ['d', 'b']))).toEqual([['a', 2]]);
    expect(lineOf(rowsOf(items, ['d', 'a']))).toEqual([]);
    expect(lineOf(rowsOf(items, ['b']))).toEqual([['a', 1]]);
  });

  test('have no divider while older items that are not loaded may be new', () => {
    expect(lineOf(rowsOf(items, ['d', 'c'], false))).toEqual([]);
  });
});

describe('the chunks of a feed', () => {
  const row = (n: number): FeedRow => ({ id: `r${n}`, day: null, isFresh: false, newAbove: 0 });
  const newestFirst = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => row(to - 1 - n));

  test('contain every row once and in order', () => {
    const rows = newestFirst(0, 500);
    const chunks = chunksOf(rows, new Set());
    expect(chunks.flat()).toEqual(rows);
    for (const chunk of chunks) expect(chunk.length).toBeLessThanOrEqual(CHUNK_ROWS);
  });

  test('stay the same when an item arrives on top or older rows are loaded', () => {
    const cuts = new Set<string>();
    const before = chunksOf(newestFirst(100, 400), cuts);
    const arrived = chunksOf(newestFirst(100, 401), cuts);
    const isKept = (chunk: FeedRow[], among: FeedRow[][]) => among.some((other) => areSameRows(chunk, other));
    expect(arrived.filter((chunk) => !isKept(chunk, before))).toHaveLength(1);
    const loaded = chunksOf(newestFirst(0, 401), cuts);
    expect(arrived.every((chunk) => isKept(chunk, loaded))).toBe(true);
  });
});

test('rows are the same only if everything drawn is the same', () => {
  const row: FeedRow = { id: 'a', day: null, isFresh: true, newAbove: 0 };
  expect(areSameRows([row], [{ ...row }])).toBe(true);
  for (const change of [{ id: 'b' }, { day: 'x' }, { isFresh: false }, { newAbove: 1 }]) {
    expect(areSameRows([row], [{ ...row, ...change }])).toBe(false);
  }
});
