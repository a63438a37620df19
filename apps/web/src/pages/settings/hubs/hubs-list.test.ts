import { expect, test } from 'bun:test';
import { isShorter, retentionLabel, retentionText } from './hubs-list.ts';

test('formats how long items are kept', () => {
  expect([null, 1, 90].map(retentionText)).toEqual(['forever', 'for 1 day', 'for 90 days']);
  expect([null, 90].map(retentionLabel)).toEqual(['Forever', 'For 90 days']);
});

test('isShorter is true only for a retention period that deletes more items than the current one', () => {
  expect(isShorter(30, null)).toBe(true);
  expect(isShorter(30, 90)).toBe(true);
  expect(isShorter(90, 30)).toBe(false);
  expect(isShorter(90, 90)).toBe(false);
  expect(isShorter(null, 30)).toBe(false);
});
