import { ITEM_KINDS, LIMITS, type MarkReadBody, type ReadMark, type WireKind } from '@hub/contract';
import type { Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { AppError } from '../core/errors.ts';
import { notFound } from '../core/printable.ts';
import { changeAs } from '../credentials/authenticate-user.ts';
import type { HubListing, MembershipRecord } from '../storage/hub-store.ts';
import type { Repositories } from '../storage/repositories.ts';
import { readableHub } from './hub-rights.ts';

/** Sets how far a member has read one kind of item in a Hub, or all kinds. */
export async function markRead(
  deps: Pick<Deps, 'store' | 'clock' | 'revocations'>,
  sender: Caller,
  { hubId, ...mark }: { hubId: string } & MarkReadBody,
): Promise<ReadMark> {
  const membership = await changeAs(deps, sender, async (tx, caller) => {
    const hub = await readableHub(tx, caller, hubId);
    const found = caller.user === null ? null : await tx.memberships.find(hub.id, caller.user.id);
    if (!found) throw new AppError('not_found', notFound('Hub', hub.id));
    return moveMarks(tx, hub, found, mark);
  });
  return { hubId: membership.hubId, ...(await readState(deps, membership)) };
}

interface ReadTo {
  seq: number;
  /** All kinds if omitted. */
  kind?: WireKind | undefined;
}

/**
 * Moves the read marks of one kind, or of all, up to an event. A mark only moves forward, so that a late request from
 * another device never makes items unread again. It never moves past the newest event, or the next event would count
 * as read.
 */
export async function moveMarks(
  tx: Repositories,
  hub: HubListing,
  membership: MembershipRecord,
  { seq, kind: only }: ReadTo,
): Promise<MembershipRecord> {
  const { hubId, personId } = membership;
  const readSeq = Math.min(seq, hub.seq);
  const moved = ITEM_KINDS.filter(
    (kind) => (only === undefined || kind === only) && readSeq > membership.readSeqs[kind],
  );
  if (moved.length === 0) return membership;
  const readSeqs = { ...membership.readSeqs };
  const readRanks = { ...membership.readRanks };
  for (const kind of moved) {
    readSeqs[kind] = readSeq;
    readRanks[kind] = await (readSeq === hub.seq
      ? tx.memberships.newestRank()
      : tx.memberships.rankUpTo(kind, { hubId, seq: readSeq, from: readRanks[kind] }));
    await tx.mentions.markKind({ personId, hubId, kind, rank: readRanks[kind] });
  }
  const marked = { ...membership, readSeqs, readRanks };
  await tx.memberships.saveMarks(marked);
  return marked;
}

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
