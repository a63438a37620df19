import { perKind } from '@hub/contract';
import { AppError } from '../core/errors.ts';
import type { AuditRecord } from '../storage/audit-store.ts';
import type { Repositories } from '../storage/repositories.ts';
import type { MembershipRecord, UserRecord } from '../storage/users-store.ts';

interface Joining {
  hubId: string;
  user: UserRecord;
  audit: AuditRecord;
}

/**
 * Makes a user a member of a live Hub. Everything already in the Hub counts as read: items from before a member joined
 * are history, not unread. For an existing member, nothing changes.
 */
export async function joinHub(tx: Repositories, { hubId, user, audit }: Joining): Promise<MembershipRecord> {
  const { id: personId, name } = user;
  const former = await tx.memberships.find(hubId, personId);
  if (former) return former;
  if (user.disabledAt !== null) {
    throw new AppError('conflict', `The account of ${name} is disabled. Enable it before you add them to a Hub.`);
  }
  const { at } = audit;
  const data = { id: personId, name };
  const seq = (await tx.events.append({ hubId, at, event: 'member.added', itemId: null, data }))?.seq ?? 0;
  await tx.audit.insert(audit);
  const rank = await tx.memberships.newestRank();
  const membership = {
    hubId,
    personId,
    joinedAt: at,
    readSeqs: perKind(() => seq),
    readRanks: perKind(() => rank),
  };
  await tx.memberships.insert(membership);
  await tx.mentions.markHub({ personId, hubId });
  return membership;
}
