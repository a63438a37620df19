import { expect, test } from 'bun:test';
import { InSight } from './in-sight.ts';

test('what is in sight long enough has been seen, each by its own time', () => {
  const inSight = new InSight(3_000);
  inSight.look(['a'], 0);
  inSight.look(['a', 'b'], 1_000);
  expect([inSight.takeSeen(2_999), inSight.waitMs(2_999)]).toEqual([[], 1]);
  expect([inSight.takeSeen(3_000), inSight.waitMs(3_000)]).toEqual([['a'], 1_000]);
  expect([inSight.takeSeen(4_000), inSight.waitMs(4_000)]).toEqual([['b'], null]);
});

test('what was out of sight in between begins anew', () => {
  const inSight = new InSight(3_000);
  inSight.look(['a', 'b'], 0);
  inSight.look(['b'], 2_000);
  inSight.look(['a', 'b'], 2_500);
  expect(inSight.takeSeen(3_000)).toEqual(['b']);
  expect(inSight.takeSeen(5_499)).toEqual([]);
  inSight.look([], 5_499);
  expect([inSight.takeSeen(9_000), inSight.waitMs(9_000)]).toEqual([[], null]);
});
