import { AppError } from '../errors.ts';
import type { Clock } from '../ports.ts';

/** A body has so long to come, whatever its size. */
export const BODY_MS = 15_000;

/** A larger one has a second more for each of these: a mebibyte may take two and a half minutes. */
export const BODY_BYTES_PER_SECOND = 8 * 1024;

/** A sender that is silent for so long has gone, however much has come. */
export const BODY_STALL_MS = 15_000;

/** Unauthenticated senders can make the server hold so many bytes together. */
export const MAX_OPEN_BYTES = 4 * 1024 * 1024;

/** One user, or one key, can make the server hold so many bytes of larger bodies. */
export const MAX_SENDER_BYTES = 32 * 1024 * 1024;

const LOOK_MS = 1_000;

export interface WatchOptions {
  /** Returns how many bytes have come. */
  readonly received?: () => number;
  /** For an unauthenticated sender: the network they are in, and the most bytes that the body can hold. */
  readonly open?: { readonly network: string; readonly bytes: number } | undefined;
  /** For an authenticated sender: the user or the key. */
  readonly sender?: string | undefined;
}

interface Arriving extends Required<WatchOptions> {
  readonly since: number;
  readonly giveUp: (error: AppError) => void;
  seen: number;
  seenAt: number;
}

/**
 * Looks after bodies that do not come at once. The server's own idle time is no bound for them: what matters is how much
 * has come, and a sender of one byte every few seconds would hold a connection, and all that was read so far, for days. Bodies
 * of unauthenticated senders are bounded together, too: beyond the bound the network that holds most loses its oldest one.
 */
export class BodyWatch {
  readonly #clock: Clock;
  readonly #arriving = new Set<Arriving>();
  #isLooking = false;
  #openBytes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What `body` comes to; a 408 if it takes too long or stalls, a 503 if it has to make room for others. */
  async inTime<T>(body: Promise<T>, { received = () => 0, open, sender }: WatchOptions = {}): Promise<T> {
    const { promise: late, reject: giveUp } = Promise.withResolvers<never>();
    const since = this.#clock.monotonic();
    const arriving: Arriving = { since, received, open, sender, giveUp, seen: 0, seenAt: since };
    this.#arriving.add(arriving);
    if (open) {
      this.#openBytes += open.bytes;
      while (this.#openBytes > MAX_OPEN_BYTES) this.#makeRoom();
    }
    // Nearly every body is here before the next turn, and never looked at.
    if (!this.#isLooking) setImmediate(() => void this.#look());
    try {
      return await Promise.race([body, late]);
    } finally {
      this.#forget(arriving);
    }
  }

  #forget(arriving: Arriving): void {
    if (this.#arriving.delete(arriving)) this.#openBytes -= arriving.open?.bytes ?? 0;
  }

  #makeRoom(): void {
    const held = new Map<string, { bytes: number; oldest: Arriving }>();
    for (const arriving of this.#arriving) {
      if (!arriving.open) continue;
      const { network, bytes } = arriving.open;
      const known = held.get(network);
      held.set(network, { bytes: (known?.bytes ?? 0) + bytes, oldest: known?.oldest ?? arriving });
    }
    const [most] = [...held.values()].sort((a, b) => b.bytes - a.bytes);
    if (!most) throw new Error('More bytes are held than there are bodies for');
    this.#forget(most.oldest);
    most.oldest.giveUp(makesRoom());
  }

  /** Of a sender whose bodies hold too much, the newest stay. What comes within a second is not looked at, so most posts cost nothing. */
  #boundSenders(): void {
    const held = new Map<string, number>();
    for (const { sender, seen, giveUp } of [...this.#arriving].reverse()) {
      if (sender === undefined) continue;
      const bytes = (held.get(sender) ?? 0) + seen;
      if (bytes <= MAX_SENDER_BYTES) held.set(sender, bytes);
      else giveUp(holdsTooMuch());
    }
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    while (this.#arriving.size > 0) {
      await this.#clock.sleep(LOOK_MS);
      const now = this.#clock.monotonic();
      for (const arriving of this.#arriving) {
        const { since, seen, seenAt, giveUp } = arriving;
        const received = arriving.received();
        if (received !== seen) Object.assign(arriving, { seen: received, seenAt: now });
        const allowedMs = BODY_MS + (received / BODY_BYTES_PER_SECOND) * 1_000;
        const hasStalled = received === seen && now - seenAt > BODY_STALL_MS;
        if (hasStalled || now - since > allowedMs) giveUp(tooSlow(Math.floor((now - since) / 1_000), received));
      }
      this.#boundSenders();
    }
    this.#isLooking = false;
  }
}

/** Ends the connection, since the rest of the body would be taken for the next request. */
function tooSlow(seconds: number, received: number): AppError {
  const came = received > 0 ? `only ${received} bytes of it have come` : 'it has not come';
  return new AppError(
    'too_slow',
    `The body takes too long: after ${seconds} seconds ${came}. Nothing was stored; send it again, over a better line or in parts.`,
    { connection: 'close' },
  );
}

function makesRoom(): AppError {
  return new AppError(
    'unavailable',
    'Too many bodies of requests without a sign-in are on their way at the moment. Nothing was stored; send it again.',
    { connection: 'close', 'retry-after': '1' },
  );
}

function holdsTooMuch(): AppError {
  return new AppError(
    'unavailable',
    `You are sending more than ${MAX_SENDER_BYTES / 1024 / 1024} MiB at the same time. Nothing was stored; send fewer requests at a time.`,
    { connection: 'close', 'retry-after': '1' },
  );
}
