import type { User } from '@hub/contract';
import type { UserRecord } from '../store/users-store.ts';
import { isoTime, isoTimeOrNull } from '../time.ts';

/** A person as admins see him; others are not told when he was last seen. */
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
