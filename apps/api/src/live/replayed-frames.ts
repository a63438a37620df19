import type { EventRecord } from '../store/item-store.ts';
import { eventFrame } from './live-frames.ts';

/** Characters of frames that are kept at most, over all Hubs. */
const KEPT_CHARACTERS = 8 * 1024 * 1024;

export interface ReplayedFrame {
  readonly seq: number;
  readonly text: string;
}

/**
 * What was replayed just now. After a restart all come back at once and miss the same events: those are read once, and not once
 * for each. An event tells its item as it is now, so a frame goes as soon as its item changes.
 */
export class ReplayedFrames {
  readonly #byHub = new Map<string, Map<number, string>>();
  /** Which frames tell of an item. */
  readonly #byItem = new Map<string, number[]>();
  #characters = 0;

  /** The frames after this event, without a hole, at most `limit`. */
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

  /** Makes the frame of an event that was read just now, and keeps it. */
  make(event: EventRecord): ReplayedFrame {
    const { hubId, seq, itemId } = event;
    const text = eventFrame(event);
    if (this.#characters + text.length > KEPT_CHARACTERS) this.clear();
    const frames = this.#byHub.get(hubId) ?? new Map<number, string>();
    this.#byHub.set(hubId, frames);
    this.#characters += text.length - (frames.get(seq)?.length ?? 0);
    frames.set(seq, text);
    if (itemId !== null) this.#byItem.set(itemId, [...(this.#byItem.get(itemId) ?? []), seq]);
    return { seq, text };
  }

  /** Something has happened to an item; or to a Hub, and so perhaps to many items. */
  changed({ hubId, itemId }: EventRecord): void {
    if (itemId === null) this.clear();
    else this.#drop(hubId, itemId);
  }

  /** No event tells of a new name of a person, a key or the bot, so nothing is kept for long. */
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
