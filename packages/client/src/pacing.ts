import { type Clock, MAX_TIMER_MS } from './clock.ts';
import { onAbort } from './on-abort.ts';

/**
 * The server blocks a key at its 61st request within 60 s. The margin is for two clocks that do not run quite alike: a
 * block costs 300 s, the margin a twentieth of one.
 */
const WINDOW_REQUESTS = 60;
const WINDOW_MS = 60_000 + 50;

/** One call's place in the queue. It keeps the place when it is sent again. */
export interface Place {
  readonly number: number;
  readonly paced: boolean;
  /** How long this call may wait for blocks to end, counted from when it first meets one. */
  readonly blockWaitMs: number;
  readonly signal: AbortSignal | undefined;
  blockMetAt?: number;
}

/** The right to send one request now. Exactly one of its methods must be called once the request has ended. */
export interface Turn {
  /** The server may have counted it: answered, broken off, timed out or aborted. */
  end(): void;
  /** The server never saw it. */
  endUnsent(): void;
  /** It was answered that the key is blocked. Tells whether the call may wait for the end of that block. */
  endBlocked(retryAfterSeconds: number): boolean;
}

interface Waiting {
  place: Place;
  start: (turn: Turn) => void;
}

/**
 * Decides when requests with one key start, in the order of their calls. A request starts while fewer than 60 others are
 * unanswered or were answered within the window. The server counts a request somewhere between its start and its
 * answer, so its window can then never hold more than 60 of them: counting from the answers is what makes this exact.
 */
export class Pacer {
  readonly #clock: Clock;
  readonly #waiting: Waiting[] = [];
  #places = 0;
  #underWay = 0;
  /** When the last requests that the server may have counted were answered; more than a window's worth never matter. */
  #respondedAt: number[] = [];
  #blockedUntil = Number.NEGATIVE_INFINITY;
  #cancelTimer = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether it could be forgotten: nothing waits, is under way or still counts. */
  get isIdle(): boolean {
    const now = this.#clock.now();
    this.#forgetOld(now);
    const isBlocked = now < this.#blockedUntil;
    return this.#waiting.length === 0 && this.#underWay === 0 && this.#respondedAt.length === 0 && !isBlocked;
  }

  /** Takes the next place; in the order in which this is called the requests start. */
  takePlace(options: Omit<Place, 'number' | 'blockMetAt'>): Place {
    this.#places += 1;
    return { ...options, number: this.#places };
  }

  /** Waits until the request may be sent. An abort ends the wait at once, with the caller's reason. */
  turn(place: Place): Promise<Turn> {
    return new Promise((resolve, reject) => {
      const { signal } = place;
      signal?.throwIfAborted();
      const stopListening = onAbort(signal, () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal?.reason);
        this.#startAllThatMay();
      });
      const waiting: Waiting = {
        place,
        start: (turn) => {
          stopListening();
          resolve(turn);
        },
      };
      const behind = this.#waiting.findLastIndex((other) => other.place.number < place.number);
      this.#waiting.splice(behind + 1, 0, waiting);
      this.#startAllThatMay();
    });
  }

  #startAllThatMay(): void {
    this.#cancelTimer();
    // One time for all that waits: with a later one, an answer that was counted when the pass began could leave the window
    // in the middle of it, and let in everything that waits.
    const now = this.#clock.now();
    this.#forgetOld(now);
    let wakeAt = Number.POSITIVE_INFINITY;
    for (const waiting of [...this.#waiting]) {
      const mayAt = this.#mayStartAt(waiting.place, now);
      if (mayAt <= now) {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        this.#underWay += 1;
        waiting.start(this.#openTurn(waiting.place, now));
      } else wakeAt = Math.min(wakeAt, mayAt);
    }
    // Without a time to wake at, the end of a request that is under way comes back here.
    if (wakeAt === Number.POSITIVE_INFINITY) return;
    const delayMs = Math.min(Math.ceil(wakeAt - now), MAX_TIMER_MS);
    this.#cancelTimer = this.#clock.setTimer(delayMs, () => this.#startAllThatMay());
  }

  /** The time at which this place's request may start as far as is known; infinite if that hangs on an answer. */
  #mayStartAt(place: Place, now: number): number {
    const blockEnds = this.#waitsForBlock(place, now) ? this.#blockedUntil : now;
    const counted = this.#underWay + this.#respondedAt.length;
    if (!place.paced || counted < WINDOW_REQUESTS) return blockEnds;
    const [oldest] = this.#respondedAt;
    return oldest === undefined ? Number.POSITIVE_INFINITY : Math.max(blockEnds, oldest + WINDOW_MS);
  }

  #waitsForBlock(place: Place, now: number): boolean {
    if (now >= this.#blockedUntil) return false;
    place.blockMetAt ??= now;
    return this.#blockedUntil - place.blockMetAt <= place.blockWaitMs;
  }

  #openTurn(place: Place, startedAt: number): Turn {
    const endTurn = () => {
      this.#underWay -= 1;
      this.#startAllThatMay();
    };
    return {
      end: () => {
        this.#respondedAt = [...this.#respondedAt, this.#clock.now()].slice(-WINDOW_REQUESTS);
        endTurn();
      },
      endUnsent: endTurn,
      endBlocked: (retryAfterSeconds) => {
        const now = this.#clock.now();
        this.#blockedUntil = now + retryAfterSeconds * 1000;
        // A request during a block is not counted, and after it the server's window is empty: what was answered before
        // this one was sent is forgotten there, and so it is here.
        this.#respondedAt = this.#respondedAt.filter((respondedAt) => respondedAt > startedAt);
        const waits = this.#waitsForBlock(place, now);
        endTurn();
        return waits;
      },
    };
  }

  #forgetOld(now: number): void {
    this.#respondedAt = this.#respondedAt.filter((respondedAt) => respondedAt + WINDOW_MS > now);
  }
}
