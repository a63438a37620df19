import { StoreUnavailable } from '../../platform/errors.ts';
import { FairGate } from '../../platform/fair-gate.ts';
import type { Clock } from '../../platform/ports.ts';
import type { CommitReportBuilder } from '../commit-report.ts';
import type { SequencedHub } from '../events.ts';
import type { NewPost } from '../items.ts';
import type { PostRule, PostWriter } from '../store.ts';
import { Batches, type Outcome } from './engine/batches.ts';
import type { ReadConnection } from './engine/connection.ts';
import { type RunOptions, tooManyWaiting } from './engine/transactions.ts';
import type { Turn } from './engine/use-connection.ts';
import { HubLocked, type PostOutcome, type postChanges, type QueuedPost, recoverPosts, type Wait } from './posts.ts';

/** How many posts, and how much text, are written by one statement, which has to end in time. */
const MAX_POSTS = 100;
const MAX_CHARACTERS = 1_000_000;
/** How long posts in such a Hub are then written by themselves. Otherwise, each would hold up all others again. */
const APART_MS = 10_000;

type Posts = ReturnType<typeof postChanges>;
type Store = (
  work: (posts: Posts) => Promise<PostOutcome[]>,
  options?: RunOptions<PostOutcome[]>,
) => Promise<PostOutcome[]>;

interface GatheredPostsOptions {
  store: Store;
  reads: ReadConnection;
  clock: Clock;
  /** How many transactions for the posts of one Hub can run at the same time, besides the one for all Hubs. */
  maxApart: number;
}

/**
 * Gathers posts while others are being committed, and writes them in one transaction. Posts in Hubs that are locked for
 * long, and all of them if one fails, are written by Hub or one by one.
 */
export class GatheredPosts implements PostWriter {
  readonly #store: Store;
  readonly #reads: ReadConnection;
  readonly #clock: Clock;
  readonly #all: Batches<QueuedPost, SequencedHub>;
  /** The posts in Hubs that others should not wait for. */
  readonly #byHub = new Map<string, Batches<QueuedPost, SequencedHub>>();
  /** Leaves a connection for the posts in all other Hubs. */
  readonly #turns: FairGate;

  constructor({ store, reads, clock, maxApart }: GatheredPostsOptions) {
    this.#store = store;
    this.#reads = reads;
    this.#clock = clock;
    this.#all = this.#batches((queued) => this.#writeTogether(queued));
    this.#turns = new FairGate({ clock, perCaller: 1, total: maxApart, busy: tooManyWaiting });
  }

  get waiting(): number {
    return [this.#all, ...this.#byHub.values()].reduce((sum, { waiting }) => sum + waiting, 0);
  }

  write(post: NewPost, rule: PostRule): Promise<SequencedHub> {
    return (this.#byHub.get(post.hubId) ?? this.#all).add({ post, rule });
  }

  #batches(run: (queued: readonly QueuedPost[]) => Promise<Outcome<SequencedHub>[]>) {
    return new Batches<QueuedPost, SequencedHub>({
      run,
      maxItems: MAX_POSTS,
      maxSize: MAX_CHARACTERS,
      sizeOf: charactersOf,
    });
  }

  async #writeTogether(queued: readonly QueuedPost[]): Promise<Outcome<SequencedHub>[]> {
    const apart = (each: QueuedPost, forMs = 0) => ({ value: this.#ofHub(each.post.hubId, forMs).add(each) });
    const isStatement = queued.every(({ rule: { files, mentioned } }) => !files && !mentioned);
    const recover = (report: CommitReportBuilder) => recoverPosts(this.#reads, queued, report);
    const write = async (wait: Wait) => {
      const options = wait === 'short' && isStatement ? { recover } : {};
      const outcomes = await this.#store((posts) => posts.writeAll(queued, wait), options);
      return queued.map((each, index) => outcomes[index] ?? apart(each, APART_MS));
    };
    try {
      return await write('short').catch((error) => {
        if (error instanceof HubLocked) return write('none');
        throw error;
      });
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      return queued.map((each) => apart(each));
    }
  }

  #ofHub(hubId: string, forMs: number): Batches<QueuedPost, SequencedHub> {
    const known = this.#byHub.get(hubId);
    if (known) return known;
    const until = this.#clock.monotonic() + forMs;
    const turn: Turn = (from) => this.#turns.enter(hubId, from);
    const batches = this.#batches(async (queued) => {
      try {
        return await this.#writeOneHub(queued, turn);
      } finally {
        if (batches.waiting === 0 && this.#clock.monotonic() >= until) this.#byHub.delete(hubId);
      }
    });
    this.#byHub.set(hubId, batches);
    return batches;
  }

  async #writeOneHub(queued: readonly QueuedPost[], turn: Turn): Promise<Outcome<SequencedHub>[]> {
    const write = async (posts: readonly QueuedPost[]) =>
      (await this.#store((on) => on.writeAll(posts, 'long'), { turn })).filter((outcome) => outcome !== null);
    try {
      return await write(queued);
    } catch (error) {
      if (error instanceof StoreUnavailable || queued.length === 1) throw error;
    }
    const outcomes: Outcome<SequencedHub>[] = [];
    for (const each of queued) outcomes.push(...(await write([each]).catch((error: unknown) => [{ error }])));
    return outcomes;
  }
}

function charactersOf({ post: { title, body, blocks } }: QueuedPost): number {
  return (title?.length ?? 0) + (body?.length ?? 0) + (blocks?.length ?? 0);
}
