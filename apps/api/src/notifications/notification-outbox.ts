import type { Deps } from '../access/deps.ts';
import { oneAtATime } from '../platform/repeat.ts';
import type { NotificationTrigger } from './notification-follower.ts';

/** How long a notification waits so that it can be combined with others. */
const GATHER_MS = 1_000;
/** Posts in a busy Hub are combined into one notification, at most one per this interval. */
const POSTS_MS = 30_000;
/** Up to this many personal notifications per Hub are sent one by one; more are combined into one. */
const MAX_SINGLE = 3;
/** Maximum personal notifications waiting per user. Further ones are dropped: they would only raise a count. */
const MAX_WAITING = 200;

/** One notification to send: a single item, or the newest of `count`. */
export type Outgoing = { trigger: NotificationTrigger; count: number };

/** Posts in one Hub since the user last looked. Kept once delivered, since the next notification covers them, too. */
interface Posts {
  newest: NotificationTrigger;
  count: number;
  isNew: boolean;
  /** The earliest time of the next notification, on the monotonic clock. */
  notBefore: number;
}

interface Waiting {
  personal: NotificationTrigger[];
  posts: Map<string, Posts>;
}

interface OutboxDeps extends Pick<Deps, 'clock' | 'log'> {
  deliver: (userId: string, outgoing: Outgoing) => Promise<void>;
}

/** Combines the notifications of a user, so that a burst becomes one notification. */
export class NotificationOutbox {
  readonly #users = new Map<string, Waiting>();
  readonly #run = oneAtATime(() => this.#deliverAll());
  #isStopped = false;
  #delivering: Promise<void> = Promise.resolve();

  constructor(private readonly deps: OutboxDeps) {}

  /** Adds a notification, of `added` posts if it is about posts. */
  add(userId: string, trigger: NotificationTrigger, added = 1): void {
    if (this.#isStopped) return;
    const waiting: Waiting = this.#users.get(userId) ?? { personal: [], posts: new Map() };
    this.#users.set(userId, waiting);
    if (trigger.reason === 'post') {
      const posts = waiting.posts.get(trigger.hubId);
      const { count = 0, notBefore = 0 } = posts ?? {};
      waiting.posts.set(trigger.hubId, { newest: trigger, count: count + added, isNew: true, notBefore });
    } else if (waiting.personal.length < MAX_WAITING) {
      waiting.personal.push(trigger);
    }
    void this.#run();
  }

  /** Drops what waits for a user who is now looking at a page, counts included. Returns whether there was any. */
  attended(userId: string): boolean {
    return this.#users.delete(userId);
  }

  clear(): void {
    this.#users.clear();
  }

  /** Resolves once everything has been delivered that is due. */
  async idle(): Promise<void> {
    await this.#delivering;
  }

  stop(): void {
    this.#isStopped = true;
    this.#users.clear();
  }

  async #deliverAll(): Promise<void> {
    while ([...this.#users.values()].some(isPending) && !this.#isStopped) {
      await this.deps.clock.sleep(GATHER_MS);
      this.#delivering = this.#deliverDue();
      await this.#delivering;
    }
  }

  async #deliverDue(): Promise<void> {
    for (const [userId, waiting] of [...this.#users]) {
      for (const outgoing of this.#due(waiting)) {
        await this.deps.deliver(userId, outgoing).catch((err: unknown) => {
          this.deps.log.warn({ err, userId }, 'Failed to deliver a notification');
        });
      }
      // Meanwhile, the user may have looked at the page, and new notifications may wait.
      const isSame = this.#users.get(userId) === waiting;
      if (isSame && waiting.posts.size === 0 && !isPending(waiting)) this.#users.delete(userId);
    }
  }

  #due(waiting: Waiting): Outgoing[] {
    const now = this.deps.clock.monotonic();
    const due = byHub(waiting.personal.splice(0)).flatMap((triggers) =>
      triggers.length > MAX_SINGLE
        ? triggers.slice(-1).map((trigger) => ({ trigger, count: triggers.length }))
        : triggers.map((trigger) => ({ trigger, count: 1 })),
    );
    for (const posts of waiting.posts.values()) {
      if (!posts.isNew || now < posts.notBefore) continue;
      due.push({ trigger: posts.newest, count: posts.count });
      posts.isNew = false;
      posts.notBefore = now + POSTS_MS;
    }
    return due;
  }
}

function byHub(triggers: readonly NotificationTrigger[]): NotificationTrigger[][] {
  return [...Map.groupBy(triggers, ({ hubId }) => hubId).values()];
}

function isPending({ personal, posts }: Waiting): boolean {
  return personal.length > 0 || [...posts.values()].some(({ isNew }) => isNew);
}
