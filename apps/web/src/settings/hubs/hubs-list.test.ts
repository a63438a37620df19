import { expect, test } from 'bun:test';
import { isShorter, keptFor } from './hubs-list.ts';

test('how long items are kept is said in words', () => {
  expect([null, 1, 90].map(keptFor)).toEqual(['for ever', '1 day', '90 days']);
});

test('only a shorter time removes more than goes now', () => {
  expect(isShorter(30, null)).toBe(true);
  expect(isShorter(30, 90)).toBe(true);
  expect(isShorter(90, 30)).toBe(false);
  expect(isShorter(90, 90)).toBe(false);
  expect(isShorter(null, 30)).toBe(false);
});
