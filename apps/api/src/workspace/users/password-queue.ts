import { clientNetwork } from '../../access/client-network.ts';
import { tooBusy } from '../../platform/errors.ts';
import { FairGate } from '../../platform/fair-gate.ts';
import type { Clock, PasswordHasher } from '../../platform/ports.ts';

/** Each hash takes a core and 19 MiB for about 30 ms, and posts and searches need a core too. */
const AT_ONCE = 2;
const MAX_WAITING = 64;

/**
 * Hashes and verifies passwords, two at a time, and one for each network of clients, which take turns, so that a
 * guesser delays only itself. A 503, when too many wait, reveals nothing about the password.
 */
export class PasswordQueue {
  readonly #hasher: PasswordHasher;
  readonly #gate: FairGate;
  #dummyHash: string | undefined;

  constructor(hasher: PasswordHasher, clock: Clock) {
    this.#hasher = hasher;
    this.#gate = new FairGate({
      clock,
      perCaller: 1,
      total: AT_ONCE,
      maxWaiting: MAX_WAITING,
      busy: () => tooBusy('The server is busy checking passwords. Try again in a few seconds.'),
    });
  }

  get waiting(): number {
    return this.#gate.waiting;
  }

  hash(password: string, address: string): Promise<string> {
    return this.#inTurn(address, () => this.#hasher.hash(normalized(password)));
  }

  /** Returns whether the password matches. Without a hash, it takes just as long, so that the time reveals nothing. */
  verify(password: string, hash: string | null, address: string): Promise<boolean> {
    return this.#inTurn(address, async () => {
      this.#dummyHash ??= await this.#hasher.hash('the password of nobody');
      const isRight = await this.#hasher.verify(normalized(password), hash ?? this.#dummyHash);
      return isRight && hash !== null;
    });
  }

  async #inTurn<T>(address: string, work: () => Promise<T>): Promise<T> {
    const release = await this.#gate.enter(clientNetwork(address));
    try {
      return await work();
    } finally {
      release();
    }
  }
}

/** Normalizes a password, so that it gives the same bytes on every keyboard (NIST SP 800-63B, section 3.1.1.2). */
function normalized(password: string): string {
  return password.normalize('NFKC');
}
