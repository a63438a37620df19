import { expect, test } from 'bun:test';
import { timeWords } from './time-words.ts';

const WINTER = Date.parse('2026-01-15T12:05:00Z');

test('the zone is named with its present offset, and the language in words', () => {
  expect(timeWords(WINTER, 'en-GB', 'Europe/Berlin')).toEqual({
    zone: 'Europe/Berlin, UTC+1',
    language: 'British English',
    example: '15 Jan 2026, 13:05',
  });
  expect(timeWords(Date.parse('2026-07-15T12:05:00Z'), 'de', 'America/New_York').zone).toBe('America/New York, UTC-4');
  expect(timeWords(WINTER, 'de', 'UTC')).toMatchObject({ zone: 'UTC', language: 'German' });
});
