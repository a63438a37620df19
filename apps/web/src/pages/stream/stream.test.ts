import { describe, expect, test } from 'bun:test';
import type { Item } from '@hub/contract';
import { areSameRows, CHUNK_ROWS, chunksOf, type FeedRow, feedRows } from './feed-rows.ts';
import { isFiltering, passes, readFilter } from './stream-filter.ts';
import { ViewTracker } from './view-tracker.ts';

describe('the feed', () => {
  const item = (id: string, createdAt: string) => ({ id, createdAt, kind: 'note' }) as Item;
  const lineOf = (rows: FeedRow[]) => rows.filter(({ newAbove }) => newAbove > 0).map((row) => [row.id, row.newAbove]);
  const rowsOf = (items: Item[], fresh: string[], isRestRead = true) =>
    feedRows({
      items,
      repeats: new Map(),
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
});

describe('the filter', () => {
  const item = { kind: 'todo', hubId: 'hub_1', key: { id: 'key_1', name: 'ci' } } as Item;

  test('arriving items must match every part of the filter', () => {
    const all = readFilter(new URLSearchParams());
    const isNew = () => false;
    expect([isFiltering(all), passes(item, all, isNew)]).toEqual([false, true]);
    const parts = [{ hubId: 'hub_1' }, { kind: 'todo' as const }, { keyId: 'key_1' }];
    for (const part of parts) expect(passes(item, { ...all, ...part }, isNew)).toBe(true);
    const others = [{ hubId: 'hub_2' }, { kind: 'note' as const }, { keyId: 'key_2' }, { isUnread: true }];
    for (const part of others) expect(passes(item, { ...all, ...part }, isNew)).toBe(false);
    expect(passes(item, { ...all, isUnread: true }, () => true)).toBe(true);
  });
});

describe('the view', () => {
  test('an item counts as seen after it has been in view long enough', () => {
    const tracker = new ViewTracker(3_000);
    tracker.variant(['a'], 0);
    tracker.variant(['a', 'b'], 1_000);
    expect([tracker.takeSeen(2_999), tracker.waitMs(2_999)]).toEqual([[], 1]);
    expect([tracker.takeSeen(3_000), tracker.waitMs(3_000)]).toEqual([['a'], 1_000]);
    expect([tracker.takeSeen(4_000), tracker.waitMs(4_000)]).toEqual([['b'], null]);
  });

  test('an item that left the view in between starts over', () => {
    const tracker = new ViewTracker(3_000);
    tracker.variant(['a', 'b'], 0);
    tracker.variant(['b'], 2_000);
    tracker.variant(['a', 'b'], 2_500);
    expect(tracker.takeSeen(3_000)).toEqual(['b']);
    expect(tracker.takeSeen(5_499)).toEqual([]);
    tracker.variant([], 5_499);
    expect([tracker.takeSeen(9_000), tracker.waitMs(9_000)]).toEqual([[], null]);
  });
});
