import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Direction, type ListedRow, type MergeOptions, mergeLists, type SortedList } from './merge-lists.ts';

const row = (rank: number): ListedRow => ({
  rank,
  hubId: '',
  kind: 'note',
  keyId: rank % 3 === 0 ? 'third' : null,
  authorId: '',
  status: null,
  assigneeId: null,
  deletedAt: null,
});

/** Returns a list of these ranks, and counts of its reads and of the rows read. */
function listOf(ranks: readonly number[], direction: Direction, from: number) {
  const reads = { calls: 0, rows: 0 };
  const older = direction === 'older';
  const sorted = [...ranks].sort((one, other) => (older ? other - one : one - other));
  const beyond = (position: number) => sorted.filter((rank) => (older ? rank < position : rank > position));
  const [next] = beyond(from);
  const list: SortedList | undefined =
    next === undefined
      ? undefined
      : {
          next,
          read: (position, limit) => {
            reads.calls += 1;
            const found = beyond(position).slice(0, limit);
            reads.rows += found.length;
            return found.map(row);
          },
        };
  return { list, reads };
}

function merge(lists: readonly (readonly number[])[], options: Partial<MergeOptions> & { from: number }) {
  const direction = options.direction ?? 'older';
  const made = lists.map((ranks) => listOf(ranks, direction, options.from));
  const merged = mergeLists(
    made.flatMap(({ list }) => (list ? [list] : [])),
    { direction, limit: 50, maxExamined: 5_000, ...options },
  );
  return { ...merged, reads: made.map(({ reads }) => reads) };
}

/** Ranks distributed across several lists. */
const spread = fc
  .array(fc.nat(7), { maxLength: 200 })
  .map((assignments) =>
    Array.from({ length: 8 }, (_, list) => assignments.flatMap((owner, rank) => (owner === list ? [rank + 1] : []))),
  );

describe('merged lists', () => {
  test('return the same pages as a single list of all their rows, in both directions, filtered or not', () => {
    fc.assert(
      fc.property(
        spread,
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom<Direction>('older', 'newer'),
        fc.boolean(),
        fc.integer({ min: 1, max: 300 }),
        (lists, limit, direction, isFiltered, maxExamined) => {
          const matches = isFiltered ? ({ keyId }: ListedRow) => keyId !== null : undefined;
          const all = lists.flat().sort((one, other) => (direction === 'older' ? other - one : one - other));
          const expected = isFiltered ? all.filter((rank) => rank % 3 === 0) : all;
          const read: number[] = [];
          let from: number | null = direction === 'older' ? 1_000 : 0;
          for (let pages = 0; from !== null; pages += 1) {
            if (pages > 1_000) throw new Error('Too many pages');
            const page = merge(lists, { from, limit, direction, matches, maxExamined });
            expect(page.ranks.length).toBeLessThanOrEqual(limit);
            read.push(...page.ranks);
            from = page.next;
          }
          expect(read).toEqual(expected);
        },
      ),
    );
  });

  test('are opened and read only as needed', () => {
    const lists = Array.from({ length: 1_000 }, (_, list) =>
      Array.from({ length: 100 }, (_, n) => n * 1_000 + list + 1),
    );
    const { ranks, reads } = merge(lists, { from: 1_000_000, limit: 50 });
    expect(ranks).toHaveLength(50);
    expect(reads.filter(({ calls }) => calls > 0).length).toBeLessThanOrEqual(51);
    expect(reads.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(500);
  });

  test('examine a limited number of rows for a filter with few matches, and return where to continue', () => {
    const ranks = Array.from({ length: 10_000 }, (_, n) => n + 1);
    const page = merge([ranks], { from: 20_000, matches: () => false, maxExamined: 1_000 });
    expect([page.ranks, page.next]).toEqual([[], 9_001]);
    expect(page.reads[0]?.rows).toBeLessThan(2_000);
  });

  test('are merged correctly even if a list starts later than announced', () => {
    const { list } = listOf([5, 3], 'older', 10);
    const early = { next: 9, read: list?.read ?? (() => []) };
    const other = listOf([7, 4], 'older', 10).list;
    const lists = other ? [early, other] : [];
    const options = { direction: 'older', from: 10, limit: 10, maxExamined: 100, matches: () => true } as const;
    expect(mergeLists(lists, options).ranks).toEqual([7, 5, 4, 3]);
  });
});
