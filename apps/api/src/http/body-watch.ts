import { Refusal } from '../errors.ts';
import type { Clock } from '../ports.ts';

/** A body has so long to come, whatever its size. */
export const BODY_MS = 15_000;

/** A larger one has a second more for each of these: a mebibyte may take two and a half minutes. */
export const BODY_BYTES_PER_SECOND = 8 * 1024;

const LOOK_MS = 1_000;

interface Arriving {
  readonly since: number;
  readonly received: () => number;
  readonly giveUp: (refusal: Refusal) => void;
}

/**
 * Looks after bodies that do not come at once. The server's own idle time is no bound for them: what matters is how much
 * has come, and a sender of one byte every few seconds would hold a connection, and all that was read so far, for days.
 */
export class BodyWatch {
  readonly #clock: Clock;
  readonly #arriving = new Set<Arriving>();
  #isLooking = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What `body` comes to, or a 408 if it takes too long. `received` tells how many bytes have come. */
  async inTime<T>(body: Promise<T>, received: () => number = () => 0): Promise<T> {
    const { promise: late, reject: giveUp } = Promise.withResolvers<never>();
    const arriving = { since: this.#clock.monotonic(), received, giveUp };
    this.#arriving.add(arriving);
    // Nearly every body is here before the next turn, and never looked at.
    if (!this.#isLooking) setImmediate(() => void this.#look());
    try {
      return await Promise.race([body, late]);
    } finally {
      this.#arriving.delete(arriving);
    }
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    while (this.#arriving.size > 0) {
      await this.#clock.sleep(LOOK_MS);
      const now = this.#clock.monotonic();
      for (const { since, received, giveUp } of this.#arriving) {
        const allowedMs = BODY_MS + (received() / BODY_BYTES_PER_SECOND) * 1_000;
        if (now - since > allowedMs) giveUp(tooSlow(Math.floor((now - since) / 1_000), received()));
      }
    }
    this.#isLooking = false;
  }
}

/** Ends the connection, since the rest of the body would be taken for the next request. */
function tooSlow(seconds: number, received: number): Refusal {
  const came = received > 0 ? `only ${received} bytes of it have come` : 'it has not come';
  return new Refusal(
    'too_slow',
    `The body takes too long: after ${seconds} seconds ${came}. Nothing was stored; send it again, over a better line or in parts.`,
    { connection: 'close' },
  );
}
