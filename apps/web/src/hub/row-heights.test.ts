import { expect, test } from 'bun:test';
import { RowHeights } from './row-heights.ts';

const rows = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];

test('rows that were not measured are as high as the others are on average', () => {
  const heights = new RowHeights();
  heights.set('a', 40);
  heights.set('c', 60);
  expect([...heights.startsOf(rows)]).toEqual([150, 110, 60, 0]);
  heights.set('b', 100);
  expect([...heights.startsOf(rows)]).toEqual([200, 160, 60, 0]);
});

test('a row that was measured anew, and rows that come, are counted', () => {
  const heights = new RowHeights();
  for (const { id } of rows) heights.set(id, 50);
  expect(heights.startsOf(rows)[0]).toBe(150);
  heights.set('c', 80);
  expect(heights.startsOf(rows)[0]).toBe(180);
  expect([...heights.startsOf([{ id: 'z' }, ...rows])]).toEqual([240, 180, 130, 80, 0]);
});
