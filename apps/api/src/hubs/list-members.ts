import type { Member } from '@hub/contract';
import type { Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { type Page, type PageRequest, pageOf } from '../core/paging.ts';
import { isoTime, isoTimeOrNull } from '../core/time.ts';
import type { MembershipRecord } from '../storage/hub-store.ts';
import type { UserRecord } from '../storage/users-store.ts';
import { visibleHub } from './hub-rights.ts';

/** Returns a page of the members of a Hub, newest account first. */
export async function listMembers(
  deps: Pick<Deps, 'store'>,
  caller: Caller,
  { limit, before, hubId }: PageRequest & { hubId: string },
): Promise<Page<Member>> {
  const hub = await visibleHub(deps.store, caller, hubId);
  const members = await deps.store.memberships.listMembers({ hubId: hub.id, limit: limit + 1, before });
  return pageOf(
    members.map(({ user, ...membership }) => memberView(membership, user)),
    limit,
  );
}

/** Returns a user as a member of a Hub. */
export function memberView({ joinedAt }: Pick<MembershipRecord, 'joinedAt'>, user: UserRecord): Member {
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    role: user.role,
    disabledAt: isoTimeOrNull(user.disabledAt),
    joinedAt: isoTime(joinedAt),
  };
}
