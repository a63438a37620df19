import { AppError } from '../errors.ts';
import { clientNetwork } from '../keys/client-network.ts';
import type { PasswordHasher } from '../ports.ts';

/** Each takes a core and 19 MiB for some 30 ms, and posts need a core too. */
const AT_ONCE = 2;
const MAX_WAITING = 64;

type Job = { start: () => void; reject: (reason: AppError) => void };

/**
 * Hashes and compares passwords, two at a time. Who must wait waits in the line of his address, and the lines take turns, so
 * that somebody who guesses at full speed is in nobody's way but his own. When too many wait, the last one of the longest
 * line is refused: with 503, since it tells nothing of the password.
 */
export class PasswordQueue {
  readonly #hasher: PasswordHasher;
  /** By address, and the one whose turn it is first. */
  readonly #lines = new Map<string, Job[]>();
  #running = 0;
  #waiting = 0;
  #nobodysHash: string | undefined;

  constructor(hasher: PasswordHasher) {
    this.#hasher = hasher;
  }

  /** Those who wait for their turn. */
  get waiting(): number {
    return this.#waiting;
  }

  hash(password: string, address: string): Promise<string> {
    return this.#inTurn(address, () => this.#hasher.hash(normalized(password)));
  }

  /** Without a hash there is nothing to compare, but it takes as long, so that nobody can tell by the time. */
  verify(password: string, hash: string | null, address: string): Promise<boolean> {
    return this.#inTurn(address, async () => {
      this.#nobodysHash ??= await this.#hasher.hash('the password of nobody');
      const isRight = await this.#hasher.verify(normalized(password), hash ?? this.#nobodysHash);
      return isRight && hash !== null;
    });
  }

  async #inTurn<T>(address: string, work: () => Promise<T>): Promise<T> {
    if (this.#running >= AT_ONCE) await this.#turn(clientNetwork(address));
    else this.#running += 1;
    try {
      return await work();
    } finally {
      this.#endTurn();
    }
  }

  #turn(address: string): Promise<void> {
    return new Promise((start, reject) => {
      const line = this.#lines.get(address) ?? [];
      line.push({ start, reject });
      this.#lines.set(address, line);
      this.#waiting += 1;
      if (this.#waiting > MAX_WAITING) this.#refuseOne();
    });
  }

  #refuseOne(): void {
    let longest: { address: string; line: Job[] } | undefined;
    for (const [address, line] of this.#lines) {
      if (!longest || line.length > longest.line.length) longest = { address, line };
    }
    const rejected = longest?.line.pop();
    if (!longest || !rejected) return;
    if (longest.line.length === 0) this.#lines.delete(longest.address);
    this.#waiting -= 1;
    rejected.reject(
      new AppError('unavailable', 'Too many passwords are being checked at the moment. Try again in a few seconds.', {
        'retry-after': '3',
      }),
    );
  }

  /** Hands the place to the first one of the next line, which then goes to the end of the lines. */
  #endTurn(): void {
    for (const [address, line] of this.#lines) {
      this.#lines.delete(address);
      const next = line.shift();
      if (line.length > 0) this.#lines.set(address, line);
      if (!next) continue;
      this.#waiting -= 1;
      next.start();
      return;
    }
    this.#running -= 1;
  }
}

/** The same password gives the same bytes on every keyboard (NIST SP 800-63B, section 3.1.1.2). */
function normalized(password: string): string {
  return password.normalize('NFKC');
}
