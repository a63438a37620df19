import type { EventFrame, Hub, Item, PerKind, UnreadState, WireKind } from '@hub/contract';
import { MAX_UNREAD_COUNT } from '@hub/contract/common-limits';
import { ITEM_KINDS, perKind } from '@hub/contract/item-kinds';
import { isItemEvent, isReply } from '../items/item.ts';
import { ApiError, request } from '../request.ts';

type ReadState = Pick<Hub, 'readSeq' | 'readSeqs' | 'unreadCount' | 'unreadCounts'>;

type CountedState = ReadState & Pick<Hub, 'readVersion'>;

export function readStateOf(readSeqs: PerKind<number>, unreadCounts: PerKind<number>): ReadState {
  const { message, note, todo } = unreadCounts;
  return { readSeq: Math.min(...Object.values(readSeqs)), readSeqs, unreadCount: message + note + todo, unreadCounts };
}

/** Returns the state after reading these kinds up to the newest event. */
export function readAll({ readSeqs, unreadCounts }: Hub, kinds: readonly WireKind[], seq: number): Partial<Hub> {
  if (!readSeqs || !unreadCounts) return {};
  return readStateOf(
    perKind((kind) => (kinds.includes(kind) ? seq : readSeqs[kind])),
    perKind((kind) => (kinds.includes(kind) ? 0 : unreadCounts[kind])),
  );
}

/**
 * Returns the server's counts as of the same event, but keeps reads that the server does not know about yet. If
 * something was marked as unread, only the later state counts.
 */
export function withCounted({ readSeqs, unreadCounts, readVersion }: Hub, counted: CountedState): Partial<Hub> {
  if (!readSeqs || !unreadCounts || !counted.readSeqs || !counted.unreadCounts) return {};
  const [seqs, counts] = [counted.readSeqs, counted.unreadCounts];
  const versions = versionsAhead({ readVersion }, counted);
  if (versions > 0) return {};
  if (versions < 0) return { ...readStateOf(seqs, counts), readVersion: counted.readVersion };
  return readStateOf(
    perKind((kind) => Math.max(readSeqs[kind], seqs[kind])),
    perKind((kind) => (readSeqs[kind] > seqs[kind] ? unreadCounts[kind] : counts[kind])),
  );
}

function withOneMore({ readSeqs, unreadCounts }: Hub, kind: WireKind): Partial<Hub> {
  if (!readSeqs || !unreadCounts) return {};
  return readStateOf(readSeqs, { ...unreadCounts, [kind]: unreadCounts[kind] + 1 });
}

function withOneLess({ readSeqs, unreadCounts }: Hub, kind: WireKind): Partial<Hub> {
  if (!readSeqs || !unreadCounts) return {};
  return readStateOf(readSeqs, { ...unreadCounts, [kind]: Math.max(unreadCounts[kind] - 1, 0) });
}

/** Applies a read state from the server; `unknown` if it counts other events than those known here: reload. */
export function withUnreadState(hub: Hub, update: UnreadState): Partial<Hub> | 'unknown' {
  if (hub.seq === update.seq) return withCounted(hub, update);
  return isReadFurther(update, hub) || !hasSameMuted(update, hub) ? 'unknown' : {};
}

function hasSameMuted(one: Pick<Hub, 'mutedKeyIds'>, other: Pick<Hub, 'mutedKeyIds'>): boolean {
  return String(one.mutedKeyIds) === String(other.mutedKeyIds);
}

export function isReadFurther(state: CountedState, other: CountedState): boolean {
  const versions = versionsAhead(state, other);
  if (versions !== 0) return versions > 0;
  return ITEM_KINDS.some((kind) => (state.readSeqs?.[kind] ?? 0) > (other.readSeqs?.[kind] ?? 0));
}

/** Returns how many times the markers have moved back since `other`; negative if `other` is the later state. */
function versionsAhead({ readVersion }: Pick<Hub, 'readVersion'>, other: Pick<Hub, 'readVersion'>): number {
  return (readVersion ?? 0) - (other.readVersion ?? 0);
}

/**
 * Merges a Hub from a list that was requested when `asked` was the known state. A list requested before an event
 * arrived or items were read does not undo that change; the result then keeps the known `seq`.
 */
export function withListed(present: Hub, loaded: Hub, former: Hub | undefined): Hub {
  if (!present.readSeqs || !loaded.readSeqs) return loaded;
  const { unreadMentionIds, mutedKeyIds } = present;
  const isNotified = unreadMentionIds !== former?.unreadMentionIds;
  const isMuteChanged = former !== undefined && !hasSameMuted(present, former);
  const hub = { ...loaded, ...(isNotified && { unreadMentionIds }), ...(isMuteChanged && { mutedKeyIds }) };
  if (present.seq === loaded.seq && versionsAhead(present, loaded) <= 0 && !isMuteChanged)
    return { ...hub, ...withCounted(present, loaded) };
  const isOlder = isMuteChanged || present.seq > loaded.seq || isReadFurther(present, loaded);
  const { seq, readSeq, readSeqs, readVersion, unreadCount, unreadCounts } = present;
  return isOlder ? { ...hub, seq, readSeq, readSeqs, readVersion, unreadCount, unreadCounts } : hub;
}

type Marks = Pick<Hub, 'readSeqs' | 'mutedKeyIds'>;

/** Returns whether others posted the item, with a key that is not muted. */
export function mayBeNew(hub: Pick<Hub, 'mutedKeyIds'> | undefined, { author, key }: Item, myId: string): boolean {
  return author.id !== myId && !(key && hub?.mutedKeyIds?.includes(key.id));
}

export function isUnreadIn(hub: Marks | undefined, item: Item, myId: string): boolean {
  return mayBeNew(hub, item, myId) && isBehindMark(item, hub?.readSeqs);
}

/** Returns whether the item came after the read mark. Replies do not count, since they appear under their message. */
function isBehindMark(item: Item, readSeqs: PerKind<number> | null | undefined): boolean {
  return !!readSeqs && item.seq > readSeqs[item.kind] && !(item.kind === 'message' && item.parentId !== null);
}

export function isOwn(event: EventFrame, myId: string): boolean {
  return isItemEvent(event) && 'author' in event.data && event.data.author.id === myId;
}

/** Returns how an event changes the unread counts; `unknown` if only the server can tell. */
export function unreadAfter(event: EventFrame, hub: Hub, myId: string): Partial<Hub> | 'unknown' {
  const ids = hub.unreadMentionIds ?? [];
  if (event.event === 'items.pruned') return ids.length > 0 || (hub.unreadCount ?? 0) > 0 ? 'unknown' : {};
  if (!isItemEvent(event) || event.event.endsWith('.changed')) return {};
  const { data } = event;
  const count = hub.unreadCounts?.[data.kind] ?? 0;
  if (event.event.endsWith('.deleted')) {
    const mentions = ids.includes(data.id) ? { unreadMentionIds: ids.filter((id) => id !== data.id) } : {};
    // An erased item no longer reveals whether it was counted.
    if (!('author' in data)) return count > 0 ? 'unknown' : mentions;
    if (!isUnreadIn(hub, data, myId)) return mentions;
    // The server's count is capped, so there may be just as many or more unread items left.
    return count >= MAX_UNREAD_COUNT ? 'unknown' : { ...withOneLess(hub, data.kind), ...mentions };
  }
  if (!('author' in data)) return {};
  // The server reports new mentions, but not those of restored posts.
  const isBack = event.event.endsWith('.restored') && data.deletedAt === null;
  if (isBack && (data.mentions.includes(myId) || isReply(data))) return 'unknown';
  // An item that has since been deleted still counts until its deletion event arrives.
  return isUnreadIn(hub, data, myId) ? withOneMore(hub, data.kind) : {};
}

/** The shortest interval between read marks, so that not every post causes a request. */
const MARK_MS = 1_000;
/** The retry interval for a failed read mark while connected. */
const RETRY_MS = 10_000;

interface ReadMarksOptions {
  find: (hubId: string) => Hub | undefined;
  change: (hubId: string, change: Partial<Hub>) => void;
  isLive: () => boolean;
}

/** Moves the user's read marks, reporting them at most once a second, or when the server is back. */
export class ReadMarks {
  readonly #options: ReadMarksOptions;
  /** Keyed by Hub and kind, or by Hub alone for all kinds. */
  readonly #marks = new Map<string, { seq: number }>();
  /** Requests whose responses have not arrived: one that is delayed would make messages marked as unread read again. */
  readonly #underWay = new Set<Promise<unknown>>();
  /** Callbacks that wake marks waiting for the server. */
  readonly #waiting = new Set<() => void>();

  constructor(options: ReadMarksOptions) {
    this.#options = options;
  }

  /** Marks items of one kind, or of all, as read up to an event. @throws ApiError for a client error. */
  async markRead(hubId: string, seq: number, kind?: WireKind): Promise<void> {
    const hub = this.#options.find(hubId);
    if (!hub?.readSeqs) return;
    const { readSeqs } = hub;
    const kinds = kind ? [kind] : ITEM_KINDS;
    if (kinds.every((each) => seq <= Math.max(readSeqs[each], this.#unconfirmed(hubId, each)))) return;
    if (seq >= hub.seq) this.#options.change(hubId, readAll(hub, kinds, seq));
    const key = hubId + (kind ?? '');
    const mark = this.#marks.get(key);
    if (mark) mark.seq = seq;
    else await this.#report(hubId, key, kind, seq);
  }

  /**
   * Marks the items of a kind after an event as unread. `mentionIds`: the mentions and replies that become unread; by
   * default the mentions among these items. @throws as `request` does.
   */
  async markUnread(
    hubId: string,
    seq: number,
    kind: WireKind = 'message',
    mentionIds?: readonly string[],
  ): Promise<void> {
    const { find, change } = this.#options;
    // A mark that is still to be sent would make them read again.
    const dropped = [undefined, kind].flatMap((of) => {
      const key = hubId + (of ?? '');
      const mark = this.#marks.get(key);
      this.#marks.delete(key);
      return mark ? { key, of, mark } : [];
    });
    await Promise.allSettled(this.#underWay);
    const before = find(hubId)?.seq;
    const mark = await request('PUT /hubs/{hubId}/read', {
      hubId,
      body: { seq, kind, back: true, ...(mentionIds && { mentionIds: [...mentionIds] }) },
    }).catch((error: unknown) => {
      // They are still shown as read.
      for (const { key, of, mark } of dropped) {
        if (!this.#marks.has(key)) this.#report(hubId, key, of, mark.seq).catch(() => {});
      }
      throw error;
    });
    const now = find(hubId);
    if (now && now.seq === before) change(hubId, withCounted(now, mark));
  }

  /** Returns the event up to which a kind has unconfirmed read marks; 0 if the server has confirmed them all. */
  #unconfirmed(hubId: string, kind: WireKind): number {
    return Math.max(this.#marks.get(hubId)?.seq ?? 0, this.#marks.get(hubId + kind)?.seq ?? 0);
  }

  /** Retries waiting marks, since the server is back. */
  retry(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  async #report(hubId: string, key: string, kind: WireKind | undefined, upTo: number): Promise<void> {
    const { find, change } = this.#options;
    const target = { seq: upTo };
    this.#marks.set(key, target);
    // Marking as unread ends it; a later mark is then reported on its own.
    const isCurrent = () => this.#marks.get(key) === target;
    try {
      for (let reported = 0; isCurrent() && reported < target.seq; ) {
        const { seq } = target;
        const before = find(hubId)?.seq;
        const response = request('PUT /hubs/{hubId}/read', { hubId, body: { seq, ...(kind && { kind }) } }).catch(
          nullIfRetryable,
        );
        this.#underWay.add(response);
        const mark = await response.finally(() => this.#underWay.delete(response));
        if (mark) {
          reported = seq;
          const now = find(hubId);
          // If newer events have arrived, the response may or may not count them. The server also sends the new state
          // to every page.
          if (now && now.seq === before) change(hubId, withCounted(now, mark));
          await new Promise((resolve) => setTimeout(resolve, MARK_MS));
        } else await this.#untilRetry();
        // The Hub disappeared in the meantime.
        if (!find(hubId)) return;
      }
    } finally {
      if (isCurrent()) this.#marks.delete(key);
    }
  }

  async #untilRetry(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    const timer = this.#options.isLive() ? setTimeout(resolve, RETRY_MS) : undefined;
    await promise;
    clearTimeout(timer);
    this.#waiting.delete(resolve);
  }
}

/** Returns null if a retry may succeed, possibly with a new session. @throws other client errors. */
function nullIfRetryable(error: unknown): null {
  if (
    error instanceof ApiError &&
    error.statusCode >= 400 &&
    error.statusCode < 500 &&
    ![401, 408, 429].includes(error.statusCode)
  )
    throw error;
  return null;
}
