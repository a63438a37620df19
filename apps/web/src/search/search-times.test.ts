import { expect, test } from 'bun:test';
import { instantsOf, readTime, writeTime } from './search-times.ts';

const local = (...[year, month, date]: [number, number, number]) => new Date(year, month - 1, date).toISOString();
const NOW = new Date(2026, 2, 14, 15, 9).getTime();

test('the last days end now, and today is one of them', () => {
  expect(instantsOf(readTime('last-1'), NOW)).toEqual({ from: local(2026, 3, 14), to: null });
  expect(instantsOf(readTime('last-7'), NOW)).toEqual({ from: local(2026, 3, 8), to: null });
  expect(instantsOf(readTime('last-30'), NOW)).toEqual({ from: local(2026, 2, 13), to: null });
});

test('from one day to another, both included, or open at one end', () => {
  expect(instantsOf(readTime('2026-02-27..2026-02-28'), NOW)).toEqual({
    from: local(2026, 2, 27),
    to: local(2026, 3, 1),
  });
  expect(instantsOf(readTime('2026-02-27..'), NOW)).toEqual({ from: local(2026, 2, 27), to: null });
  expect(instantsOf(readTime('..2025-12-31'), NOW)).toEqual({ from: null, to: local(2026, 1, 1) });
});

test('it stands in the address as it is read from there, and nonsense is no time', () => {
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
