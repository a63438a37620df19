import type { ReservedSQL, SQL } from 'bun';
import { StoreUnavailable } from '../../../platform/errors.ts';
import type { Clock } from '../../../platform/ports.ts';
import type { Connector } from './connector.ts';

/** Behind a load balancer that moves to a new primary, old connections would stay with the former one. */
const MAX_LIFETIME_MS = 600_000;
const CLOSE_TIMEOUT_MS = 5_000;
/** How many times as long as a connection took to open a pool pauses after it while it recovers. */
const PAUSE_FACTOR = 4;

/**
 * For short statements that run all the time, each the best by its keys: PostgreSQL plans them once per connection, which
 * otherwise takes as long as running them, and never reads a whole table because it was still small then.
 */
export const FIXED_PLANS = 'SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off';

export interface PooledConnection {
  readonly client: ReservedSQL;
  /** The process of the server that serves it. */
  readonly session: number;
  close(): Promise<void>;
  readonly lifetime: NodeJS.Timeout;
  /** Whether it has been open for so long that it is closed after its present use. */
  isOld: boolean;
  isClosed: boolean;
}

interface PoolOptions {
  max: number;
  clock: Pick<Clock, 'monotonic'>;
  /** Whether its connections are opened before those of other pools. */
  isUrgent?: boolean;
  /** Settings of its sessions (`SET`). They are no startup parameters, which poolers refuse. */
  settings?: string;
}

/** Opens connections when a caller waits for one. Bun's own pool opens all at once, and again if they fail. */
export class Pool {
  readonly clock: PoolOptions['clock'];
  readonly #open = new Set<PooledConnection>();
  readonly #idle: PooledConnection[] = [];
  readonly #waiting = new Set<PromiseWithResolvers<PooledConnection>>();
  /** How many connections it opens, or pauses after. */
  #attempts = 0;
  /**
   * Whether connections were lost, and not all who wait have been served since. Then they are opened one by one, with
   * pauses: on a slow database, those that are open serve all sooner than further ones, each of which costs it as much as
   * many posts.
   */
  #isRecovering = false;
  /** Resolved when the last connection is closed, once no more of them are opened. */
  #closing: PromiseWithResolvers<void> | undefined;
  /** Why the last attempt to connect failed, until one succeeds. */
  failure: unknown;

  constructor(
    private readonly connector: Connector,
    private readonly options: PoolOptions,
  ) {
    this.clock = options.clock;
  }

  /** The connections that are in use or waited for, as a part of all that there can be. */
  get use(): number {
    return (this.#open.size - this.#idle.length + this.#waiting.size) / this.options.max;
  }

  /** Takes a connection, or waits for one until the signal is aborted. */
  async take(from: { readonly signal: AbortSignal }): Promise<PooledConnection> {
    const idle = this.#idle.pop();
    if (idle) return idle;
    const { signal } = from;
    if (this.#closing) throw closedError();
    const waiter = Promise.withResolvers<PooledConnection>();
    const leave = (): void => {
      if (this.#waiting.delete(waiter)) waiter.reject(closedError());
    };
    signal.addEventListener('abort', leave);
    this.#waiting.add(waiter);
    this.#grow();
    try {
      return await waiter.promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /** Gives a connection back, to the next one who waits for it. */
  give(connection: PooledConnection): void {
    if (connection.isClosed) return;
    if (this.#closing || connection.isOld) {
      this.discard(connection);
      return;
    }
    const [waiter] = this.#waiting;
    if (!waiter) {
      this.#isRecovering = false;
      this.#idle.push(connection);
      return;
    }
    this.#waiting.delete(waiter);
    waiter.resolve(connection);
  }

  /** Closes a connection, without waiting for responses. */
  discard(connection: PooledConnection): void {
    if (connection.isClosed) return;
    connection.isClosed = true;
    clearTimeout(connection.lifetime);
    this.#open.delete(connection);
    const index = this.#idle.indexOf(connection);
    if (index !== -1) this.#idle.splice(index, 1);
    connection.close().catch(() => {});
    if (this.#open.size === 0) this.#closing?.resolve();
    this.#grow();
  }

  #grow(): void {
    const wanted = this.#isRecovering ? Math.min(1, this.#waiting.size) : this.#waiting.size;
    while (this.#attempts < wanted && this.#open.size + this.#attempts < this.options.max) {
      this.#attempts += 1;
      void this.#connect();
    }
  }

  async #connect(): Promise<void> {
    let connection: PooledConnection | undefined;
    const onClose = (): void => {
      if (!connection || connection.isClosed) return;
      this.#isRecovering = true;
      this.discard(connection);
    };
    const { clock } = this;
    const rank = this.options.isUrgent ? 0 : this.#open.size + this.#attempts === 1 ? 1 : 2;
    let pauseMs = 0;
    const open = async (client: SQL): Promise<Pick<PooledConnection, 'client' | 'session' | 'close'>> => {
      const startedAt = clock.monotonic();
      const reserved = await client.reserve();
      if (this.options.settings) await reserved.unsafe(this.options.settings);
      const [[session]] = (await reserved`SELECT pg_backend_pid()`.values()) as [[number]];
      pauseMs = PAUSE_FACTOR * (clock.monotonic() - startedAt);
      // Closing what was reserved would cancel its statement. A commit that is canceled while it waits for the
      // synchronous standby is in force without it.
      return { client: reserved, session: Number(session), close: () => client.close({ timeout: 0 }) };
    };
    try {
      const made = await this.connector.attempt(open, { onClose, rank, isNeeded: () => this.#waiting.size > 0 });
      if (made) {
        this.failure = undefined;
        const lifetime = setTimeout(() => this.#expire(opened), MAX_LIFETIME_MS).unref();
        const opened: PooledConnection = { ...made, lifetime, isOld: false, isClosed: false };
        connection = opened;
        this.#open.add(opened);
        this.give(opened);
      }
    } catch (error) {
      this.failure = error;
      this.#isRecovering = true;
    }
    if (this.#isRecovering) await Bun.sleep(pauseMs);
    this.#attempts -= 1;
    this.#grow();
  }

  #expire(connection: PooledConnection): void {
    connection.isOld = true;
    if (this.#idle.includes(connection)) this.discard(connection);
  }

  /** Closes all connections when the queries that run have ended, or after some seconds. */
  async close(): Promise<void> {
    this.#closing ??= Promise.withResolvers();
    for (const waiter of this.#waiting) waiter.reject(closedError());
    this.#waiting.clear();
    for (const connection of [...this.#idle]) this.discard(connection);
    if (this.#open.size === 0) return;
    const timer = setTimeout(() => {
      for (const connection of this.#open) this.discard(connection);
    }, CLOSE_TIMEOUT_MS);
    await this.#closing.promise;
    clearTimeout(timer);
  }
}

const closedError = (): StoreUnavailable => new StoreUnavailable(new Error('There is no connection to PostgreSQL'));
