import type { Clock } from './clock.ts';
import { Pacer } from './pacing.ts';

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
