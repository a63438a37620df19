import type { Member } from '@hub/contract';
import { isoTime, isoTimeOrNull } from '../core/time.ts';
import type { MembershipRecord, UserRecord } from '../storage/users-store.ts';

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
