import { expect, test } from 'bun:test';
import { sizeText } from './count-text.ts';
import { itemUrl } from './items.ts';
import { matchingUsers, withName } from './matching.ts';
import { unsavedPhrase, unsavedSummary } from './unsaved-summary.ts';

test('sizes are given in a readable unit', () => {
  const sizes = [0, 999, 1_000, 12_440, 417_792, 12_400_000, 3_000_000_000, 5e15];
  const texts = ['0 B', '999 B', '1 kB', '12.4 kB', '418 kB', '12.4 MB', '3 GB', '5.000 TB'];
  expect(sizes.map((size) => sizeText(size).replace(/[.,]/g, '.'))).toEqual(texts);
});

test.each([
  [{ id: 'x_1', kind: 'message' }, '/hubs/hub_1?at=x_1'],
  [{ id: 'x_1', kind: 'message', parentId: 'msg_0' }, '/hubs/hub_1?at=msg_0&open=msg_0&reply=x_1'],
  [{ id: 'x_1', kind: 'message', parentId: 'note_0' }, '/hubs/hub_1/notes?open=note_0&reply=x_1'],
  [{ id: 'x_1', kind: 'note' }, '/hubs/hub_1/notes?open=x_1'],
  [{ id: 'x_1', kind: 'todo' }, '/hubs/hub_1/todos?open=x_1'],
  [{ id: 'a&b=c', kind: 'note', hubId: '../x' }, '/hubs/..%2Fx/notes?open=a%26b%3Dc'],
] as const)('the URL of %j is %s', (item, url) => expect(itemUrl({ hubId: 'hub_1', ...item })).toBe(url));

test.each([
  [' ', ['Équipe', 'ops/deploys', 'Releases']],
  [' equ', ['Équipe']],
  ['DEPLOY', ['ops/deploys']],
  ['none', []],
])('%j finds the names %j, ignoring case and accents', (text, names) => {
  const hubs = ['Équipe', 'ops/deploys', 'Releases'].map((name) => ({ name }));
  expect(withName(hubs, text).map(({ name }) => name)).toEqual(names);
});

test.each([
  [{ unsent: 0, draft: 0 }, ''],
  [{ unsent: 1, draft: 0 }, '1 unsent message'],
  [{ unsent: 0, draft: 1 }, '1 draft'],
  [{ unsent: 3, draft: 2 }, '3 unsent messages and 2 drafts'],
])('%j is described as %j', (kept, phrase) => expect(unsavedPhrase(kept)).toBe(phrase));

test('counts unsent messages and drafts', () => {
  expect(unsavedSummary(['hub.theme'])).toContain('You have no unsent messages');
  expect(unsavedSummary(['hub.draft.usr_1.hub_1', 'hub.outbox.usr_1.a', 'hub.outbox.usr_1.b'])).toBe(
    'Saved in this browser until you’re back: 2 unsent messages and 1 draft.',
  );
});

test('finds users by the beginning of any part of their name, ignoring case and accents, the reader first', () => {
  const users = ['Ines Duarte', 'Tomás Okafor', 'Anne-Marie Dubois'].map((name) => ({ id: name, name }));
  const found = (words: string) => matchingUsers(users, words, 'Tomás Okafor').map(({ name }) => name);
  expect(found(' ')).toEqual(['Tomás Okafor', 'Ines Duarte', 'Anne-Marie Dubois']);
  expect([found('tomas'), found('du marie'), found('uarte')]).toEqual([['Tomás Okafor'], ['Anne-Marie Dubois'], []]);
});
