import { oneAtATime } from '../platform/repeat.ts';
import type { CommittedPost } from '../storage/commit-report.ts';
import { type EventLog, type EventRecord, MAX_READ_EVENTS } from '../storage/events.ts';
import { mayMention } from '../workspace/items/mentions.ts';
import { type KnownBot, postEvent, type ReplayedFrame, type ReplayedFrames } from './live-frames.ts';

interface HubFeedDeps {
  events: EventLog;
  replayed: ReplayedFrames;
  bot: KnownBot;
  publish: (event: EventRecord) => void;
}

/**
 * The live end of one Hub's event log. It exists while anyone follows the Hub. It publishes each event once and in
 * order, and always continues after the last published event, so it does not matter when it is notified of commits, or
 * of how many.
 */
export class HubFeed {
  readonly topic: string;
  /** All subscriptions, including those still being replayed. */
  readonly subscriptions = new Set<object>();
  /** The connections that get each event when it is published. */
  readonly live = new Set<{ closeIfTooSlow: () => void }>();
  #published: number;
  readonly #read = oneAtATime(() => this.#readOn());

  constructor(
    readonly hubId: string,
    published: number,
    private readonly deps: HubFeedDeps,
  ) {
    this.topic = `hub:${hubId}`;
    this.#published = published;
  }

  /** The sequence number of the last event published to the topic. */
  get published(): number {
    return this.#published;
  }

  /**
   * Publishes the posts of this Hub without reading them from the log, up to one that other events come before, or that
   * may mention members, whom only the log names.
   */
  publishPosts(posts: readonly CommittedPost[]): void {
    const bot = this.deps.bot.current;
    if (!bot) return;
    for (const post of posts) {
      const isNext = post.hubId === this.hubId && post.seq === this.#published + 1;
      if (isNext && !mayMention(post)) this.#publishNow(postEvent(post, bot));
    }
  }

  #publishNow(event: EventRecord): void {
    this.deps.replayed.invalidate(event);
    for (const connection of this.live) connection.closeIfTooSlow();
    this.deps.publish(event);
    this.#published = event.seq;
  }

  /** Publishes all events that are committed now, unless the one with this number has been published. */
  async catchUp(seq: number): Promise<void> {
    if (this.#published < seq) await this.#read();
  }

  async #readOn(): Promise<void> {
    for (;;) {
      const { version } = this.deps.bot;
      const events = await this.deps.events.read(this.hubId, this.#published, MAX_READ_EVENTS);
      // Meanwhile, posts may have been published from memory.
      for (const event of events) {
        if (event.seq > this.#published) this.#publishNow(event);
        this.deps.bot.learn(event, version);
      }
      if (events.length < MAX_READ_EVENTS) return;
      // Connections send, and are closed if they are too slow, before more is published.
      await new Promise(setImmediate);
    }
  }

  /** Returns up to `limit` published events after `after`, as frames with their sequence numbers. */
  async replay(after: number, limit: number): Promise<readonly ReplayedFrame[]> {
    const isPublished = ({ seq }: { seq: number }) => seq <= this.#published;
    // A former feed of this Hub may have been ahead.
    const cached = this.deps.replayed.after(this.hubId, after, limit).filter(isPublished);
    if (cached.length > 0) return cached;
    const { version } = this.deps.replayed;
    const events = await this.deps.events.read(this.hubId, after, limit);
    return events
      .filter(isPublished)
      .map((event) => this.deps.replayed.add(event, { isFresh: this.deps.replayed.version === version }));
  }
}
