import type { EventLog, EventRecord } from '../store/item-store.ts';
import type { ReplayedFrame, ReplayedFrames } from './replayed-frames.ts';

/** Events that are read at a time, so that a long gap does not fill the memory. */
const READ_EVENTS = 200;

interface HubFeedDeps {
  events: EventLog;
  replayed: ReplayedFrames;
  publish: (event: EventRecord) => void;
}

/**
 * The live end of one Hub's event log, kept as long as somebody follows the Hub. It publishes each event once and in order, by
 * reading on from the last one that it published: how and when it hears of commits does not matter.
 */
export class HubFeed {
  readonly hubId: string;
  readonly topic: string;
  /** Those who follow, or are on their way there. */
  followers = 0;
  #published: number;
  readonly #events: EventLog;
  readonly #replayed: ReplayedFrames;
  readonly #publish: (event: EventRecord) => void;

  constructor(hubId: string, published: number, { events, replayed, publish }: HubFeedDeps) {
    this.hubId = hubId;
    this.topic = `hub:${hubId}`;
    this.#published = published;
    this.#events = events;
    this.#replayed = replayed;
    this.#publish = publish;
  }

  /** The number of the last event that went out to the topic. */
  get published(): number {
    return this.#published;
  }

  /** Publishes what was committed meanwhile. Returns how many events that were. */
  catchUp(): number {
    const start = this.#published;
    for (;;) {
      const events = this.#events.read(this.hubId, this.#published, READ_EVENTS);
      for (const event of events) {
        this.#replayed.changed(event);
        this.#publish(event);
        this.#published = event.seq;
      }
      if (events.length < READ_EVENTS) return this.#published - start;
    }
  }

  /** Events after `after` that have been published, as frames, at most `limit`, each with its number. */
  replay(after: number, limit: number): ReplayedFrame[] {
    const known = this.#replayed.after(this.hubId, after, limit);
    if (known.length > 0) return known;
    return this.#events
      .read(this.hubId, after, limit)
      .filter((event) => event.seq <= this.#published)
      .map((event) => this.#replayed.make(event));
  }
}
