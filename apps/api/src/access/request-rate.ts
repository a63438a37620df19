import type { Clock } from '../platform/ports.ts';

/** The maximum number of requests from one sender within any `windowSeconds`. */
interface Rate {
  requests: number;
  windowSeconds: number;
}

/** An exact sliding window for each sender, who is authenticated: the number of accounts bounds the memory used. */
export class RequestRate {
  /** Arrival times of the requests in the window, in monotonic milliseconds, oldest first. */
  readonly #times = new Map<string, number[]>();

  constructor(
    private readonly clock: Clock,
    private readonly rate: Rate,
  ) {}

  /** Counts a request. Returns 0 if it may pass, otherwise the number of seconds, rounded up, until one may. */
  admit(sender: string): number {
    const { requests, windowSeconds } = this.rate;
    const now = this.clock.monotonic();
    const left = now - windowSeconds * 1000;
    const times = this.#times.get(sender) ?? [];
    const firstExpired = times.findIndex((time) => time > left);
    times.splice(0, firstExpired === -1 ? times.length : firstExpired);
    if (times.length >= requests) return Math.max(1, Math.ceil(((times[0] ?? now) - left) / 1000));
    times.push(now);
    this.#times.set(sender, times);
    return 0;
  }
}
