import { expect, test } from 'bun:test';
import { rank } from './rank.ts';

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
