import { describe, expect, test } from 'bun:test';
import { hitLine } from './hit-line.ts';
import { instantsOf, readTime, writeTime } from './search-query.ts';

describe('the line of a result', () => {
  const marked = (text: string, query: string) =>
    hitLine(text, query)
      .map(({ text: part, isHit }) => (isHit ? `[${part}]` : part))
      .join('');

  test('highlights the words of the query, ignoring case and accents', () => {
    expect(marked('Über die Straße: cafe, Café', 'uber strasse CAFE')).toBe('[Über] die [Straße]: [cafe], [Café]');
    expect(marked('Η Ελλάδα, ΕΛΛΆΣ', 'ελλαδα ΕΛΛΑΣ')).toBe('Η [Ελλάδα], [ΕΛΛΆΣ]');
    expect(marked('אמר שָׁלוֹם לך', 'שלום ')).toBe('אמר [שָׁלוֹם] לך');
    expect(marked('ﬁle Ｈｕｂ', 'file hub')).toBe('[ﬁle] [Ｈｕｂ]');
  });

  test('matches the last word as the start of a word and the others as whole words', () => {
    expect(marked('deploys deploy deployed', 'deploy de')).toBe('[de]ploys [deploy] [de]ployed');
    expect(marked('deploys deploy', 'deploy ')).toBe('deploys [deploy]');
  });

  test('shows the part of a long text that matches', () => {
    const line = marked(`${'one two three '.repeat(40)}needle ${'four five six '.repeat(40)}`, 'needle');
    expect(line).toStartWith('one two three one two three one two … ');
    expect(line).toEndWith('…');
    expect(line).toContain('three [needle] four');
    expect(line.length).toBeLessThan(260);
  });
});

describe('the time of a query', () => {
  const local = (...[year, month, date]: [number, number, number]) => new Date(year, month - 1, date).toISOString();
  const NOW = new Date(2026, 2, 14, 15, 9).getTime();

  test('a range of the last few days includes today and ends now', () => {
    expect(instantsOf(readTime('last-1'), NOW)).toEqual({ from: local(2026, 3, 14), to: null });
    expect(instantsOf(readTime('last-7'), NOW)).toEqual({ from: local(2026, 3, 8), to: null });
    expect(instantsOf(readTime('last-30'), NOW)).toEqual({ from: local(2026, 2, 13), to: null });
  });

  test('a time survives a round trip through the URL, and invalid values give null', () => {
    for (const text of ['last-7', '2026-02-27..2026-02-28', '2026-02-27..', '..2025-12-31']) {
      const time = readTime(text);
      expect(time && writeTime(time)).toBe(text);
    }
    const invalid = [null, '', 'last-0', 'last-', 'yesterday', '2026-02-30..', '2026-2-3..', 'a..b', '..x', '1..2..3'];
    expect(invalid.filter((text) => readTime(text) !== null)).toEqual([]);
  });
});
