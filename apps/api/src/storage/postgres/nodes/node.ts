import { sql } from 'drizzle-orm';
import type { NewId } from '../../../core/ids.ts';
import type { Clock, Log } from '../../../core/ports.ts';
import type { CommitReport } from '../../commit-report.ts';
import type { NodeSource } from '../../node-source.ts';
import { openPool, ReadConnection, rawStatement, STATEMENT_TIMEOUT_MS } from '../engine/database.ts';
import type { TransactionReport } from '../engine/transactions.ts';
import { type OpenPostgresOptions, openPostgresStore, type PostgresStore } from '../open-store.ts';
import { nodeConnectionName, readCluster } from './cluster.ts';
import { NodeChannel } from './node-channel.ts';
import { SharedGuessCounts } from './shared-guess-counts.ts';
import { SharedLimiter } from './shared-limiter.ts';

/** Connections for the limiter and the channel. They are few, since each statement takes less than a millisecond. */
const MAX_CONNECTIONS = 6;

export interface NodeOptions {
  url: string;
  clock: Clock;
  newId: NewId;
  log: Log;
  /** Called after each commit, of this node or another one. */
  onCommit: (report: CommitReport) => void;
  onTransaction?: (report: TransactionReport) => void;
  /** Called when the database has been out of reach for some seconds. */
  onAway: () => void;
  /** For tests: replaces the clock of the database in the limits of keys and password attempts. */
  limiterNow?: () => number;
  /** For tests: how the store uses its connections. */
  store?: Pick<OpenPostgresOptions, 'maxConnections' | 'statementTimeoutMs'>;
  /** For tests: how many connections the limiter and the channel share. */
  maxConnections?: number;
}

/** One of the servers that share a workspace in PostgreSQL. */
export interface Node extends NodeSource {
  store: PostgresStore;
  limiter: SharedLimiter;
  guessCounts: SharedGuessCounts;
  /** Begins to hear of the commits of other nodes. */
  start(): Promise<void>;
  /** Closes everything, the store included. */
  stop(): Promise<void>;
}

/** Opens the database that the nodes share, and migrates it. */
export async function openNode({ url, clock, newId, log, ...options }: NodeOptions): Promise<Node> {
  const id = newId('node');
  const timeoutMs = options.store?.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  const pool = openPool(url, { max: options.maxConnections ?? MAX_CONNECTIONS, timeoutMs });
  const listener = openPool(url, { max: 1, timeoutMs, name: nodeConnectionName(id) });
  const leadership = new Leadership(new ReadConnection(openPool(url, { max: 1, timeoutMs }), timeoutMs), clock);
  const on = new ReadConnection(pool, timeoutMs);
  const { onCommit, onAway } = options;
  const channel = new NodeChannel({ nodeId: id, listener, on, clock, log, onCommit, onAway });
  const closeAll = async (): Promise<void> => {
    await Promise.all([channel.stop(), leadership.stop(), pool.close({ timeout: 1 })]);
  };
  try {
    const store = await openPostgresStore({
      ...options.store,
      url,
      clock,
      newId,
      onCommitting: (client, report) => channel.committing(client, report),
      onCommit: (report) => {
        onCommit(report);
        channel.committed(report);
      },
      ...(options.onTransaction && { onTransaction: options.onTransaction }),
    });
    return {
      id,
      store,
      limiter: new SharedLimiter(on, options.limiterNow),
      guessCounts: new SharedGuessCounts(on, options.limiterNow),
      isLeader: () => leadership.isHeld,
      cluster: () => readCluster(on),
      start: async () => {
        await Promise.all([channel.start(), leadership.start()]);
      },
      stop: async () => {
        await closeAll();
        await store.close();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Any number that no other program uses for an advisory lock in this database. */
const LEADER_LOCK = 4_827_002;
const BEAT_MS = 1_000;

const acquire = rawStatement(
  sql`select pg_try_advisory_lock(${sql.raw(String(LEADER_LOCK))})`,
  ([isHeld]: [boolean]) => isHeld,
);

/**
 * A lock that one node holds at a time, for as long as its connection lives; then another node takes over within a
 * second. Asking again on the same connection confirms that the lock is still held.
 */
class Leadership {
  readonly #on: ReadConnection;
  readonly #clock: Clock;
  #isStopped = false;
  isHeld = false;

  constructor(on: ReadConnection, clock: Clock) {
    this.#on = on;
    this.#clock = clock;
  }

  async start(): Promise<void> {
    await this.#beat();
    void this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.isHeld = false;
    await this.#on.client.close({ timeout: 1 });
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      await this.#clock.sleep(BEAT_MS);
      if (!this.#isStopped) await this.#beat();
    }
  }

  async #beat(): Promise<void> {
    try {
      this.isHeld = (await this.#on.first(acquire)) === true && !this.#isStopped;
    } catch {
      this.isHeld = false;
    }
  }
}
