import { type Clock, MAX_TIMER_MS } from './clock.ts';
import { onAbort } from './on-abort.ts';
import type { HubWait } from './response.ts';

/**
 * The server blocks a key at its 61st request within 60 s. The margin of 50 ms allows for clocks that do not run at
 * exactly the same speed. A block costs 300 s, the margin only 0.05 s.
 */
const WINDOW_REQUESTS = 60;
const WINDOW_MS = 60_000 + 50;

/** The slot of a call in the queue. The call keeps it when it is retried. */
export interface Slot {
  readonly number: number;
  readonly paced: boolean;
  /** How long this call may wait for blocks to end, counted from its first block. */
  readonly blockWaitMs: number;
  readonly signal: AbortSignal | undefined;
  /** Called when the call begins to wait for this reason; `undefined`: until a response that is still awaited. */
  readonly onWait?: (reason: WaitReason, waitMs: number | undefined) => void;
  blockedSince?: number;
}

type WaitReason = HubWait['reason'];

/** Permission to send one request now. Call exactly one of the methods once the request has ended. */
export interface Turn {
  /** The server may have counted the request: it got a response, was interrupted, timed out or was aborted. */
  end(): void;
  /** The server never received the request. */
  endUnsent(): void;
  /** The response said that the key is blocked. Returns whether the call may wait for the end of the block. */
  endBlocked(retryAfterSeconds: number): boolean;
}

interface Waiting {
  slot: Slot;
  /** Why it waits, once that was reported. */
  reason?: WaitReason;
  start: (turn: Turn) => void;
}

/**
 * Decides when requests with one key start, in the order of their calls. A request starts while fewer than 60 others
 * are waiting for a response or got one within the window. The server counts a request between its start and its
 * response, so that its window never contains more than 60. Counting from the responses is what makes this exact.
 */
export class Pacer {
  readonly #clock: Clock;
  readonly #waiting: Waiting[] = [];
  #slots = 0;
  #inFlight = 0;
  /** The response times of the latest requests that the server may have counted, at most as many as a window allows. */
  #respondedAt: number[] = [];
  #blockedUntil = Number.NEGATIVE_INFINITY;
  #cancelTimer = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether this pacer can be discarded: no request is waiting, in flight or still counted. */
  get isIdle(): boolean {
    const now = this.#clock.now();
    this.#forgetOld(now);
    const isBlocked = now < this.#blockedUntil;
    return this.#waiting.length === 0 && this.#inFlight === 0 && this.#respondedAt.length === 0 && !isBlocked;
  }

  /** Takes the next slot. Requests start in the order of these calls. */
  takeSlot(options: Omit<Slot, 'number' | 'blockedSince'>): Slot {
    this.#slots += 1;
    return { ...options, number: this.#slots };
  }

  /** Waits until the request may be sent. An abort ends the wait immediately and rejects with the caller's reason. */
  turn(slot: Slot): Promise<Turn> {
    return new Promise((resolve, reject) => {
      const { signal } = slot;
      signal?.throwIfAborted();
      const stopListening = onAbort(signal, () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal?.reason);
        this.#startReady();
      });
      const waiting: Waiting = {
        slot,
        start: (turn) => {
          stopListening();
          resolve(turn);
        },
      };
      const previous = this.#waiting.findLastIndex((other) => other.slot.number < slot.number);
      this.#waiting.splice(previous + 1, 0, waiting);
      this.#startReady();
    });
  }

  #startReady(): void {
    this.#cancelTimer();
    // Use the same time for all waiting calls. With a later time, a response that was counted at the start of the loop
    // could leave the window in the middle of the loop and let all waiting calls start.
    const now = this.#clock.now();
    this.#forgetOld(now);
    let wakeAt = Number.POSITIVE_INFINITY;
    for (const waiting of [...this.#waiting]) {
      const startAt = this.#startTimeOf(waiting.slot, now);
      if (startAt <= now) {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        this.#inFlight += 1;
        waiting.start(this.#openTurn(waiting.slot, now));
        continue;
      }
      wakeAt = Math.min(wakeAt, startAt);
      const reason = this.#waitsForBlock(waiting.slot, now) ? 'block' : 'pacing';
      if (waiting.reason === reason) continue;
      waiting.reason = reason;
      waiting.slot.onWait?.(reason, Number.isFinite(startAt) ? Math.ceil(startAt - now) : undefined);
    }
    // Otherwise, this method is called again when a request in flight ends.
    if (wakeAt === Number.POSITIVE_INFINITY) return;
    const delayMs = Math.min(Math.ceil(wakeAt - now), MAX_TIMER_MS);
    this.#cancelTimer = this.#clock.setTimer(delayMs, () => this.#startReady());
  }

  /** Returns the earliest known time at which the request may start; infinite if it depends on a pending response. */
  #startTimeOf(slot: Slot, now: number): number {
    const blockEnds = this.#waitsForBlock(slot, now) ? this.#blockedUntil : now;
    const counted = this.#inFlight + this.#respondedAt.length;
    if (!slot.paced || counted < WINDOW_REQUESTS) return blockEnds;
    const [oldest] = this.#respondedAt;
    return oldest === undefined ? Number.POSITIVE_INFINITY : Math.max(blockEnds, oldest + WINDOW_MS);
  }

  #waitsForBlock(slot: Slot, now: number): boolean {
    if (now >= this.#blockedUntil) return false;
    slot.blockedSince ??= now;
    return this.#blockedUntil - slot.blockedSince <= slot.blockWaitMs;
  }

  #openTurn(slot: Slot, startedAt: number): Turn {
    const endTurn = () => {
      this.#inFlight -= 1;
      this.#startReady();
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
        // The server does not count requests during a block, and its window is empty afterward. So responses that
        // arrived before this request was sent no longer count.
        this.#respondedAt = this.#respondedAt.filter((respondedAt) => respondedAt > startedAt);
        const waits = this.#waitsForBlock(slot, now);
        endTurn();
        return waits;
      },
    };
  }

  #forgetOld(now: number): void {
    this.#respondedAt = this.#respondedAt.filter((respondedAt) => respondedAt + WINDOW_MS > now);
  }
}

/**
 * The pacers of this process, one per URL and key. The server counts requests by key, so a program that creates a
 * client for each task is paced like one with a single client. Idle pacers are discarded whenever another one is
 * created, so that rotated keys do not pile up.
 */
export class Pacers {
  readonly #clock: Clock;
  readonly #byKey = new Map<string, Pacer>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the pacer for a key. Get it for each post and do not keep it, because idle pacers are discarded. */
  of(baseUrl: string, apiKey: string): Pacer {
    const id = `${apiKey} ${baseUrl}`;
    const known = this.#byKey.get(id);
    if (known) return known;
    for (const [other, pacer] of this.#byKey) if (pacer.isIdle) this.#byKey.delete(other);
    const pacer = new Pacer(this.#clock);
    this.#byKey.set(id, pacer);
    return pacer;
  }
}
