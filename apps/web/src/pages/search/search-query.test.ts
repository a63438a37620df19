import { expect, test } from 'bun:test';
import { instantsOf, readTime, writeTime } from './search-query.ts';

const local = (...[year, month, date]: [number, number, number]) => new Date(year, month - 1, date).toISOString();
const NOW = new Date(2026, 2, 14, 15, 9).getTime();

test('a range of the last few days includes today and ends now', () => {
  expect(instantsOf(readTime('last-1'), NOW)).toEqual({ from: local(2026, 3, 14), to: null });
  expect(instantsOf(readTime('last-7'), NOW)).toEqual({ from: local(2026, 3, 8), to: null });
  expect(instantsOf(readTime('last-30'), NOW)).toEqual({ from: local(2026, 2, 13), to: null });
});

test('a range includes both days and may be open at either end', () => {
  expect(instantsOf(readTime('2026-02-27..2026-02-28'), NOW)).toEqual({
    from: local(2026, 2, 27),
    to: local(2026, 3, 1),
  });
  expect(instantsOf(readTime('2026-02-27..'), NOW)).toEqual({ from: local(2026, 2, 27), to: null });
  expect(instantsOf(readTime('..2025-12-31'), NOW)).toEqual({ from: null, to: local(2026, 1, 1) });
});

test('a time survives a round trip through the URL, and invalid values give null', () => {
  for (const text of ['last-7', '2026-02-27..2026-02-28', '2026-02-27..', '..2025-12-31']) {
    const time = readTime(text);
    expect(time && writeTime(time)).toBe(text);
  }
  for (const text of [
    null,
    '',
    'last-0',
    'last-',
    'yesterday',
    '2026-02-30..',
    '2026-2-3..',
    'a..b',
    '..x',
    '1..2..3',
  ]) {
    expect([text, readTime(text)]).toEqual([text, null]);
  }
});
