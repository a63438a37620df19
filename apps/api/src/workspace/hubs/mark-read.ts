import { ITEM_KINDS, LIMITS, type MarkReadBody, type ReadMark, type WireKind } from '@hub/contract';
import { type Caller, changeAs } from '../../access/caller.ts';
import type { Deps } from '../../access/deps.ts';
import { notFound } from '../../platform/errors.ts';
import type { HubListing } from '../../storage/hubs.ts';
import type { MembershipRecord } from '../../storage/memberships.ts';
import type { Repositories } from '../../storage/repositories.ts';
import type { Store } from '../../storage/store.ts';
import { readableHub } from './hub-rights.ts';

/** Sets how far a member has read one kind of item in a Hub, or all kinds. */
export async function markRead(
  deps: Deps,
  caller: Caller,
  { hubId, ...mark }: { hubId: string } & MarkReadBody,
): Promise<ReadMark> {
  const membership = await changeAs(deps, caller, async (tx, current) => {
    const hub = await readableHub(tx, current, hubId);
    const membership = current.user === null ? null : await tx.memberships.find(hub.id, current.user.id);
    if (!membership) throw notFound('Hub', hub.id);
    return moveMarks(tx, hub, membership, mark);
  });
  const { hubId: id, userId } = membership;
  return { hubId: id, ...(await readState(deps.store, membership, await mutedKeyIds(deps.store, userId, id))) };
}

/** Returns the keys of a Hub that the user muted. */
export async function mutedKeyIds({ notifications }: Store, userId: string, hubId: string): Promise<string[]> {
  const muted = await notifications.mutedKeys(userId);
  return muted.filter((key) => key.hubId === hubId).map(({ keyId }) => keyId);
}

export interface ReadTo {
  seq: number;
  /** All kinds if omitted. */
  kind?: WireKind | undefined;
  /** Whether marks beyond `seq` move back to it. */
  back?: boolean | undefined;
  /** The mentions and replies that become unread; by default, with `back`, the mentions after `seq`. */
  mentionIds?: readonly string[] | undefined;
}

/**
 * Moves the read marks of one kind, or of all, to an event. Unless asked to move back, a mark only moves forward, so
 * that a late request from another device never makes items unread again. It never moves past the newest event, or the
 * next event would count as read.
 */
export async function moveMarks(
  tx: Repositories,
  hub: HubListing,
  membership: MembershipRecord,
  { seq, kind: only, back = false, mentionIds }: ReadTo,
): Promise<MembershipRecord> {
  const { hubId, userId } = membership;
  const readSeq = Math.min(seq, hub.seq);
  const isBack = (kind: WireKind) => readSeq < membership.readSeqs[kind];
  const moved = ITEM_KINDS.filter(
    (kind) => (only === undefined || kind === only) && readSeq !== membership.readSeqs[kind] && (back || !isBack(kind)),
  );
  const readSeqs = { ...membership.readSeqs };
  const readGlobalSeqs = { ...membership.readGlobalSeqs };
  for (const kind of moved) {
    readSeqs[kind] = readSeq;
    const from = isBack(kind) ? 0 : readGlobalSeqs[kind];
    readGlobalSeqs[kind] = await (readSeq === hub.seq
      ? tx.memberships.newestGlobalSeq()
      : tx.memberships.globalSeqUpTo(kind, { hubId, seq: readSeq, from }));
    const marked = { userId, hubId, kind, globalSeq: readGlobalSeqs[kind] };
    if (!isBack(kind)) await tx.mentions.markKind(marked);
    else if (!mentionIds) await tx.mentions.unmarkKind(marked);
  }
  if (mentionIds) await tx.mentions.markUnread({ userId, hubId, itemIds: mentionIds });
  if (moved.length === 0) return membership;
  const readVersion = membership.readVersion + (back ? 1 : 0);
  const marked = { ...membership, readSeqs, readGlobalSeqs, readVersion };
  await tx.memberships.saveMarks(marked);
  return marked;
}

/** Returns how far a member has read a Hub, per kind and overall, and the number of unread items. */
export async function readState(
  store: Store,
  membership: MembershipRecord,
  mutedKeyIds: readonly string[],
): Promise<Omit<ReadMark, 'hubId'>> {
  const { readSeqs, readVersion } = membership;
  const unreadCounts = await store.memberships.countUnread(membership, { mutedKeyIds, limit: LIMITS.unreadCount });
  const { message, note, todo } = unreadCounts;
  return {
    readSeq: Math.min(...Object.values(readSeqs)),
    readSeqs,
    readVersion,
    unreadCount: Math.min(message + note + todo, LIMITS.unreadCount),
    unreadCounts,
  };
}
