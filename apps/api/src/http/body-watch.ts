import { AppError } from '../platform/errors.ts';
import type { Clock } from '../platform/ports.ts';
import { oneAtATime } from '../platform/repeat.ts';

/** The base time allowed for a body of any size. */
export const BODY_MS = 15_000;

/** Every chunk of this many bytes adds a second, so 1 MiB can take about two and a half minutes. */
export const BODY_BYTES_PER_SECOND = 8 * 1024;

/** A sender that is silent for this long is considered gone, no matter how much has arrived. */
export const BODY_STALL_MS = 15_000;

/** The maximum number of bytes that the server holds for all unauthenticated senders combined. */
export const MAX_OPEN_BYTES = 4 * 1024 * 1024;

/** The maximum size of all bodies that one user or key sends at the same time. */
export const MAX_SENDER_BYTES = 32 * 1024 * 1024;

const CHECK_INTERVAL_MS = 1_000;

export interface WatchOptions {
  readonly received?: () => number;
  /** For an unauthenticated sender: their network, and the maximum size of the body. */
  readonly open?: { readonly network: string; readonly bytes: number } | undefined;
}

interface ArrivingBody extends Required<WatchOptions> {
  readonly since: number;
  readonly giveUp: (error: unknown) => void;
  seen: number;
  seenAt: number;
}

/**
 * Limits bodies that arrive slowly: with an idle timeout alone, a byte every few seconds would hold memory for days.
 * Unauthenticated bodies share one limit; beyond it, the network that holds the most loses its oldest body.
 */
export class BodyWatch {
  readonly #arriving = new Set<ArrivingBody>();
  readonly #look = oneAtATime(() => this.#giveUpSlow());
  #openBytes = 0;
  /** The bytes on the way by sender: a user or a key. */
  readonly #held = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** Counts a body, which Bun keeps as it arrives, until the returned function is called. Throws a 503 if too much. */
  hold(sender: string, bytes: number): () => void {
    const total = (this.#held.get(sender) ?? 0) + bytes;
    if (total > MAX_SENDER_BYTES) throw tooManyBytesInFlight();
    this.#held.set(sender, total);
    return () => {
      const left = (this.#held.get(sender) ?? 0) - bytes;
      if (left > 0) this.#held.set(sender, left);
      else this.#held.delete(sender);
    };
  }

  /** Resolves with `body`. Throws a 408 if it is too slow or stalls, and a 503 if it has to make room for others. */
  inTime<T>(body: Promise<T>, { received = () => 0, open }: WatchOptions = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const since = this.clock.monotonic();
      const giveUp = (error: unknown): void => {
        this.#forget(arriving);
        reject(error);
      };
      const arriving: ArrivingBody = { since, received, open, giveUp, seen: 0, seenAt: since };
      this.#arriving.add(arriving);
      body.then((value) => {
        this.#forget(arriving);
        resolve(value);
      }, giveUp);
      if (open) {
        this.#openBytes += open.bytes;
        while (this.#openBytes > MAX_OPEN_BYTES) this.#makeRoom();
      }
      // Nearly every body arrives before the next turn of the event loop, so most are never checked.
      if (this.#arriving.size === 1) setImmediate(() => void (this.#arriving.size > 0 && this.#look()));
    });
  }

  #forget(arriving: ArrivingBody): void {
    if (this.#arriving.delete(arriving)) this.#openBytes -= arriving.open?.bytes ?? 0;
  }

  #makeRoom(): void {
    const usage = new Map<string, { bytes: number; oldest: ArrivingBody }>();
    for (const arriving of this.#arriving) {
      if (!arriving.open) continue;
      const { network, bytes } = arriving.open;
      const ofNetwork = usage.get(network);
      usage.set(network, { bytes: (ofNetwork?.bytes ?? 0) + bytes, oldest: ofNetwork?.oldest ?? arriving });
    }
    const [most] = [...usage.values()].sort((a, b) => b.bytes - a.bytes);
    if (!most) throw new Error('The open bodies do not account for the bytes held');
    most.oldest.giveUp(tooManyOpenBodies());
  }

  /** Looks at all bodies, as long as any are on the way. */
  async #giveUpSlow(): Promise<void> {
    while (this.#arriving.size > 0) {
      await this.clock.sleep(CHECK_INTERVAL_MS);
      const now = this.clock.monotonic();
      for (const arriving of this.#arriving) {
        const { since, seen, seenAt, giveUp } = arriving;
        const received = arriving.received();
        if (received !== seen) Object.assign(arriving, { seen: received, seenAt: now });
        const allowedMs = BODY_MS + (received / BODY_BYTES_PER_SECOND) * 1_000;
        const hasStalled = received === seen && now - seenAt > BODY_STALL_MS;
        if (hasStalled || now - since > allowedMs) giveUp(tooSlow(Math.floor((now - since) / 1_000), received));
      }
    }
  }
}

/** Closes the connection, since the rest of the body would otherwise be read as the next request. */
function tooSlow(seconds: number, received: number): AppError {
  const came = received > 0 ? `only ${received} bytes have arrived` : 'nothing has arrived';
  return new AppError(
    'too_slow',
    `The request body is too slow: after ${seconds} seconds ${came}. Nothing was stored. Try again over a faster connection, or send less at a time.`,
    { connection: 'close' },
  );
}

function tooManyOpenBodies(): AppError {
  return new AppError(
    'unavailable',
    'The server is receiving too many unauthenticated requests at the moment. Nothing was stored. Try again.',
    { connection: 'close', 'retry-after': '1' },
  );
}

function tooManyBytesInFlight(): AppError {
  return new AppError(
    'unavailable',
    `You are sending more than ${MAX_SENDER_BYTES / 1024 / 1024} MiB at the same time. Nothing was stored. Send fewer requests at once.`,
    { connection: 'close', 'retry-after': '1' },
  );
}
