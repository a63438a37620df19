import { describe, expect, test } from 'bun:test';
import type { Todo } from '@hub/contract';
import { weekdayNames, zoneText } from './dates.ts';
import {
  dayFromNow,
  daysToNextWeek,
  daysToNextWorkWeek,
  dueFields,
  dueGroup,
  dueInstant,
  dueSentence,
  dueText,
  todoStatusText,
} from './due.ts';

describe('due dates', () => {
  /** A Thursday in the local time zone. */
  const NOW = new Date(2026, 10, 12, 11, 0).getTime();
  const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).toISOString();

  describe('the group of a due date', () => {
    test('is overdue for a time in the past or the current minute', () => {
      expect(dueGroup(at(10, 9), NOW)).toBe('overdue');
      expect(dueGroup(at(12, 11), NOW)).toBe('overdue');
    });

    test('is today until the last minute of the day', () => {
      expect(dueGroup(at(12, 11, 1), NOW)).toBe('today');
      expect(dueGroup(at(12, 23, 59), NOW)).toBe('today');
    });

    test('is this week until the calendar week ends, and later after that', () => {
      expect(dueGroup(at(13, 0), NOW)).toBe('week');
      expect(dueGroup(at(14, 23, 59), NOW)).toBe('week');
      expect(dueGroup(at(16, 0), NOW)).toBe('future');
    });

    test('is tomorrow, not later, when the week ends today', () => {
      const lastDay = new Date(2026, 10, 11 + daysToNextWeek(NOW), 11, 0);
      const after = (days: number) => dayFromNow(days, lastDay.getTime());
      expect([0, 1, 2].map((days) => dueGroup(after(days), lastDay.getTime()))).toEqual([
        'today',
        'tomorrow',
        'future',
      ]);
    });
    test('is "none" if there is no due date', () => {
      expect(dueGroup(null, NOW)).toBe('none');
    });
  });

  test('the next week begins on its first working day', () => {
    for (let day = 8; day < 15; day += 1) {
      const ms = new Date(2026, 10, day, 12).getTime();
      expect(new Date(ms + daysToNextWorkWeek(ms) * 86_400_000).getDay()).toBe(1);
    }
  });

  test('a day without a time is shown without one and survives a round trip through the fields', () => {
    const friday = dueInstant({ day: '2026-11-13', time: '' }) ?? '';
    expect(dueFields(friday)).toEqual({ day: '2026-11-13', time: '' });
    expect(dueText(friday, NOW)).toBe('Tomorrow');
    expect(dueSentence(friday, NOW)).toBe('Tomorrow');
  });

  test('a time is shown with its day', () => {
    const evening = dueInstant({ day: '2026-11-12', time: '18:00' }) ?? '';
    expect(dueFields(evening)).toEqual({ day: '2026-11-12', time: '18:00' });
    const yesterday = dueInstant({ day: '2026-11-11', time: '18:00' }) ?? '';
    expect([dueText(yesterday, NOW), dueSentence(yesterday, NOW)]).toEqual([
      'Yesterday',
      expect.stringMatching(/^Yesterday, /),
    ]);
    expect(dueSentence(evening, NOW)).toStartWith('Today, ');
  });

  test('fields without a day give no due date', () => {
    expect(dueInstant({ day: '', time: '18:00' })).toBeNull();
    expect(dueFields(null)).toEqual({ day: '', time: '' });
  });

  test('days are counted correctly across a daylight saving change', () => {
    const saturday = new Date(2026, 9, 24, 12).getTime();
    expect(dueFields(dayFromNow(2, saturday)).day).toBe('2026-10-26');
  });

  const nowMs = Date.parse(at(11, 12));
  const textOf = (facts: Partial<Todo>) =>
    todoStatusText({ status: 'open', assignee: null, finishedBy: null, dueDate: null, ...facts } as Todo, nowMs);
  const tomas = { id: 'usr_1', name: 'Tomás Rey' };

  test('an open to-do shows its assignee and due date', () => {
    expect(textOf({})).toBe('open');
    expect(textOf({ assignee: tomas, dueDate: at(11, 23, 59) })).toBe('open · Tomás · due today');
    expect(textOf({ dueDate: at(12, 23, 59) })).toBe('open · due tomorrow');
    expect(textOf({ dueDate: at(11, 9) })).toBe('open · overdue');
    expect(textOf({ dueDate: at(11, 18) })).toMatch(/^open · due today, 0?6:00 PM$|^open · due today, 18:00$/);
  });

  test('a completed to-do shows who completed it and no due date', () => {
    expect(textOf({ status: 'done', assignee: null, finishedBy: tomas, dueDate: at(1, 9) })).toBe('done · Tomás');
  });
});

describe('dates', () => {
  test('names the time zone with its current offset', () => {
    expect(zoneText(Date.parse('2026-01-15T12:05:00Z'), 'Europe/Berlin')).toBe('Europe/Berlin, UTC+1');
    expect(zoneText(Date.parse('2026-07-15T12:05:00Z'), 'America/New_York')).toBe('America/New York, UTC-4');
    expect(zoneText(Date.parse('2026-01-15T12:05:00Z'), 'UTC')).toBe('UTC');
  });

  test('starts the week on Monday', () => {
    expect(weekdayNames().map(({ short }) => short)).toEqual(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']);
  });
});
