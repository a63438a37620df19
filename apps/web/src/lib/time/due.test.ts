import { describe, expect, test } from 'bun:test';
import type { Todo } from '@hub/contract';
import { weekdayNames, zoneText } from './dates.ts';
import {
  dayFromNow,
  daysToMonday,
  dueFields,
  dueGroup,
  dueInstant,
  dueSentence,
  dueText,
  todoStatusText,
} from './due.ts';
import { clockTime, shortDayAndYear } from './format.ts';

describe('due dates', () => {
  /** A Thursday in the local time zone. */
  const NOW = new Date(2026, 10, 12, 11, 0).getTime();
  const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).toISOString();

  test.each([
    ['overdue', [at(10, 9), at(12, 11)]],
    ['today', [at(12, 11, 1), at(12, 23, 59)]],
    ['week', [at(13, 0), at(14, 23, 59), at(19, 23, 59)]],
    ['future', [at(20, 0)]],
    ['none', [null]],
  ] as const)('are in the group %s', (group, dueDates) => {
    for (const dueDate of dueDates) expect(dueGroup(dueDate, NOW)).toBe(group);
  });

  test('the next week begins on the next Monday', () => {
    for (const [n, days] of [7, 6, 5, 4, 3, 2, 1].entries())
      expect(daysToMonday(new Date(2026, 10, 9 + n, 12).getTime())).toBe(days);
  });

  test('a day without a time is shown without one and survives a round trip through the fields', () => {
    const friday = dueInstant({ day: '2026-11-13', time: '' }) ?? '';
    expect(dueFields(friday)).toEqual({ day: '2026-11-13', time: '' });
    expect([dueText(friday, NOW), dueSentence(friday, NOW)]).toEqual(['Tomorrow', 'Tomorrow']);
    expect([dueInstant({ day: '', time: '18:00' }), dueFields(null)]).toEqual([null, { day: '', time: '' }]);
  });

  test('a time is shown with its day', () => {
    const evening = dueInstant({ day: '2026-11-12', time: '18:00' }) ?? '';
    expect(dueFields(evening)).toEqual({ day: '2026-11-12', time: '18:00' });
    const yesterday = dueInstant({ day: '2026-11-11', time: '18:00' }) ?? '';
    expect(dueText(yesterday, NOW)).toBe('Yesterday');
    expect(dueSentence(yesterday, NOW)).toStartWith('Yesterday, ');
    expect(dueSentence(evening, NOW)).toStartWith('Today, ');
  });

  test('days are counted correctly across a daylight saving change', () => {
    const { TZ } = process.env;
    process.env.TZ = 'Europe/Berlin';
    const at = (day: number, hour: number) => new Date(2026, 9, day, hour).getTime();
    expect(dueFields(dayFromNow(2, at(24, 12))).day).toBe('2026-10-26');
    expect(dueGroup(new Date(at(25, 23)).toISOString(), at(25, 12))).toBe('today');
    process.env.TZ = TZ ?? '';
  });

  const nowMs = Date.parse(at(11, 12));
  const textOf = (facts: Partial<Todo>) =>
    todoStatusText({ status: 'open', assignee: null, finishedBy: null, dueDate: null, ...facts } as Todo, nowMs);
  const tomas = { id: 'usr_1', name: 'Tomás Rey' };

  test.each([
    [{}, 'open'],
    [{ assignee: tomas, dueDate: at(11, 23, 59) }, 'open · Tomás · due today'],
    [{ dueDate: at(12, 23, 59) }, 'open · due tomorrow'],
    [{ dueDate: at(11, 9) }, 'open · overdue'],
    [{ dueDate: at(11, 18) }, /^open · due today, (?:0?6:00 PM|18:00)$/],
    [{ status: 'done', finishedBy: tomas, dueDate: at(1, 9) }, 'done · Tomás'],
  ] as const)('the status of %j is %s', (facts, text) => expect(textOf(facts)).toMatch(text));
});

describe('dates', () => {
  test('names the time zone with its current offset', () => {
    expect(zoneText(Date.parse('2026-01-15T12:05:00Z'), 'Europe/Berlin')).toBe('Europe/Berlin, UTC+1');
    expect(zoneText(Date.parse('2026-07-15T12:05:00Z'), 'America/New_York')).toBe('America/New York, UTC-4');
    expect(zoneText(Date.parse('2026-01-15T12:05:00Z'), 'UTC')).toBe('UTC');
  });

  test('are in British English, whatever the language of the browser', () => {
    expect(shortDayAndYear.format(new Date(2026, 10, 14))).toBe('14 Nov 2026');
    expect(clockTime(new Date(2026, 10, 14, 18, 5).toISOString())).toBe('18:05');
  });

  test('starts the week on Monday', () => {
    expect(weekdayNames().map(({ short }) => short)).toEqual(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']);
  });
});
