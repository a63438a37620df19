import { expect, test } from 'bun:test';
import type { ApiKey } from '@hub/contract';
import { daysFromNow, NOW, testKey } from '@hub/testkit/web/test-key';
import { groupKeys, type KeyFilter, readKeyFilter, writeKeyFilter } from './group-keys.ts';

const ALL: KeyFilter = { hubId: null, state: null, issuerId: null, includeInactive: false, text: '' };
const rotated = (id: string, successorId: string) =>
  testKey({ id, successorId, state: 'rotated', overlapEndsAt: daysFromNow(0.5) });

/** "Deploys: b, a < a2": the lines of each Hub as the ids of their keys, previous keys after "<". */
const shown = (keys: readonly ApiKey[], filter: Partial<KeyFilter> = {}): string[] =>
  groupKeys(keys, { ...ALL, ...filter }, NOW).map(
    ({ hubName, lines }) =>
      `${hubName}: ${lines.map(({ key, old }) => [key, ...old].map(({ id }) => id).join(' < ')).join(', ')}`,
  );

test('groups keys by Hub and sorts them by name, inactive keys last and only when requested', () => {
  const keys = [
    testKey({ id: 'w', hubId: 'hub_2', hubName: 'Website', name: 'forms' }),
    testKey({ id: 'b', name: 'beta' }),
    testKey({ id: 'a0', name: 'alpha', state: 'revoked', revokedAt: daysFromNow(-1) }),
    testKey({ id: 'a', name: 'alpha' }),
  ];
  expect(shown(keys)).toEqual(['Deploys: a, b', 'Website: w']);
  expect(shown(keys, { includeInactive: true })).toEqual(['Deploys: a, b, a0', 'Website: w']);
  expect(shown(keys, { state: 'revoked' })).toEqual(['Deploys: a0']);
  expect(shown(keys, { hubId: 'hub_2' })).toEqual(['Website: w']);
  expect(shown(keys, { text: 'BET' })).toEqual(['Deploys: b']);
  const byAda = keys.map((key) => (key.id === 'a' ? { ...key, createdBy: { ...key.createdBy, id: 'usr_ada' } } : key));
  expect(shown(byAda, { issuerId: 'usr_ada' })).toEqual(['Deploys: a']);
});

test('sorts numbers in names numerically, and deleted Hubs last', () => {
  const keys = [
    testKey({ id: '10', name: 'bulk-10' }),
    testKey({ id: '2', name: 'bulk-2' }),
    testKey({ id: 'x', hubId: 'hub_0', hubName: 'Attic', isHubDeleted: true }),
  ];
  expect(shown(keys)).toEqual(['Deploys: 2, 10']);
  expect(shown(keys, { includeInactive: true })).toEqual(['Deploys: 2, 10', 'Attic: x']);
  expect(shown(keys, { state: 'hubless' })).toEqual(['Attic: x']);
});

test('lists a rotated key below its newest successor while it works, and separately afterwards', () => {
  const newest = testKey({ id: '3', generation: 3, predecessorId: '2' });
  const keys = [newest, rotated('2', '3'), rotated('1', '2')];
  expect(shown(keys)).toEqual(['Deploys: 3 < 2 < 1']);
  expect(shown(keys, { state: 'rotated' })).toEqual(['Deploys: 3 < 2 < 1']);
  const ended = { ...rotated('1', '2'), overlapEndsAt: daysFromNow(-1) };
  expect(shown([newest, ended], { includeInactive: true })).toEqual(['Deploys: 3, 1']);
});

test('keeps listing a rotated key that still works after its successor was revoked', () => {
  const revoked = testKey({ id: '2', state: 'revoked', revokedAt: daysFromNow(-1) });
  expect(shown([revoked, rotated('1', '2')])).toEqual(['Deploys: 2 < 1']);
});

test('reads the same filter back from the URL', () => {
  const filter: KeyFilter = { hubId: 'hub_1', state: 'blocked', issuerId: 'usr_1', includeInactive: true, text: 'ca' };
  expect(readKeyFilter(writeKeyFilter(new URLSearchParams('key=key_1'), filter))).toEqual(filter);
  expect(writeKeyFilter(new URLSearchParams('hub=x&state=active'), ALL).toString()).toBe('');
  expect(readKeyFilter(new URLSearchParams('state=nonsense'))).toEqual(ALL);
});
