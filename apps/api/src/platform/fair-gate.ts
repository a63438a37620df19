import { AppError } from './errors.ts';
import type { Clock } from './ports.ts';
import { oneAtATime } from './repeat.ts';

/** Gives the slot back. Calling it again has no effect. */
export type Release = () => void;

export interface FairGateOptions {
  clock: Clock;
  perCaller: number;
  /** By default, all callers together are not limited. */
  total?: number;
  /** How many can wait. Beyond that, the last of the caller with the most is rejected. */
  maxWaiting?: number;
  /** How long one can wait before it is rejected. */
  maxWaitMs?: number;
  /** Returns the error for those who are rejected, with `Retry-After`. */
  busy: () => AppError;
}

interface Waiter {
  since: number;
  admit: (release: Release) => void;
  reject: (reason: AppError) => void;
}

const CHECK_INTERVAL_MS = 500;

/**
 * Limits how much of the server one caller (any string) uses at a time. Each holds a few slots; further requests wait
 * in one queue per caller, and the queues take turns. A slot that was given back is free in the next turn of the event
 * loop, so requests that wait for nothing, such as reads of SQLite, count as well.
 */
export class FairGate {
  readonly #held = new Map<string, number>();
  /** The waiters by caller; the caller whose turn is next comes first. */
  readonly #queues = new Map<string, Waiter[]>();
  /** The callers who gave back a slot in this turn of the event loop, once for each. */
  #released: string[] = [];
  #running = 0;
  #waiting = 0;
  #isTurnDue = false;
  readonly #watch = oneAtATime(() => this.#rejectLate());

  constructor(private readonly options: FairGateOptions) {}

  get waiting(): number {
    return this.#waiting;
  }

  /** Takes a slot: at once, without a promise, or in turn. Rejects with `busy` after too long, or if `from` aborts. */
  enter(caller: string, from?: { readonly signal: AbortSignal }): Release | Promise<Release> {
    return !this.#queues.has(caller) && this.#hasRoom(caller) ? this.#take(caller) : this.#wait(caller, from?.signal);
  }

  #hasRoom(caller: string): boolean {
    const { perCaller, total = Number.POSITIVE_INFINITY } = this.options;
    return this.#running < total && (this.#held.get(caller) ?? 0) < perCaller;
  }

  #take(caller: string): Release {
    this.#running += 1;
    this.#held.set(caller, (this.#held.get(caller) ?? 0) + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#released.push(caller);
      this.#scheduleTurn();
    };
  }

  async #wait(caller: string, signal: AbortSignal | undefined): Promise<Release> {
    if (signal?.aborted) throw clientGone();
    const { promise, resolve: admit, reject } = Promise.withResolvers<Release>();
    const waiter: Waiter = { since: this.options.clock.monotonic(), admit, reject };
    const leave = (): void => {
      if (this.#remove(caller, waiter)) reject(clientGone());
    };
    signal?.addEventListener('abort', leave);
    const queue = this.#queues.get(caller);
    if (queue) queue.push(waiter);
    else this.#queues.set(caller, [waiter]);
    this.#waiting += 1;
    if (this.#waiting > (this.options.maxWaiting ?? Number.POSITIVE_INFINITY)) this.#rejectOne();
    if (this.options.maxWaitMs !== undefined) void this.#watch();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  #remove(caller: string, waiter: Waiter): boolean {
    const queue = this.#queues.get(caller);
    const index = queue?.indexOf(waiter) ?? -1;
    if (!queue || index === -1) return false;
    queue.splice(index, 1);
    if (queue.length === 0) this.#queues.delete(caller);
    this.#waiting -= 1;
    return true;
  }

  #scheduleTurn(): void {
    if (this.#isTurnDue) return;
    this.#isTurnDue = true;
    setImmediate(() => this.#turn());
  }

  /** Frees the slots that were given back, and admits the first waiter of the next caller who can have one. */
  #turn(): void {
    this.#isTurnDue = false;
    for (const caller of this.#released.splice(0)) {
      const left = (this.#held.get(caller) ?? 0) - 1;
      if (left > 0) this.#held.set(caller, left);
      else this.#held.delete(caller);
      this.#running -= 1;
    }
    for (const [caller, [waiter]] of this.#queues) {
      if (!waiter || !this.#hasRoom(caller)) continue;
      const queue = this.#queues.get(caller) as Waiter[];
      this.#remove(caller, waiter);
      // Its next turn comes after those of all others.
      if (queue.length > 0 && this.#queues.delete(caller)) this.#queues.set(caller, queue);
      waiter.admit(this.#take(caller));
      // There may be room for another one.
      if (this.#waiting > 0) this.#scheduleTurn();
      return;
    }
  }

  #rejectOne(): void {
    let longest: [caller: string, queue: Waiter[]] | undefined;
    for (const entry of this.#queues) if (!longest || entry[1].length > longest[1].length) longest = entry;
    const last = longest?.[1].at(-1);
    if (longest && last && this.#remove(longest[0], last)) last.reject(this.options.busy());
  }

  /** Rejects those who have waited for too long, as long as any are waiting. */
  async #rejectLate(): Promise<void> {
    const { maxWaitMs = 0 } = this.options;
    while (this.#waiting > 0) {
      await this.options.clock.sleep(CHECK_INTERVAL_MS);
      const since = this.options.clock.monotonic() - maxWaitMs;
      for (const [caller, queue] of [...this.#queues]) {
        for (const waiter of queue.filter((each) => each.since <= since)) {
          if (this.#remove(caller, waiter)) waiter.reject(this.options.busy());
        }
      }
    }
  }
}

/** Nobody can read this error any more, but it keeps the end of the request from being logged as a server error. */
function clientGone(): AppError {
  return new AppError('invalid', 'The client closed the connection.');
}
