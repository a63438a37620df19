import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { publicCaller } from '@hub/testkit/in-process/public-caller';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';

describe('dueDate', () => {
  let hub: TestHub;
  let caller: Awaited<ReturnType<typeof publicCaller>>;
  beforeAll(async () => {
    hub = await startTestHub();
    caller = await publicCaller(hub);
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  const accepted: [string, string][] = [
    ['2026-03-01T09:30:00Z', '2026-03-01T09:30:00.000Z'],
    ['2026-03-01T09:30:00.123Z', '2026-03-01T09:30:00.123Z'],
    ['2026-03-01T10:30+01:00', '2026-03-01T09:30:00.000Z'],
    ['2026-03-01t09:30z', '2026-03-01T09:30:00.000Z'],
    ['2026-03-01T23:59:59.999999999-12:00', '2026-03-02T11:59:59.999Z'],
    ['2028-02-29T00:00Z', '2028-02-29T00:00:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['2016-12-31T15:59:60-08:00', '2017-01-01T00:00:00.000Z'],
  ];
  for (const [sent, kept] of accepted) {
    test(`${sent} is stored as the instant ${kept}`, async () => {
      const { dueAt } = await caller.stored('todos', { title: 'x', dueDate: sent });
      expect(new Date(dueAt ?? Number.NaN).toISOString()).toBe(kept);
    });
  }

  const rejected: [string, unknown][] = [
    ['a date alone', '2026-03-01'],
    ['a local time without offset', '2026-03-01T09:30:00'],
    ['31 February', '2026-02-31T09:30:00Z'],
    ['29 February of a common year', '2027-02-29T09:30:00Z'],
    ['a leap second in the morning', '2026-03-01T09:30:60Z'],
    ['a leap second at midnight of an offset, not of UTC', '2016-12-31T23:59:60+01:00'],
    ['a number', 1_772_357_400_000],
    ['a number of seconds as text', '1772357400'],
    ['true', true],
    ['an array', ['2026-03-01T09:30:00Z']],
    ['an object', { date: '2026-03-01' }],
    ['a word', 'tomorrow'],
    ['a space in place of T', '2026-03-01 09:30:00Z'],
    ['spaces around it', ' 2026-03-01T09:30:00Z '],
    ['the form of e-mail', 'Sun, 01 Mar 2026 09:30:00 GMT'],
    ['a NUL at its end', '2026-03-01T09:30:00Z\0'],
    ['a lone surrogate', '\ud800'],
    ['a million digits', `2026-03-01T09:30:00.${'0'.repeat(900_000)}`],
  ];
  for (const [name, dueDate] of rejected) {
    test(`${name} returns 400 with the expected format`, async () => {
      expect(await caller.error('todos', { title: 'x', dueDate })).toBe(
        'dueDate must be a valid date and time with Z or an offset, such as 2026-03-01T09:30:00Z or 2026-03-01T10:30+01:00',
      );
    });
  }
});
