import type { NewId } from '../../../platform/ids.ts';
import type { Clock, Log } from '../../../platform/ports.ts';
import type { CommitReport } from '../../commit-report.ts';
import { ReadConnection } from '../engine/connection.ts';
import { openPool, STATEMENT_TIMEOUT_MS } from '../engine/pool.ts';
import type { TransactionReport } from '../engine/transactions.ts';
import { type OpenPostgresOptions, openPostgresStore, type PostgresStore, startErrorOf } from '../open-store.ts';
import { nodeConnectionName, readCluster } from './cluster.ts';
import { Leadership } from './leadership.ts';
import { NodeChannel } from './node-channel.ts';
import { SharedGuessCounts } from './shared-guess-counts.ts';
import { SharedLimiter } from './shared-limiter.ts';
import { SharedNotifications } from './shared-notifications.ts';

/** Connections for the limiter and the channel. They are few, since each statement takes less than a millisecond. */
const MAX_CONNECTIONS = 6;

interface NodeOptions {
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
export interface Node {
  id: string;
  /** Whether this is the node that does what must be done once. */
  isLeader(): boolean;
  cluster(): ReturnType<typeof readCluster>;
  readonly notifications: SharedNotifications;
  store: PostgresStore;
  limiter: SharedLimiter;
  guessCounts: SharedGuessCounts;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Opens the database that the nodes share, and migrates it. */
export async function openNode({ url, clock, newId, log, ...options }: NodeOptions): Promise<Node> {
  const id = newId('node');
  const timeoutMs = options.store?.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  const pool = openPool(url, { max: options.maxConnections ?? MAX_CONNECTIONS, timeoutMs });
  const listener = openPool(url, { max: 1, timeoutMs, name: nodeConnectionName(id) });
  const leadership = new Leadership(new ReadConnection(openPool(url, { max: 1, timeoutMs }), timeoutMs), {
    clock,
    log,
  });
  const on = new ReadConnection(pool, timeoutMs);
  const { onCommit, onAway } = options;
  const channel = new NodeChannel({
    nodeId: id,
    listener,
    on,
    clock,
    log,
    onCommit,
    onAway,
    onMessage: (message) => notifications.received(message),
  });
  const send: NodeChannel['send'] = (message) => channel.send(message);
  const notifications = new SharedNotifications({ nodeId: id, on, leadership, send, clock, log });
  const closeAll = async (): Promise<void> => {
    await notifications.stop();
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
      notifications,
      cluster: () => readCluster(on),
      start: async () => {
        notifications.start();
        try {
          await Promise.all([channel.start(), leadership.start()]);
        } catch (error) {
          throw startErrorOf(url, error);
        }
      },
      stop: async () => {
        await closeAll();
        await store.close();
      },
    };
  } catch (error) {
    await closeAll();
    throw startErrorOf(url, error);
  }
}
