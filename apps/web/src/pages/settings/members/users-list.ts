import type { Invitation, Me, Role, User } from '@hub/contract';
import { allPages } from '../../../data/request.ts';
import { matchingUsers } from '../../../lib/matching.ts';
import { byName } from '../../../lib/names.ts';

export interface WorkspaceMembers {
  users: readonly User[];
  /** Open invitations; empty unless the user is an admin. */
  invitations: readonly Invitation[];
}

export const ROLE_LABELS: Record<Role, string> = { owner: 'Owner', admin: 'Admin', member: 'Member' };

export async function loadMembers(isAdmin: boolean, signal: AbortSignal): Promise<WorkspaceMembers> {
  const [users, invitations] = await Promise.all([
    allPages('GET /users', { signal }),
    isAdmin ? allPages('GET /invitations', { signal }) : [],
  ]);
  return { users: users.sort(byName), invitations };
}

/** Returns the users whose name or e-mail address matches the text. Disabled users come last, if shown at all. */
export function shownMembers(
  users: readonly User[],
  { text, areDisabledShown }: { text: string; areDisabledShown: boolean },
): readonly User[] {
  const part = text.trim().toLowerCase();
  const byName = new Set(matchingUsers(users, text, ''));
  const matches = users.filter((user) => byName.has(user) || (part !== '' && user.email.includes(part)));
  const active = matches.filter(({ disabledAt }) => disabledAt === null);
  return areDisabledShown ? [...active, ...matches.filter(({ disabledAt }) => disabledAt !== null)] : active;
}

/** Whether the user may change another user. Only owners may change owners. */
export function canManage(me: Pick<Me, 'id' | 'role'>, user: Pick<User, 'id' | 'role'>): boolean {
  if (me.role === 'member' || me.id === user.id) return false;
  return me.role === 'owner' || user.role !== 'owner';
}

/** Whether this is the last active owner, who can be neither disabled nor given another role. */
export function isOnlyOwner(users: readonly User[], { id, role }: Pick<User, 'id' | 'role'>): boolean {
  const owners = users.filter((user) => user.role === 'owner' && user.disabledAt === null);
  return role === 'owner' && owners.length === 1 && owners[0]?.id === id;
}
