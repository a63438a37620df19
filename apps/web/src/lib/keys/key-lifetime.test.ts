import { expect, test } from 'bun:test';
import { outlastsMaxLifetime } from '@hub/contract/key-findings';
import { localDay } from '../time/local-day.ts';
import { dayProblem, endOf, expiryOf, latestDay, offeredDays, successorExpiry } from './key-lifetime.ts';

const DAY_MS = 86_400_000;
/** Noon in the time zone of the tests. */
const NOW = new Date(2026, 10, 12, 12).getTime();

test('offers 30, 90 and 365 days, or those below the maximum lifetime plus the maximum itself', () => {
  expect(offeredDays(null)).toEqual([30, 90, 365]);
  expect(offeredDays(60)).toEqual([30, 60]);
  expect(offeredDays(90)).toEqual([30, 90]);
  expect(offeredDays(7)).toEqual([7]);
  expect(offeredDays(1_000)).toEqual([30, 90, 365, 1_000]);
});

test('sends days as a lifetime, regardless of the browser clock, and includes the whole day of an expiry date', () => {
  expect(expiryOf('never')).toEqual({});
  expect(expiryOf({ days: 90 })).toEqual({ lifetimeSeconds: 7_776_000 });
  const { expiresAt = '' } = expiryOf({ until: '2027-02-28' });
  expect(Date.parse(expiresAt)).toBe(new Date(2027, 2, 1).getTime());
  expect(endOf({ until: 'soon' }, NOW)).toBeNull();
});

test('returns the last date whose end is within the maximum lifetime', () => {
  const latest = latestDay(30, NOW);
  expect(Date.parse(endOf({ until: latest }, NOW) ?? '')).toBeLessThanOrEqual(NOW + 30 * DAY_MS);
  const next = localDay(new Date(`${latest}T12:00`).getTime() + DAY_MS);
  expect(Date.parse(endOf({ until: next }, NOW) ?? '')).toBeGreaterThan(NOW + 30 * DAY_MS);
});

test('rejects a date that is invalid, in the past or beyond the maximum lifetime', () => {
  expect(dayProblem('', null, NOW)).toBe('Choose an expiry date.');
  expect(dayProblem('2026-11-11', null, NOW)).toBe('That date has passed. Choose a later one.');
  expect(dayProblem('2026-11-12', null, NOW)).toBe('');
  expect(dayProblem(latestDay(30, NOW), 30, NOW)).toBe('');
  expect(dayProblem('2027-01-01', 30, NOW)).toBe('Keys can last at most 30 days. Choose an earlier date.');
  expect(dayProblem('2027-01-01', 1, NOW)).toBe('Keys can last at most 1 day. Choose an earlier date.');
});

test('flags a key that lasts longer than is now allowed, and gives its successor the maximum lifetime', () => {
  const createdAt = new Date(NOW).toISOString();
  const lasting = (days: number) => ({ createdAt, expiresAt: new Date(NOW + days * DAY_MS).toISOString() });
  const forEver = { createdAt, expiresAt: null };
  expect([forEver, lasting(91), lasting(90)].map((key) => outlastsMaxLifetime(key, 90))).toEqual([true, true, false]);
  expect(outlastsMaxLifetime(forEver, null)).toBe(false);
  expect(successorExpiry(forEver, 90)).toEqual({ lifetimeSeconds: 7_776_000 });
  expect(successorExpiry(lasting(30), 90)).toEqual({});
  expect(successorExpiry(forEver, null)).toEqual({});
});
