import type { Invitation } from '@hub/contract';
import type { LinkRecord } from '../store/users-store.ts';
import { isoTime } from '../time.ts';

/** An open invitation as admins see it, without its link. */
export function invitationView({ id, email, role, hubIds, createdAt, createdBy, expiresAt }: LinkRecord): Invitation {
  if (email === null || role === null || expiresAt === null) throw new Error(`${id} is no invitation`);
  return { id, email, role, hubIds, createdAt: isoTime(createdAt), createdBy, expiresAt: isoTime(expiresAt) };
}
