import { expect, test } from 'bun:test';
import {
  dayProblem,
  dayText,
  endOf,
  expiryOf,
  latestDay,
  offeredDays,
  outlastsMaxLifetime,
  successorExpiry,
} from './key-lifetime.ts';

const DAY_MS = 86_400_000;
/** Noon, where the tests run. */
const NOW = new Date(2026, 10, 12, 12).getTime();

test('30, 90 and 365 days are offered, or what is within the longest and that itself', () => {
  expect(offeredDays(null)).toEqual([30, 90, 365]);
  expect(offeredDays(60)).toEqual([30, 60]);
  expect(offeredDays(90)).toEqual([30, 90]);
  expect(offeredDays(7)).toEqual([7]);
  expect(offeredDays(1_000)).toEqual([30, 90, 365, 1_000]);
});

test('days are sent as a lifetime, so that the clock of the browser does not matter; a day counts to its end', () => {
  expect(expiryOf('never')).toEqual({});
  expect(expiryOf({ days: 90 })).toEqual({ lifetimeSeconds: 7_776_000 });
  const { expiresAt = '' } = expiryOf({ until: '2027-02-28' });
  expect(Date.parse(expiresAt)).toBe(new Date(2027, 2, 1).getTime());
  expect(endOf({ until: 'soon' }, NOW)).toBeNull();
});

test('the latest day is the last whose end is within what is allowed', () => {
  const latest = latestDay(30, NOW);
  expect(Date.parse(endOf({ until: latest }, NOW) ?? '')).toBeLessThanOrEqual(NOW + 30 * DAY_MS);
  const next = dayText(new Date(`${latest}T12:00`).getTime() + DAY_MS);
  expect(Date.parse(endOf({ until: next }, NOW) ?? '')).toBeGreaterThan(NOW + 30 * DAY_MS);
});

test('a day is refused that is none, has passed, or is beyond what is allowed', () => {
  expect(dayProblem('', null, NOW)).toBe('Choose the last day on which it works.');
  expect(dayProblem('2026-11-11', null, NOW)).toBe('That day has passed. Choose a later one.');
  expect(dayProblem('2026-11-12', null, NOW)).toBe('');
  expect(dayProblem(latestDay(30, NOW), 30, NOW)).toBe('');
  expect(dayProblem('2027-01-01', 30, NOW)).toBe('Keys last 30 days at most here. Choose an earlier day.');
  expect(dayProblem('2027-01-01', 1, NOW)).toBe('Keys last 1 day at most here. Choose an earlier day.');
});

test('a key that lasts longer than is allowed now is flagged, and its successor is given the longest that is', () => {
  const createdAt = new Date(NOW).toISOString();
  const lasting = (days: number) => ({ createdAt, expiresAt: new Date(NOW + days * DAY_MS).toISOString() });
  const forEver = { createdAt, expiresAt: null };
  expect([forEver, lasting(91), lasting(90)].map((key) => outlastsMaxLifetime(key, 90))).toEqual([true, true, false]);
  expect(outlastsMaxLifetime(forEver, null)).toBe(false);
  expect(successorExpiry(forEver, 90)).toEqual({ lifetimeSeconds: 7_776_000 });
  expect(successorExpiry(lasting(30), 90)).toEqual({});
  expect(successorExpiry(forEver, null)).toEqual({});
});
