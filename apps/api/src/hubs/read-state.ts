import { LIMITS, type ReadMark } from '@hub/contract';
import type { Deps } from '../deps.ts';
import type { MembershipRecord } from '../store/users-store.ts';

/** How far a member has read a Hub, each kind and the whole of it, and what is left. */
export async function readStanding(
  { store }: Pick<Deps, 'store'>,
  membership: MembershipRecord,
): Promise<Omit<ReadMark, 'hubId'>> {
  const { readSeqs } = membership;
  const unreadCounts = await store.memberships.countUnread(membership, LIMITS.unreadCount);
  const { message, note, todo } = unreadCounts;
  return {
    readSeq: Math.min(...Object.values(readSeqs)),
    readSeqs,
    unreadCount: Math.min(message + note + todo, LIMITS.unreadCount),
    unreadCounts,
  };
}
