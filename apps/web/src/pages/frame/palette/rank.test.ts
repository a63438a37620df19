import { expect, test } from 'bun:test';
import { fuzzyMatch, rank } from './rank.ts';

/** The text with its matched parts in brackets, or null. */
function shown(query: string, text: string): string | null {
  const found = fuzzyMatch(query, text);
  if (!found) return null;
  const marked = found.ranges.toReversed();
  return marked.reduce((all, [from, to]) => `${all.slice(0, from)}[${all.slice(from, to)}]${all.slice(to)}`, text);
}

test.each([
  ['rel', 'Releases', '[Rel]eases'],
  ['stgs', 'Settings', '[S]e[t]tin[gs]'],
  ['api keys', 'API keys', '[API keys]'],
  ['ak', 'API keys', '[A]PI [k]eys'],
  ['td', 'My to-dos', 'My [t]o-[d]os'],
  ['hn', 'newHubName', 'new[H]ub[N]ame'],
  // Another order, missing characters, and scattered ones that begin no word.
  ['ler', 'Releases', null],
  ['rex', 'Releases', null],
  ['es', 'Releases', 'Releas[es]'],
  ['lss', 'Releases', null],
  // Case, accents and compatibility forms in any language.
  ['tomas', 'Tomás', '[Tomás]'],
  ['tomás', 'Tomas', '[Tomas]'],
  ['tomas', 'Toma\u0301s O', '[Toma\u0301s] O'],
  ['strasse', 'Straße', '[Straße]'],
  ['fi', 'ﬁnance', '[ﬁ]nance'],
  ['οδος', 'ΟΔΟΣ', '[ΟΔΟΣ]'],
  ['한', '한국', '[한]국'],
  ['하', '한국', '[한]국'],
  ['リリース', '新しいリリース', '新しい[リリース]'],
  ['😀', 'a 😀 b', 'a [😀] b'],
])('%j finds in %j: %j', (query, text, marked) => expect(shown(query, text)).toBe(marked));

const LABELS = ['Releases', 'Relay', 'Stream', 'Search', 'Settings', 'Sessions', 'Sign out'];
const ENTRIES = LABELS.map((label) => ({ id: label.toLowerCase(), label }));
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
  const signOut = { id: 'out', label: 'Sign out', aliases: ['Log out'] };
  const entries = [signOut, { id: 'log', label: 'Audit log' }];
  expect(rank(entries, 'log', []).map(({ id }) => id)).toEqual(['log', 'out']);
  expect(rank(entries, 'logo', [])).toMatchObject([{ id: 'out', ranges: [] }]);
  expect(rank(entries, 'out', [])).toMatchObject([{ id: 'out', ranges: [[5, 8]] }]);
  expect(rank(entries, 'g out', [])).toEqual([]);
});
