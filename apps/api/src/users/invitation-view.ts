import type { Invitation } from '@hub/contract';
import type { LinkRecord } from '../storage/users-store.ts';
import { isoTime } from '../time.ts';

/** Returns an open invitation as admins see it, without its link. */
export function invitationView({ id, email, role, hubIds, createdAt, createdBy, expiresAt }: LinkRecord): Invitation {
  if (email === null || role === null || expiresAt === null) throw new Error(`${id} is not an invitation`);
  return { id, email, role, hubIds, createdAt: isoTime(createdAt), createdBy, expiresAt: isoTime(expiresAt) };
}
