import { StoreUnavailable } from '../../../platform/errors.ts';

const MAX_WAITING = 10_000;

export type Outcome<Result> = { value: Result | Promise<Result> } | { error: unknown };

interface BatchesOptions<Item, Result> {
  /** Does what several items ask for, and returns an outcome for each. If it rejects, so do all of them. */
  run: (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>;
  maxItems: number;
  /** The size of an item, and how much a run takes before it takes no further one. */
  sizeOf?: (item: Item) => number;
  maxSize?: number;
  /** How many runs may be under way at the same time. */
  maxRuns?: number;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (value: Result | Promise<Result>) => void;
  reject: (error: unknown) => void;
}

/**
 * Gathers items while a run is under way, so that the next run's round trips are shared. As in the group commit,
 * `setImmediate` starts a run once all ready sockets have been read.
 */
export class Batches<Item, Result> {
  #queue: Waiting<Item, Result>[] = [];
  #runs = 0;
  #isScheduled = false;

  constructor(private readonly options: BatchesOptions<Item, Result>) {}

  get waiting(): number {
    return this.#queue.length;
  }

  add(item: Item): Promise<Result> {
    if (this.#queue.length >= MAX_WAITING)
      return Promise.reject(new StoreUnavailable(new Error(`${MAX_WAITING} requests are already waiting`)));
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#queue.length === 0 || this.#runs >= (this.options.maxRuns ?? 1)) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      void this.#run(this.#take());
    });
  }

  #take(): Waiting<Item, Result>[] {
    const { maxItems, maxSize = Number.POSITIVE_INFINITY, sizeOf = () => 0 } = this.options;
    let [count, size] = [0, 0];
    for (const { item } of this.#queue) {
      if (count === maxItems || size >= maxSize) break;
      count += 1;
      size += sizeOf(item);
    }
    return this.#queue.splice(0, count);
  }

  async #run(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    this.#runs += 1;
    this.#schedule();
    try {
      const outcomes = await this.options.run(batch.map(({ item }) => item));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index] ?? { error: new Error('A batch returned too few outcomes') };
        if ('error' in outcome) reject(outcome.error);
        else resolve(outcome.value);
      }
    } catch (error) {
      // While the database is away, another run would keep those that wait for longer than a request may take.
      const others = error instanceof StoreUnavailable ? this.#queue.splice(0) : [];
      for (const { reject } of batch) reject(error);
      // Their posts were not sent to the database; those of the batch may have been.
      for (const { reject } of others) reject(new StoreUnavailable((error as StoreUnavailable).cause));
    } finally {
      this.#runs -= 1;
      this.#schedule();
    }
  }
}
