import type { Clock, Log } from '../ports.ts';
import type { Concern } from './concern.ts';

/** So long a notice waits for what comes with it. */
const GATHER_MS = 1_000;
/** Where posts pour in, they are told of together, and not more often than this. */
const POSTS_MS = 30_000;
/** What concerns somebody himself is told piece by piece up to here, and from here on together. */
const MAX_SINGLE = 3;
/** More of one person does not wait: it would be told as a number only. */
const MAX_WAITING = 200;

/** What is told of a Hub at once: one thing, or so many with the newest of them. */
export type Outgoing = { concern: Concern; count: number };

/** Posts of one Hub, from the first that was told of until somebody looked. */
interface Posts {
  newest: Concern;
  /** All since the person last looked. */
  count: number;
  isNew: boolean;
  /** On the monotonic clock: not before. */
  notBefore: number;
}

interface Waiting {
  personal: Concern[];
  posts: Map<string, Posts>;
}

interface OutboxDeps {
  clock: Clock;
  log: Log;
  deliver: (personId: string, outgoing: Outgoing) => Promise<void>;
}

/** Gathers what somebody is to be told of, so that a burst is one notice and not a hundred. */
export class NotificationOutbox {
  readonly #deps: OutboxDeps;
  readonly #users = new Map<string, Waiting>();
  #isRunning = false;
  #isStopped = false;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
  }

  add(personId: string, concern: Concern): void {
    const waiting: Waiting = this.#users.get(personId) ?? { personal: [], posts: new Map() };
    this.#users.set(personId, waiting);
    if (concern.reason === 'post') {
      const known = waiting.posts.get(concern.hubId);
      const { count = 0, notBefore = 0 } = known ?? {};
      waiting.posts.set(concern.hubId, { newest: concern, count: count + 1, isNew: true, notBefore });
    } else if (waiting.personal.length < MAX_WAITING) {
      waiting.personal.push(concern);
    }
    if (!this.#isRunning) void this.#run();
  }

  /** Whoever looks at a page sees what there is. */
  attended(personId: string): void {
    this.#users.delete(personId);
  }

  stop(): void {
    this.#isStopped = true;
    this.#users.clear();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#users.size > 0 && !this.#isStopped) {
      await this.#deps.clock.sleep(GATHER_MS);
      for (const [personId, waiting] of [...this.#users]) {
        for (const outgoing of this.#due(waiting)) {
          await this.#deps.deliver(personId, outgoing).catch((err: unknown) => {
            this.#deps.log.warn({ err, personId }, 'A notice could not be given');
          });
        }
        if (isDone(waiting, this.#deps.clock.monotonic())) this.#users.delete(personId);
      }
    }
    this.#isRunning = false;
  }

  #due(waiting: Waiting): Outgoing[] {
    const now = this.#deps.clock.monotonic();
    const due = byHub(waiting.personal.splice(0)).flatMap((concerns) =>
      concerns.length > MAX_SINGLE
        ? concerns.slice(-1).map((concern) => ({ concern, count: concerns.length }))
        : concerns.map((concern) => ({ concern, count: 1 })),
    );
    for (const posts of waiting.posts.values()) {
      if (!posts.isNew || now < posts.notBefore) continue;
      due.push({ concern: posts.newest, count: posts.count });
      posts.isNew = false;
      posts.notBefore = now + POSTS_MS;
    }
    return due;
  }
}

function byHub(concerns: readonly Concern[]): Concern[][] {
  return [...Map.groupBy(concerns, ({ hubId }) => hubId).values()];
}

/** Whether nothing waits, and the last post is told of so long ago that the next begins anew. */
function isDone({ personal, posts }: Waiting, now: number): boolean {
  if (personal.length > 0) return false;
  return [...posts.values()].every(({ isNew, notBefore }) => !isNew && now >= notBefore);
}
