import { mayMention } from '../items/find-mentions.ts';
import type { CommittedPost } from '../storage/commit-report.ts';
import type { EventLog, EventRecord } from '../storage/event-store.ts';
import type { ReplayedFrame, ReplayedFrames } from './live-frames.ts';
import { type Bot, postEvent } from './live-frames.ts';

/** How many events are read at a time, so that a long gap does not fill up memory. */
const READ_EVENTS = 200;

interface HubFeedDeps {
  events: EventLog;
  replayed: ReplayedFrames;
  publish: (event: EventRecord) => void;
}

/**
 * The live end of one Hub's event log. It exists while anyone follows the Hub. It publishes each event once and in
 * order, and always continues after the last published event, so it does not matter when it is notified of commits.
 */
export class HubFeed {
  readonly hubId: string;
  readonly topic: string;
  /** The number of subscriptions, including those still being replayed. */
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

  /** The sequence number of the last event published to the topic. */
  get published(): number {
    return this.#published;
  }

  /**
   * Publishes the posts of this Hub without reading them from the log, up to one that other events come before, or that
   * may mention members, whom only the log names. Returns how many there were.
   */
  publishPosts(posts: readonly CommittedPost[], bot: Bot): number {
    const start = this.#published;
    for (const post of posts) {
      const isNext = post.hubId === this.hubId && post.seq === this.#published + 1;
      if (isNext && !mayMention(post)) this.#publishNow(postEvent(post, bot));
    }
    return this.#published - start;
  }

  #publishNow(event: EventRecord): void {
    this.#replayed.invalidate(event);
    this.#publish(event);
    this.#published = event.seq;
  }

  /** Publishes all events committed since the last call. Returns how many there were. */
  catchUp(): number {
    const start = this.#published;
    for (;;) {
      const events = this.#events.read(this.hubId, this.#published, READ_EVENTS);
      for (const event of events) this.#publishNow(event);
      if (events.length < READ_EVENTS) return this.#published - start;
    }
  }

  /** Returns up to `limit` published events after `after`, as frames with their sequence numbers. */
  replay(after: number, limit: number): ReplayedFrame[] {
    const known = this.#replayed.after(this.hubId, after, limit);
    if (known.length > 0) return known;
    return this.#events
      .read(this.hubId, after, limit)
      .filter((event) => event.seq <= this.#published)
      .map((event) => this.#replayed.add(event));
  }
}
