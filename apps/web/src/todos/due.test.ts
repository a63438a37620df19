import { describe, expect, test } from 'bun:test';
import { dayFromNow, daysToNextWeek, dueFields, dueGroup, dueInstant, dueSentence, dueText } from './due.ts';

/** Thursday, where the test runs. */
const NOW = new Date(2026, 10, 12, 11, 0).getTime();
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).toISOString();

describe('the group of a due date', () => {
  test('what is past is overdue, also of this very minute', () => {
    expect(dueGroup(at(10, 9), NOW)).toBe('overdue');
    expect(dueGroup(at(12, 11), NOW)).toBe('overdue');
  });

  test('the rest of the day is today, to its last minute', () => {
    expect(dueGroup(at(12, 11, 1), NOW)).toBe('today');
    expect(dueGroup(at(12, 23, 59), NOW)).toBe('today');
  });

  test('the week ends where the calendar says, and what comes behind it is later', () => {
    expect(dueGroup(at(13, 0), NOW)).toBe('week');
    expect(dueGroup(at(14, 23, 59), NOW)).toBe('week');
    expect(dueGroup(at(16, 0), NOW)).toBe('later');
  });

  test('tomorrow is never later, not even where a week ends today', () => {
    const lastDay = new Date(2026, 10, 11 + daysToNextWeek(NOW), 11, 0);
    const after = (days: number) => dayFromNow(days, lastDay.getTime());
    expect([0, 1, 2].map((days) => dueGroup(after(days), lastDay.getTime()))).toEqual(['today', 'tomorrow', 'later']);
  });
  test('without a date there is none', () => {
    expect(dueGroup(null, NOW)).toBe('none');
  });
});

test('a day alone is shown without a time, and survives its fields', () => {
  const friday = dueInstant({ day: '2026-11-13', time: '' }) ?? '';
  expect(dueFields(friday)).toEqual({ day: '2026-11-13', time: '' });
  expect(dueText(friday, NOW)).toBe('Tomorrow');
  expect(dueSentence(friday, NOW)).toBe('Tomorrow');
});

test('a time is shown with its day', () => {
  const evening = dueInstant({ day: '2026-11-12', time: '18:00' }) ?? '';
  expect(dueFields(evening)).toEqual({ day: '2026-11-12', time: '18:00' });
  expect(dueSentence(evening, NOW)).toStartWith('Today, ');
});

test('no day is no date', () => {
  expect(dueInstant({ day: '', time: '18:00' })).toBeNull();
  expect(dueFields(null)).toEqual({ day: '', time: '' });
});

test('days are counted over the change of the clocks', () => {
  const saturday = new Date(2026, 9, 24, 12).getTime();
  expect(dueFields(dayFromNow(2, saturday)).day).toBe('2026-10-26');
});
