import type { NodeList } from '@hub/contract';
import type { GuessCounts } from '../../../platform/guess-counts.ts';
import type { NewId } from '../../../platform/ids.ts';
import type { Clock, Log } from '../../../platform/ports.ts';
import type { CommitReport } from '../../commit-report.ts';
import { migrationsIn } from '../../engine/migrations.ts';
import type { RequestLimiter } from '../../request-limiter.ts';
import { ReadConnection } from '../engine/connection.ts';
import { openPool, STATEMENT_TIMEOUT_MS } from '../engine/pool.ts';
import type { TransactionReport } from '../engine/transactions.ts';
import { type OpenPostgresOptions, openPostgresStore, type PostgresStore, startErrorOf } from '../open-store.ts';
import { MIGRATIONS_FOLDER } from '../prepare-database.ts';
import { nodeConnectionName, readCluster } from './cluster.ts';
import { leadershipOn } from './leadership.ts';
import { type NodeFacts, nodeLister } from './list-nodes.ts';
import { type NodeMessage, nodeChannel } from './node-channel.ts';
import { sharedGuessCounts } from './shared-guess-counts.ts';
import { sharedLimiter } from './shared-limiter.ts';
import { type SharedNotifications, sharedNotifications } from './shared-notifications.ts';

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
  /** The facts that this node tells others when they list the nodes. */
  facts: () => NodeFacts;
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
  list(): Promise<NodeList>;
  readonly notifications: SharedNotifications;
  store: PostgresStore;
  limiter: RequestLimiter;
  guessCounts: GuessCounts;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Opens the database that the nodes share, and migrates it. */
export async function openNode({ url, clock, newId, log, ...options }: NodeOptions): Promise<Node> {
  const id = newId('node');
  const timeoutMs = options.store?.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  const pool = openPool(url, { max: options.maxConnections ?? MAX_CONNECTIONS, timeoutMs });
  const listener = openPool(url, { max: 1, timeoutMs, name: nodeConnectionName(id) });
  const leaderPool = openPool(url, { max: 1, timeoutMs });
  const leadership = leadershipOn(new ReadConnection(leaderPool, timeoutMs), { clock, log });
  const on = new ReadConnection(pool, timeoutMs);
  const { onCommit, onAway } = options;
  const shared = { nodeId: id, on, clock, log };
  const onMessage = (message: NodeMessage): void => {
    notifications.received(message);
    lister.received(message).catch((err: unknown) => log.warn({ err }, 'Failed to tell the other nodes of this one'));
  };
  const channel = nodeChannel({ ...shared, listener, onCommit, onAway, onMessage });
  const notifications = sharedNotifications({ ...shared, leadership, send: channel.send });
  const lister = nodeLister({
    ...shared,
    newId,
    schema: migrationsIn(MIGRATIONS_FOLDER).length,
    isLeader: () => leadership.session() !== null,
    facts: options.facts,
    send: channel.send,
  });
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
      onCommitting: channel.committing,
      onCommit: (report) => {
        onCommit(report);
        channel.committed(report);
      },
      ...(options.onTransaction && { onTransaction: options.onTransaction }),
    });
    return {
      id,
      store,
      limiter: sharedLimiter(on, options.limiterNow),
      guessCounts: sharedGuessCounts(on, options.limiterNow),
      isLeader: () => leadership.session() !== null,
      notifications,
      cluster: () => readCluster(on),
      list: lister.list,
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
