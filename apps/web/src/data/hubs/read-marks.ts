import type { Hub, WireKind } from '@hub/contract';
import { ITEM_KINDS } from '@hub/contract/item-kinds';
import { ApiError, request } from '../request.ts';
import { readAll, withCounted } from './read-state.ts';

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
