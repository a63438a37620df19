import type { Hub, Item, PerKind, UnreadState, WireKind } from '@hub/contract';
import { ITEM_KINDS, perKind } from '@hub/contract/item-kinds';

/** How far a Hub was read, and what is left. */
export type ReadState = Pick<Hub, 'readSeq' | 'readSeqs' | 'unreadCount' | 'unreadCounts'>;

export function readStateOf(readSeqs: PerKind<number>, unreadCounts: PerKind<number>): ReadState {
  const { message, note, todo } = unreadCounts;
  return { readSeq: Math.min(...Object.values(readSeqs)), readSeqs, unreadCount: message + note + todo, unreadCounts };
}

/** Once all of these kinds was read up to an event after which there is nothing yet. */
export function readAll({ readSeqs, unreadCounts }: Hub, kinds: readonly WireKind[], seq: number): Partial<Hub> {
  if (!readSeqs || !unreadCounts) return {};
  return readStateOf(
    perKind((kind) => (kinds.includes(kind) ? seq : readSeqs[kind])),
    perKind((kind) => (kinds.includes(kind) ? 0 : unreadCounts[kind])),
  );
}

/** As the server counts at the event that is known here. What was read here, and is not known there yet, is not taken back. */
export function withCounted({ readSeqs, unreadCounts }: Hub, counted: ReadState): Partial<Hub> {
  if (!readSeqs || !unreadCounts || !counted.readSeqs || !counted.unreadCounts) return {};
  const [seqs, counts] = [counted.readSeqs, counted.unreadCounts];
  return readStateOf(
    perKind((kind) => Math.max(readSeqs[kind], seqs[kind])),
    perKind((kind) => (readSeqs[kind] > seqs[kind] ? unreadCounts[kind] : counts[kind])),
  );
}

export function withOneMore({ readSeqs, unreadCounts }: Hub, kind: WireKind): Partial<Hub> {
  if (!readSeqs || !unreadCounts) return {};
  return readStateOf(readSeqs, { ...unreadCounts, [kind]: unreadCounts[kind] + 1 });
}

export function withOneLess({ readSeqs, unreadCounts }: Hub, kind: WireKind): Partial<Hub> {
  if (!readSeqs || !unreadCounts) return {};
  return readStateOf(readSeqs, { ...unreadCounts, [kind]: Math.max(unreadCounts[kind] - 1, 0) });
}

/** What the server tells by itself of how far it was read. `unknown`: it counts other events than are known here, of which only a list tells more. */
export function withNotified(known: Hub, notified: UnreadState): Partial<Hub> | 'unknown' {
  if (known.seq === notified.seq) return withCounted(known, notified);
  return isReadFurther(notified, known) ? 'unknown' : {};
}

/** Whether more of a kind was read than `other` knows of. */
export function isReadFurther({ readSeqs }: ReadState, other: ReadState): boolean {
  return ITEM_KINDS.some((kind) => (readSeqs?.[kind] ?? 0) > (other.readSeqs?.[kind] ?? 0));
}

/**
 * A Hub as a list shows it that was asked for when `asked` was known of it, or nothing. Asked for before an event, or before
 * something was read, it takes neither back: then `seq` is not that of the list.
 */
export function withListed(known: Hub, listed: Hub, asked: Hub | undefined): Hub {
  if (!known.readSeqs || !listed.readSeqs) return listed;
  const isNotified = known.unreadMentionIds !== asked?.unreadMentionIds;
  const hub = isNotified ? { ...listed, unreadMentionIds: known.unreadMentionIds } : listed;
  if (known.seq === listed.seq) return { ...hub, ...withCounted(known, listed) };
  const isOlder = known.seq > listed.seq || isReadFurther(known, listed);
  const { seq, readSeq, readSeqs, unreadCount, unreadCounts } = known;
  return isOlder ? { ...hub, seq, readSeq, readSeqs, unreadCount, unreadCounts } : hub;
}

/** Whether somebody else wrote it after the mark of its kind. */
export function isUnreadIn(hub: Hub | undefined, item: Item, myId: string): boolean {
  return item.author.id !== myId && isBehindMark(item, hub?.readSeqs);
}

/** Whether it came after the mark. Replies count as none of their own: their message tells of them. */
export function isBehindMark(item: Item, readSeqs: PerKind<number> | null | undefined): boolean {
  return !!readSeqs && item.seq > readSeqs[item.kind] && !(item.kind === 'message' && item.parentId !== null);
}
