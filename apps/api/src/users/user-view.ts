import type { User } from '@hub/contract';
import { isoTime, isoTimeOrNull } from '../core/time.ts';
import type { UserRecord } from '../storage/users-store.ts';

/** Returns a user as admins see them; for other callers, without the time when the user was last seen. */
export function userView(user: UserRecord, { isForAdmin = true } = {}): User {
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    role: user.role,
    createdAt: isoTime(user.createdAt),
    disabledAt: isoTimeOrNull(user.disabledAt),
    lastSeenAt: isForAdmin ? isoTimeOrNull(user.lastSeenAt) : null,
  };
}
