import { type Hub, type Member, perKind } from '@hub/contract';
import { auditRecord, type Caller, changeAs, changeUsersAs, isAdmin, type UserCaller } from '../../access/caller.ts';
import type { Deps } from '../../access/deps.ts';
import { requireAdmin, requireConfirmed } from '../../access/user-rights.ts';
import { AppError, notFound, printable } from '../../platform/errors.ts';
import { type Page, type PageRequest, readPage } from '../../platform/paging.ts';
import { isoTime, isoTimeOrNull } from '../../platform/time.ts';
import type { AuditRecord } from '../../storage/audit.ts';
import type { MembershipRecord } from '../../storage/memberships.ts';
import type { Repositories } from '../../storage/repositories.ts';
import type { UserRecord } from '../../storage/users.ts';
import { findHub, isReader, readableHub, visibleHub } from './hub-rights.ts';
import { hubForCaller } from './show-hubs.ts';

/** Returns a page of the members of a Hub, newest account first. */
export async function listMembers(
  { store }: Deps,
  caller: Caller,
  { hubId, ...page }: PageRequest & { hubId: string },
): Promise<Page<Member>> {
  const hub = await visibleHub(store, caller, hubId);
  const read = (rows: PageRequest) => store.memberships.listMembers({ ...rows, hubId: hub.id });
  return readPage(page, read, ({ user, ...membership }) => memberView(membership, user));
}

/** Returns a user as a member of a Hub. */
export function memberView({ joinedAt }: Pick<MembershipRecord, 'joinedAt'>, user: UserRecord): Member {
  const { id, name, email, role, disabledAt } = user;
  return { id, name, email, role, disabledAt: isoTimeOrNull(disabledAt), joinedAt: isoTime(joinedAt) };
}

interface Joining {
  hubId: string;
  user: UserRecord;
  audit: AuditRecord;
}

/** Makes a user a member of a live Hub, unless they are one. Items from before are history, and count as read. */
export async function joinHub(tx: Repositories, { hubId, user, audit }: Joining): Promise<MembershipRecord> {
  const { id: userId, name } = user;
  const former = await tx.memberships.find(hubId, userId);
  if (former) return former;
  if (user.disabledAt !== null) {
    throw new AppError('conflict', `The account of ${name} is disabled. Enable it before you add them to a Hub.`);
  }
  const { at } = audit;
  const data = { id: userId, name };
  const hub = await tx.events.append({ hubId, at, event: 'member.added', itemId: null, data });
  if (!hub) throw new Error(`There is no Hub ${hubId}`);
  await tx.audit.insert(audit);
  const globalSeq = await tx.memberships.newestGlobalSeq();
  const membership = {
    hubId,
    userId,
    joinedAt: at,
    readSeqs: perKind(() => hub.seq),
    readGlobalSeqs: perKind(() => globalSeq),
    readVersion: 0,
    isFavorite: false,
  };
  await tx.memberships.insert(membership);
  await tx.mentions.markHub({ userId, hubId });
  return membership;
}

/** Adds a user to a Hub as a member. Adding an existing member changes nothing. */
export function addMember(deps: Deps, caller: Caller, hubId: string, userId: string): Promise<Member> {
  return changeUsersAs(deps, caller, [userId], async (tx, current) => {
    requireAdmin(current);
    const hub = await findHub(tx, hubId);
    const user = await tx.users.find(userId);
    if (!user) throw notFound('user', userId);
    if (hub.deletedAt !== null) {
      throw new AppError('not_found', `The Hub ${hub.id} was deleted. Restore it before you add members.`);
    }
    // A reader of the Hub could pass its content on anyway.
    if (!(await isReader(tx, current, hub.id))) await requireConfirmed(tx, current, deps.clock.now());
    const audit = auditRecord(deps, current, { action: 'member.added', hubId: hub.id, target: user });
    return memberView(await joinHub(tx, { hubId: hub.id, user, audit }), user);
  });
}

/** Ends a membership and its live views. Admins can remove anyone, members themselves. To-dos stay assigned. */
export function removeMember(
  deps: Deps,
  caller: Caller,
  { hubId, userId }: { hubId: string; userId: string },
): Promise<Member> {
  return changeUsersAs(deps, caller, [userId], async (tx, current) => {
    const hub = await visibleHub(tx, current, hubId);
    if (!isAdmin(current) && current.user?.id !== userId) {
      throw new AppError(
        'forbidden',
        'Only workspace admins can remove other members from a Hub. You can leave it yourself.',
      );
    }
    const [membership, user] = [await tx.memberships.find(hub.id, userId), await tx.users.find(userId)];
    if (!membership || !user) throw notAMember(userId, hub.name);
    const { id, name } = user;
    const audit = auditRecord(deps, current, { action: 'member.removed', hubId: hub.id, target: user });
    await tx.memberships.delete(hub.id, id);
    await tx.events.append({ hubId: hub.id, at: audit.at, event: 'member.removed', itemId: null, data: { id, name } });
    await tx.audit.insert(audit);
    return memberView(membership, user);
  });
}

/** Makes a Hub a favorite of the caller, or no longer one. */
export async function setFavorite(deps: Deps, caller: UserCaller, hubId: string, isFavorite: boolean): Promise<Hub> {
  const hub = await changeAs(deps, caller, async (tx, current) => {
    const hub = await readableHub(tx, current, hubId);
    await tx.memberships.setFavorite(hub.id, current.user.id, isFavorite);
    return hub;
  });
  return hubForCaller(deps, caller, hub);
}

/** `userId` is empty if the router could not decode the path. */
function notAMember(userId: string, hubName: string): AppError {
  const member = userId === '' ? 'such member' : `member ${printable(userId, 64)}`;
  return new AppError('not_found', `The Hub "${hubName}" has no ${member}.`);
}
