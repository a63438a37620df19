import type { Hub } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import { isLoopback } from '../../runtime/server-url.ts';

/** While there is a connection, a Hub is told of at once, or as soon as somebody is let into it who is meant to be there. */
const AT_ONCE_MS = 60_000;
/** By how much the clock of another machine may differ. */
const CLOCKS_MS = 5_000;

/**
 * Tells a Hub that is new to the world, all of which is news, from one that is new only to whoever has just been let into
 * it: it was made after the command began, and lately, or while there was no connection to say so.
 */
export class NewHubs {
  readonly #cli: Cli;
  /** Since when a Hub may have been made without being told of. */
  #unseenSince: number;
  #isAway = false;

  constructor(cli: Cli) {
    this.#cli = cli;
    const { connection } = cli;
    const isHere = connection.kind === 'socket' || isLoopback(new URL(connection.url).hostname);
    this.#unseenSince = this.#now - (isHere ? 0 : CLOCKS_MS);
  }

  has({ createdAt }: Pick<Hub, 'createdAt'>): boolean {
    return Date.parse(createdAt) >= (this.#isAway ? this.#unseenSince : this.#latelySince);
  }

  lostSight(): void {
    if (this.#isAway) return;
    this.#unseenSince = this.#latelySince;
    this.#isAway = true;
  }

  looked(): void {
    this.#unseenSince = this.#latelySince;
    this.#isAway = false;
  }

  get #latelySince(): number {
    return Math.max(this.#unseenSince, this.#now - AT_ONCE_MS);
  }

  get #now(): number {
    return this.#cli.deps.clock.now();
  }
}
