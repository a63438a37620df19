import { AppError } from '../core/errors.ts';
import type { PasswordHasher } from '../core/ports.ts';
import { clientNetwork } from '../credentials/client-network.ts';

declare module '../context/deps.ts' {
  interface Deps {
    passwords: PasswordQueue;
  }
}

/** Each hash takes a core and 19 MiB for about 30 ms, and posts need a core too. */
const AT_ONCE = 2;
const MAX_WAITING = 64;

type Job = { start: () => void; reject: (reason: AppError) => void };

/**
 * Hashes and verifies passwords, two at a time. Jobs wait in one queue per address, and the queues take turns, so that
 * a client that guesses at full speed delays only itself. When too many wait, the last job of the longest queue is
 * rejected with 503, which reveals nothing about the password.
 */
export class PasswordQueue {
  readonly #hasher: PasswordHasher;
  /** Waiting jobs by address; the address whose turn is next comes first. */
  readonly #queues = new Map<string, Job[]>();
  #running = 0;
  #waiting = 0;
  #dummyHash: string | undefined;

  constructor(hasher: PasswordHasher) {
    this.#hasher = hasher;
  }

  /** The number of waiting jobs. */
  get waiting(): number {
    return this.#waiting;
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
      const queue = this.#queues.get(address) ?? [];
      queue.push({ start, reject });
      this.#queues.set(address, queue);
      this.#waiting += 1;
      if (this.#waiting > MAX_WAITING) this.#rejectOne();
    });
  }

  #rejectOne(): void {
    let longest: { address: string; queue: Job[] } | undefined;
    for (const [address, queue] of this.#queues) {
      if (!longest || queue.length > longest.queue.length) longest = { address, queue };
    }
    const rejected = longest?.queue.pop();
    if (!longest || !rejected) return;
    if (longest.queue.length === 0) this.#queues.delete(longest.address);
    this.#waiting -= 1;
    rejected.reject(
      new AppError('unavailable', 'The server is busy checking passwords. Try again in a few seconds.', {
        'retry-after': '3',
      }),
    );
  }

  /** Starts the first job of the next queue, and moves that queue to the end. */
  #endTurn(): void {
    for (const [address, queue] of this.#queues) {
      this.#queues.delete(address);
      const next = queue.shift();
      if (queue.length > 0) this.#queues.set(address, queue);
      if (!next) continue;
      this.#waiting -= 1;
      next.start();
      return;
    }
    this.#running -= 1;
  }
}

/** Normalizes a password, so that it gives the same bytes on every keyboard (NIST SP 800-63B, section 3.1.1.2). */
function normalized(password: string): string {
  return password.normalize('NFKC');
}
