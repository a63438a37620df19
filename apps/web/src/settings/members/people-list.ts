import type { Invitation, Me, Person, Role } from '@hub/contract';
import { allPages } from '../../api/all-pages.ts';
import { matchingPeople } from '../../members/matching-people.ts';

export interface PeopleOfWorkspace {
  people: readonly Person[];
  /** Open ones, which only admins see. */
  invitations: readonly Invitation[];
}

export const ROLE_WORDS: Record<Role, string> = { owner: 'Owner', admin: 'Admin', member: 'Member' };

export async function loadPeople(isAdmin: boolean): Promise<PeopleOfWorkspace> {
  const [people, invitations] = await Promise.all([
    allPages<Person>('/people'),
    isAdmin ? allPages<Invitation>('/invitations') : [],
  ]);
  return { people: people.sort((one, other) => one.name.localeCompare(other.name)), invitations };
}

/** Whose name or e-mail address has these words. Those who are disabled come last, if they come. */
export function shownPeople(
  people: readonly Person[],
  { words, areDisabledShown }: { words: string; areDisabledShown: boolean },
): readonly Person[] {
  const part = words.trim().toLowerCase();
  const named = new Set(matchingPeople(people, words, ''));
  const found = people.filter((person) => named.has(person) || (part !== '' && person.email.includes(part)));
  const active = found.filter(({ disabledAt }) => disabledAt === null);
  return areDisabledShown ? [...active, ...found.filter(({ disabledAt }) => disabledAt !== null)] : active;
}

/** Owners are for owners alone. */
export function mayAct(me: Pick<Me, 'id' | 'role'>, person: Pick<Person, 'id' | 'role'>): boolean {
  if (me.role === 'member' || me.id === person.id) return false;
  return me.role === 'owner' || person.role !== 'owner';
}

/** There is always one, so this one can neither go nor become something else. */
export function isOnlyOwner(people: readonly Person[], { id, role }: Pick<Person, 'id' | 'role'>): boolean {
  const owners = people.filter((person) => person.role === 'owner' && person.disabledAt === null);
  return role === 'owner' && owners.length === 1 && owners[0]?.id === id;
}
