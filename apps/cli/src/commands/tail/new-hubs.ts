import type { Hub } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import { isLoopback } from '../../runtime/server-url.ts';

/** While connected, a Hub created within this time counts as new. This leaves time to add members to it. */
const RECENT_MS = 60_000;
/** The tolerated clock difference to another machine. */
const CLOCK_SKEW_MS = 5_000;

/**
 * Distinguishes a newly created Hub, which is shown from its beginning, from an existing Hub that the user just joined:
 * a new one was created after the command started, and recently or while disconnected.
 */
export class NewHubs {
  readonly #cli: Cli;
  /** The time since which Hubs may have been created unnoticed. */
  #unseenSince: number;
  #isAway = false;

  constructor(cli: Cli) {
    this.#cli = cli;
    const { connection } = cli;
    const isHere = connection.kind === 'socket' || isLoopback(new URL(connection.url).hostname);
    this.#unseenSince = this.#now - (isHere ? 0 : CLOCK_SKEW_MS);
  }

  has({ createdAt }: Pick<Hub, 'createdAt'>): boolean {
    return Date.parse(createdAt) >= (this.#isAway ? this.#unseenSince : this.#recentSince);
  }

  disconnected(): void {
    if (this.#isAway) return;
    this.#unseenSince = this.#recentSince;
    this.#isAway = true;
  }

  listed(): void {
    this.#unseenSince = this.#recentSince;
    this.#isAway = false;
  }

  get #recentSince(): number {
    return Math.max(this.#unseenSince, this.#now - RECENT_MS);
  }

  get #now(): number {
    return this.#cli.deps.clock.now();
  }
}
