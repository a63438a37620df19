import { expect, test } from 'bun:test';
import type { Role, User } from '@hub/contract';
import { canManage, isOnlyOwner, shownMembers } from './users-list.ts';

const user = (id: string, name: string, role: Role = 'member', disabledAt: string | null = null): User => ({
  id,
  name,
  role,
  disabledAt,
  email: `${id}@example.org`,
  createdAt: '2026-03-01T09:30:00.000Z',
  lastSeenAt: null,
});
const ADA = user('ada', 'Ada Lovelace', 'owner');
const BOB = user('robert', 'Bob Kahn', 'admin');
const EVE = user('eve', 'Ève Gone', 'member', '2026-03-01T09:30:00.000Z');
const ALL = [ADA, EVE, BOB];

test('finds members by the start of any part of their name, or by any part of their e-mail address', () => {
  const found = (text: string, areDisabledShown = false) =>
    shownMembers(ALL, { text, areDisabledShown }).map(({ id }) => id);
  expect(found('')).toEqual(['ada', 'robert']);
  expect(found('', true)).toEqual(['ada', 'robert', 'eve']);
  expect(found('kahn')).toEqual(['robert']);
  expect(found('bert@')).toEqual(['robert']);
  expect(found('eve')).toEqual([]);
  expect(found('eve', true)).toEqual(['eve']);
});

test('lets admins act on others except owners, owners on everyone else, and members on nobody', () => {
  expect(canManage(ADA, BOB)).toBe(true);
  expect(canManage(BOB, ADA)).toBe(false);
  expect(canManage(BOB, EVE)).toBe(true);
  expect(canManage(ADA, ADA)).toBe(false);
  expect(canManage(EVE, BOB)).toBe(false);
});

test('does not count a disabled owner as the last owner', () => {
  const former = user('former', 'Former', 'owner', '2026-03-01T09:30:00.000Z');
  expect(isOnlyOwner([...ALL, former], ADA)).toBe(true);
  expect(isOnlyOwner([...ALL, user('two', 'Two', 'owner')], ADA)).toBe(false);
  expect(isOnlyOwner(ALL, BOB)).toBe(false);
});
