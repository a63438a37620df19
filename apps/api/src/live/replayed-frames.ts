import type { EventRecord } from '../storage/event-store.ts';
import { eventFrame } from './live-frames.ts';

/** How many characters of frames are cached, across all Hubs. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

export interface ReplayedFrame {
  readonly seq: number;
  readonly text: string;
}

/**
 * Caches recently replayed frames. After a restart, all clients reconnect at the same time and have missed the same
 * events, so each event is read only once. A frame contains the current state of its item and is therefore dropped as
 * soon as the item changes.
 */
export class ReplayedFrames {
  readonly #byHub = new Map<string, Map<number, string>>();
  /** The sequence numbers of the frames that contain an item. */
  readonly #byItem = new Map<string, number[]>();
  #characters = 0;

  /** Returns up to `limit` cached frames that directly follow this event, without gaps. */
  after(hubId: string, seq: number, limit: number): ReplayedFrame[] {
    const frames = this.#byHub.get(hubId);
    const found: ReplayedFrame[] = [];
    for (let next = seq + 1; frames && found.length < limit; next += 1) {
      const text = frames.get(next);
      if (text === undefined) break;
      found.push({ seq: next, text });
    }
    return found;
  }

  /** Creates the frame of an event that was just read, and caches it. */
  add(event: EventRecord): ReplayedFrame {
    const { hubId, seq, itemId } = event;
    const text = eventFrame(event);
    if (this.#characters + text.length > MAX_CHARACTERS) this.clear();
    const frames = this.#byHub.get(hubId) ?? new Map<number, string>();
    this.#byHub.set(hubId, frames);
    this.#characters += text.length - (frames.get(seq)?.length ?? 0);
    frames.set(seq, text);
    if (itemId !== null) this.#byItem.set(itemId, [...(this.#byItem.get(itemId) ?? []), seq]);
    return { seq, text };
  }

  /** Drops the frames that an event makes stale: those of its item, or all if it concerns a whole Hub. */
  invalidate({ hubId, itemId }: EventRecord): void {
    if (itemId === null) this.clear();
    else this.#drop(hubId, itemId);
  }

  /** Clears the cache. This happens often, since no event reports that a user, a key or the bot has a new name. */
  clear(): void {
    this.#byHub.clear();
    this.#byItem.clear();
    this.#characters = 0;
  }

  #drop(hubId: string, itemId: string): void {
    const frames = this.#byHub.get(hubId);
    for (const seq of this.#byItem.get(itemId) ?? []) {
      this.#characters -= frames?.get(seq)?.length ?? 0;
      frames?.delete(seq);
    }
    this.#byItem.delete(itemId);
  }
}
