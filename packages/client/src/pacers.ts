import type { Clock } from './clock.ts';
import { Pacer } from './pacing.ts';

/**
 * The pacers of this process, one per address and key: the server counts by key, whichever client sent the request. A
 * program that makes a client per task is paced like one that keeps a single client. Idle pacers are let go whenever
 * another one is needed, so that rotated keys do not pile up.
 */
export class Pacers {
  readonly #clock: Clock;
  readonly #byKey = new Map<string, Pacer>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Ask for it at each post and do not keep it: an idle one may have been let go since. */
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
