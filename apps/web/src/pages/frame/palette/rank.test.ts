import { expect, test } from 'bun:test';
import { comparable, fuzzyMatch, rank } from './rank.ts';

const match = (query: string, text: string) => fuzzyMatch(comparable(query), comparable(text));
/** The text with its matched parts in brackets, or null. */
function shown(query: string, text: string): string | null {
  const found = match(query, text);
  if (!found) return null;
  const marked = found.ranges.toReversed();
  return marked.reduce(
    (all, [start, end]) => `${all.slice(0, start)}[${all.slice(start, end)}]${all.slice(end)}`,
    text,
  );
}
test('finds the characters of the query in order, and marks them where they fit best', () => {
  expect(shown('rel', 'Releases')).toBe('[Rel]eases');
  expect(shown('stgs', 'Settings')).toBe('[S]e[t]tin[gs]');
  expect(shown('api keys', 'API keys')).toBe('[API] [keys]');
  expect(shown('ak', 'API keys')).toBe('[A]PI [k]eys');
  expect(shown('td', 'My to-dos')).toBe('My [t]o-[d]os');
  expect(shown('hn', 'newHubName')).toBe('new[H]ub[N]ame');
});

test('does not match characters in another order, missing ones, or scattered ones that begin no word', () => {
  expect(shown('ler', 'Releases')).toBeNull();
  expect(shown('rex', 'Releases')).toBeNull();
  expect(shown('es', 'Releases')).toBe('Releas[es]');
  expect(shown('lss', 'Releases')).toBeNull();
});

test('ignores case, accents and compatibility forms in any language', () => {
  expect(shown('tomas', 'Tomás')).toBe('[Tomás]');
  expect(shown('tomás', 'Tomas')).toBe('[Tomas]');
  expect(shown('tomas', 'Toma\u0301s O')).toBe('[Toma\u0301s] O');
  expect(shown('strasse', 'Straße')).toBe('[Straße]');
  expect(shown('fi', 'ﬁnance')).toBe('[ﬁ]nance');
  expect(shown('οδος', 'ΟΔΟΣ')).toBe('[ΟΔΟΣ]');
  expect(shown('한', '한국')).toBe('[한]국');
  expect(shown('하', '한국')).toBe('[한]국');
  expect(shown('リリース', '新しいリリース')).toBe('新しい[リリース]');
  expect(shown('😀', 'a 😀 b')).toBe('a [😀] b');
});

test('an empty query matches everything and marks nothing', () => {
  expect(match(' ', 'Releases')).toEqual({ score: 0, ranges: [] });
});

const ENTRIES = ['Releases', 'Relay', 'Stream', 'Search', 'Settings', 'Sessions', 'Sign out'].map((label) => ({
  id: label.toLowerCase(),
  label,
}));
const labels = (query: string, recent: string[] = []) => rank(ENTRIES, query, recent).map(({ label }) => label);

test('shows the most recent entries first if there is no query, at most five, and no entry twice', () => {
  expect(labels('', ['settings', 'gone', 'relay']).slice(0, 3)).toEqual(['Settings', 'Relay', 'Releases']);
  expect(labels('', ['settings'])).toHaveLength(ENTRIES.length);
  const all = ENTRIES.map(({ id }) => id).toReversed();
  expect(rank(ENTRIES, ' ', all).filter(({ isRecent }) => isRecent)).toHaveLength(5);
});

test('shows the best match first, and prefers recent entries among similar ones', () => {
  expect(labels('rel')).toEqual(['Relay', 'Releases']);
  expect(labels('rel', ['releases'])).toEqual(['Releases', 'Relay']);
  expect(labels('so', ['sessions'])[0]).toBe('Sign out');
  expect(labels('xyz')).toEqual([]);
});

test('finds an entry by an alias, after those whose label matches, and marks nothing', () => {
  const entries = [
    { id: 'out', label: 'Sign out', aliases: ['Log out'] },
    { id: 'log', label: 'Audit log' },
  ];
  expect(rank(entries, 'log', []).map(({ id }) => id)).toEqual(['log', 'out']);
  expect(rank(entries, 'logo', [])).toMatchObject([{ id: 'out', ranges: [] }]);
  expect(rank(entries, 'out', [])).toMatchObject([{ id: 'out', ranges: [[5, 8]] }]);
  expect(rank(entries, 'g out', [])).toEqual([]);
});
