import { describe, expect, test } from 'bun:test';
import { holds, rowsWithin, stepTo } from './row-window.ts';

/** Where rows of these heights begin, counted from the end. */
const startsOf = (heights: readonly number[]) =>
  Float64Array.from([...heights.map((_, n) => heights.slice(n).reduce((sum, height) => sum + height, 0)), 0]);
const even = (fromEnd: number, length: number, count = 100) =>
  rowsWithin({ starts: startsOf(Array.from({ length: count }, () => 50)), fromEnd, length });

describe('the rows in a stretch of the feed', () => {
  test('are counted from its end', () => {
    expect(even(0, 200)).toEqual({ start: 96, end: 100 });
    expect(even(500, 200)).toEqual({ start: 86, end: 90 });
  });

  test('hold those that lie in it in part', () => {
    expect(even(20, 200)).toEqual({ start: 95, end: 100 });
  });

  test('end where the feed ends', () => {
    expect(even(-300, 500)).toEqual({ start: 96, end: 100 });
    expect(even(4_900, 500)).toEqual({ start: 0, end: 2 });
    expect(even(90_000, 500)).toEqual({ start: 0, end: 1 });
    expect(even(0, 500, 0)).toEqual({ start: 0, end: 0 });
  });

  test('may be of any height', () => {
    const heights = [10, 400, 30, 2_000, 60];
    const starts = startsOf(heights);
    expect(rowsWithin({ starts, fromEnd: 100, length: 600 })).toEqual({ start: 3, end: 4 });
    expect(rowsWithin({ starts, fromEnd: 2_070, length: 100 })).toEqual({ start: 1, end: 3 });
  });
});

describe('on the way to a window', () => {
  test('what is in view comes at once, the rest by and by', () => {
    const inView = { start: 40, end: 60 };
    let present = { start: 0, end: 10 };
    const wanted = { start: 20, end: 80 };
    present = stepTo(wanted, { present, inView, most: 10 });
    expect(present).toEqual({ start: 35, end: 65 });
    for (let step = 0; step < 3; step += 1) present = stepTo(wanted, { present, inView, most: 10 });
    expect(present).toEqual(wanted);
  });

  test('what is drawn and still wanted stays, what is not goes', () => {
    const next = stepTo(
      { start: 20, end: 80 },
      { present: { start: 0, end: 70 }, inView: { start: 40, end: 60 }, most: 4 },
    );
    expect(next).toEqual({ start: 20, end: 74 });
  });

  test('it is never less than what is in view', () => {
    const inView = { start: 5, end: 9 };
    expect(holds(stepTo(inView, { present: { start: 0, end: 0 }, inView, most: 0 }), inView)).toBe(true);
  });
});
