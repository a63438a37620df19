import { describe, expect, test } from 'bun:test';
import { holds, rowsWithin, stepTo } from './row-window.ts';

/** Returns where rows of these heights begin, in pixels from the end. */
const startsOf = (heights: readonly number[]) =>
  Float64Array.from([...heights.map((_, n) => heights.slice(n).reduce((sum, height) => sum + height, 0)), 0]);
const even = (fromEnd: number, length: number, count = 100) =>
  rowsWithin({ starts: startsOf(Array.from({ length: count }, () => 50)), fromEnd, length });

describe('rowsWithin', () => {
  test('counts from the end of the feed', () => {
    expect(even(0, 200)).toEqual({ start: 96, end: 100 });
    expect(even(500, 200)).toEqual({ start: 86, end: 90 });
  });

  test('includes rows that are partly in the range', () => {
    expect(even(20, 200)).toEqual({ start: 95, end: 100 });
  });

  test('never extends past the ends of the feed', () => {
    expect(even(-300, 500)).toEqual({ start: 96, end: 100 });
    expect(even(4_900, 500)).toEqual({ start: 0, end: 2 });
    expect(even(90_000, 500)).toEqual({ start: 0, end: 1 });
    expect(even(0, 500, 0)).toEqual({ start: 0, end: 0 });
  });

  test('handles rows of any height', () => {
    const heights = [10, 400, 30, 2_000, 60];
    const starts = startsOf(heights);
    expect(rowsWithin({ starts, fromEnd: 100, length: 600 })).toEqual({ start: 3, end: 4 });
    expect(rowsWithin({ starts, fromEnd: 2_070, length: 100 })).toEqual({ start: 1, end: 3 });
  });
});

describe('stepTo', () => {
  test('adds the rows in view immediately and the rest step by step', () => {
    const inView = { start: 40, end: 60 };
    let present = { start: 0, end: 10 };
    const wanted = { start: 20, end: 80 };
    present = stepTo(wanted, { present, inView, maxNew: 10 });
    expect(present).toEqual({ start: 35, end: 65 });
    for (let step = 0; step < 3; step += 1) present = stepTo(wanted, { present, inView, maxNew: 10 });
    expect(present).toEqual(wanted);
  });

  test('keeps drawn rows that are still wanted and drops the others', () => {
    const next = stepTo(
      { start: 20, end: 80 },
      { present: { start: 0, end: 70 }, inView: { start: 40, end: 60 }, maxNew: 4 },
    );
    expect(next).toEqual({ start: 20, end: 74 });
  });

  test('never returns fewer rows than are in view', () => {
    const inView = { start: 5, end: 9 };
    expect(holds(stepTo(inView, { present: { start: 0, end: 0 }, inView, maxNew: 0 }), inView)).toBe(true);
  });
});
