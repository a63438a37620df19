import { expect, test } from 'bun:test';
import { ViewTracker } from './view-tracker.ts';

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
