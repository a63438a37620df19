import { describe, expect, test } from 'bun:test';
import type { Item } from '@hub/contract';
import { isHeadless } from './feed-rows.ts';
import { holds, RowHeights, rowsWithin, stepTo } from './row-window.ts';

describe('the heads of rows', () => {
  const message = (second: number, authorId = 'bot') => {
    const createdAt = new Date(Date.UTC(2026, 2, 1, 12, 0, second)).toISOString();
    return { id: `msg_${second}`, createdAt, deletedAt: null, author: { id: authorId }, key: null } as Item;
  };
  const heads = (items: readonly Item[]) => items.filter((_, n) => !isHeadless(items, n)).map(({ id }) => id);
  const burst = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => message(from + n));

  test('shows author and time at the start of a burst and every ten rows', () => {
    expect(heads(burst(0, 25))).toEqual(['msg_0', 'msg_10', 'msg_20']);
    const twoAuthors = [...burst(0, 12), message(12, 'ada'), ...burst(13, 24)];
    expect(heads(twoAuthors)).toEqual([0, 10, 12, 13, 23].map((n) => `msg_${n}`));
  });

  test('keeps the headers on the same rows when older items of a burst are loaded', () => {
    const newer = burst(15, 40);
    expect(isHeadless(newer, 20)).toBe(false);
    const before = heads(newer);
    expect(heads([...burst(0, 15), ...newer])).toEqual(['msg_0', 'msg_10', ...before]);
  });
});

test('the height of an unmeasured row is estimated as the average of the others', () => {
  const rows = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
  const heights = new RowHeights();
  heights.set('a', 40);
  heights.set('c', 60);
  expect([...heights.startsOf(rows)]).toEqual([150, 110, 60, 0]);
  heights.set('b', 100);
  expect([...heights.startsOf(rows)]).toEqual([200, 160, 60, 0]);
});

describe('the drawn rows', () => {
  /** Returns where rows of these heights begin, in pixels from the end. */
  const startsOf = (heights: readonly number[]) =>
    Float64Array.from([...heights.map((_, n) => heights.slice(n).reduce((sum, height) => sum + height, 0)), 0]);
  const even = (fromEnd: number, length: number, count = 100) =>
    rowsWithin({ starts: startsOf(Array.from({ length: count }, () => 50)), fromEnd, length });

  test('are those at least partly in the range, which is counted from the end of the feed, and never beyond it', () => {
    expect(even(0, 200)).toEqual({ start: 96, end: 100 });
    expect(even(500, 200)).toEqual({ start: 86, end: 90 });
    expect(even(20, 200)).toEqual({ start: 95, end: 100 });
    expect(even(-300, 500)).toEqual({ start: 96, end: 100 });
    expect(even(4_900, 500)).toEqual({ start: 0, end: 2 });
    expect(even(90_000, 500)).toEqual({ start: 0, end: 1 });
    expect(even(0, 500, 0)).toEqual({ start: 0, end: 0 });
  });

  test('are those in view immediately and the rest step by step; drawn ones stay if they are still wanted', () => {
    const inView = { start: 40, end: 60 };
    const wanted = { start: 20, end: 80 };
    let present = stepTo(wanted, { present: { start: 0, end: 10 }, inView, maxNew: 10 });
    expect(present).toEqual({ start: 35, end: 65 });
    for (let step = 0; step < 3; step += 1) present = stepTo(wanted, { present, inView, maxNew: 10 });
    expect(present).toEqual(wanted);
    const next = stepTo(wanted, { present: { start: 0, end: 70 }, inView, maxNew: 4 });
    expect(next).toEqual({ start: 20, end: 74 });
    expect(holds(stepTo(inView, { present: { start: 0, end: 0 }, inView, maxNew: 0 }), inView)).toBe(true);
  });
});
