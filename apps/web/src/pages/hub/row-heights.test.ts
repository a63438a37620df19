import { expect, test } from 'bun:test';
import { RowHeights } from './row-heights.ts';

const rows = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];

test('estimates the height of unmeasured rows as the average of the others', () => {
  const heights = new RowHeights();
  heights.set('a', 40);
  heights.set('c', 60);
  expect([...heights.startsOf(rows)]).toEqual([150, 110, 60, 0]);
  heights.set('b', 100);
  expect([...heights.startsOf(rows)]).toEqual([200, 160, 60, 0]);
});

test('updates the row positions when a row is remeasured or added', () => {
  const heights = new RowHeights();
  for (const { id } of rows) heights.set(id, 50);
  expect(heights.startsOf(rows)[0]).toBe(150);
  heights.set('c', 80);
  expect(heights.startsOf(rows)[0]).toBe(180);
  expect([...heights.startsOf([{ id: 'z' }, ...rows])]).toEqual([240, 180, 130, 80, 0]);
});
