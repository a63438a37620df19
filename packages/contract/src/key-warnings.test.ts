import { expect, test } from 'bun:test';
import { dueWarning } from './key-warnings.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const inDays = (days: number) => new Date(NOW + days * 86_400_000).toISOString();
const due = (lifetimeDays: number, daysLeft: number) =>
  dueWarning({ createdAt: inDays(daysLeft - lifetimeDays), expiresAt: inDays(daysLeft) }, NOW);

test('warnings are due 14, 7 and 1 day before the expiry', () => {
  expect([15, 14.001, 14, 8, 7, 2, 1, 0.1].map((left) => due(90, left))).toEqual([null, null, 14, 14, 7, 7, 1, 1]);
});

test('a warning is skipped if it would already be due when the key is created', () => {
  expect([14, 7.1, 7, 1].map((left) => due(14, left))).toEqual([null, null, 7, 1]);
  expect([7, 1.1, 1].map((left) => due(7, left))).toEqual([null, null, 1]);
  expect([1, 0.1].map((left) => due(1, left))).toEqual([null, null]);
});

test('no warning is due for a key that never expires', () => {
  expect(dueWarning({ createdAt: inDays(-90), expiresAt: null }, NOW)).toBeNull();
});
