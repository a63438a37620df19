import { describe, expect, test } from 'bun:test';
import { newestIds } from './newest-ids.ts';

const named = (numbers: readonly number[]): string[] => numbers.map((n) => `id_${String(n).padStart(6, '0')}`);

/** Returns a list of these ids that counts how many of them are read. */
function countedList(ids: readonly string[]) {
  const newestFirst = [...ids].sort().reverse();
  const list = {
    readCount: 0,
    read: (before: string, limit: number): string[] => {
      const found = newestFirst.filter((id) => id < before).slice(0, limit);
      list.readCount += found.length;
      return found;
    },
  };
  return list;
}

describe('the newest ids of many lists', () => {
  const spread = Array.from({ length: 40 }, (_, list) =>
    named(Array.from({ length: list * 7 }, (_, n) => n * 41 + list)),
  );
  const all = spread.flat().sort().reverse();

  test('are the newest ids across all lists, on every page', () => {
    for (const limit of [1, 7, 100, 10_000]) {
      const found: string[] = [];
      for (let page = newestIds(readsOf(spread), '~', limit); page.length > 0; ) {
        found.push(...page);
        page = newestIds(readsOf(spread), page.at(-1) ?? '', limit);
      }
      expect(found).toEqual(all);
    }
  });

  test('are found without reading much more than the result', () => {
    const lists = Array.from({ length: 200 }, (_, list) =>
      countedList(named(Array.from({ length: 500 }, (_, n) => n * 200 + list))),
    );
    const found = newestIds(
      lists.map(({ read }) => read),
      '~',
      500,
    );
    expect(found).toHaveLength(500);
    expect(lists.reduce((sum, { readCount }) => sum + readCount, 0)).toBeLessThanOrEqual(200 * 4 + 500);
  });

  test('are empty for no lists or empty lists', () => {
    expect(newestIds([], '~', 10)).toEqual([]);
    expect(newestIds(readsOf([[], []]), '~', 10)).toEqual([]);
  });
});

function readsOf(lists: readonly string[][]) {
  return lists.map((ids) => countedList(ids).read);
}
