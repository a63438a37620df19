import { LIMITS, type ReadMark } from '@hub/contract';
import type { Deps } from '../context/deps.ts';
import type { MembershipRecord } from '../storage/users-store.ts';

/** Returns how far a member has read a Hub, per kind and overall, and the number of unread items. */
export async function readState(
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
