import { hostname } from 'node:os';
import type { NodeList } from '@hub/contract';
import { sql } from 'drizzle-orm';
import type { NewId } from '../../../platform/ids.ts';
import type { Clock, Log } from '../../../platform/ports.ts';
import { repeat } from '../../../platform/repeat.ts';
import { isoTime } from '../../../platform/time.ts';
import type { CommitReport } from '../../commit-report.ts';
import { migrationsIn } from '../../engine/migrations.ts';
import { given, rawQuery } from '../../engine/query.ts';
import { ReadConnection } from '../engine/connection.ts';
import { Connector } from '../engine/connector.ts';
import { FIXED_PLANS, Pool } from '../engine/pool.ts';
import { STATEMENT_TIMEOUT_MS } from '../engine/use-connection.ts';
import { type OpenPostgresOptions, openPostgresStore, shareConnections, startErrorOf } from '../open-store.ts';
import { MIGRATIONS_FOLDER } from '../prepare-database.ts';
import { leadershipOn, readCluster, readConnectedNodes } from './leadership.ts';
import { type NodeMessage, nodeChannel } from './node-channel.ts';
import { sharedGuessCounts, sharedLimiter } from './shared-limiter.ts';
import { type SharedNotificationsOptions, sharedNotifications } from './shared-notifications.ts';

interface NodeOptions extends Pick<OpenPostgresOptions, 'url' | 'clock' | 'newId' | 'onBatch' | 'statementTimeoutMs'> {
  log: Log;
  /** Called after each commit, of this node or another one. */
  onCommit: (report: CommitReport) => void;
  /** Called when the database has been out of reach for some seconds. */
  onAway: () => void;
  /** The facts that this node tells others when they list the nodes. */
  facts: () => NodeFacts;
  /** For tests: replaces the clock of the database. */
  limiterNow?: () => number;
  /** How many connections this node has. */
  maxConnections?: number | undefined;
}

/** One of the servers that share a workspace in PostgreSQL. */
export type Node = Awaited<ReturnType<typeof openNode>>;

/** Opens the database that the nodes share, and migrates it. */
export async function openNode({ url, clock, newId, log, ...options }: NodeOptions) {
  const id = newId('node');
  const timeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  const connector = new Connector({ url, statementTimeoutMs: timeoutMs, seed: id });
  const { keys, ...ofStore } = shareConnections(options.maxConnections);
  const pool = new Pool(connector, { max: keys, clock, settings: FIXED_PLANS });
  const urgent = () => new ReadConnection(new Pool(connector, { max: 1, clock, isUrgent: true }), timeoutMs);
  const health = urgent();
  const leadership = leadershipOn(urgent(), log);
  const on = new ReadConnection(pool, timeoutMs);
  const { onCommit, onAway } = options;
  const shared = { nodeId: id, on, clock, log };
  const difference = clockDifference({ on, clock, log, testNow: options.limiterNow });
  const isLeader = () => leadership.session() !== null;
  const onMessage = (message: NodeMessage): void => {
    notifications.received(message);
    lister.received(message).catch((err: unknown) => log.warn({ err }, 'Failed to tell the other nodes of this one'));
  };
  const channel = nodeChannel({ ...shared, connector, health, leadership, onCommit, onAway, onMessage });
  const notifications = sharedNotifications({ ...shared, leadership, send: channel.send });
  const lister = nodeLister({
    ...shared,
    newId,
    schema: migrationsIn(MIGRATIONS_FOLDER).length,
    isLeader,
    readDifferenceMs: difference.read,
    facts: options.facts,
    send: channel.send,
  });
  let stopComparing = async (): Promise<void> => {};
  const closeAll = async (): Promise<void> => {
    void stopComparing();
    await notifications.stop();
    await Promise.all([channel.stop(), leadership.stop(), pool.close(), health.pool.close()]);
  };
  try {
    const store = await openPostgresStore({
      url,
      clock,
      newId,
      connector,
      health,
      maxConnections: ofStore,
      statementTimeoutMs: timeoutMs,
      onCommitting: channel.committing,
      onCommit: (report) => {
        onCommit(report);
        channel.committed(report);
      },
      ...(options.onBatch && { onBatch: options.onBatch }),
    });
    await difference.compare();
    return {
      id,
      store,
      limiter: sharedLimiter(on, options.limiterNow),
      guessCounts: sharedGuessCounts(on, options.limiterNow),
      /** Whether this is the node that does what must be done once. */
      isLeader,
      notifications,
      cluster: () => readCluster(on),
      list: lister.list,
      /** How many milliseconds the clock of this node is ahead of that of the database; `null`: not known yet. */
      clockDifferenceMs: difference.milliseconds,
      /** How much of its connections is in use or waited for, by the kind of work; more than 1: some wait. */
      poolUse: (): Record<string, number> => ({ ...store.poolUse(), keys: pool.use }),
      start: async (): Promise<void> => {
        notifications.start();
        try {
          await Promise.all([channel.start(), leadership.look()]);
          stopComparing = difference.start();
        } catch (error) {
          throw startErrorOf(url, error);
        }
      },
      stop: async (): Promise<void> => {
        await closeAll();
        await store.close();
      },
    };
  } catch (error) {
    await closeAll();
    throw startErrorOf(url, error);
  }
}

const COMPARE_MS = 60_000;
/** Beyond this, a key or session that one node still accepts has noticeably expired for another one. */
const MAX_DIFFERENCE_MS = 2_000;

const readNow = rawQuery(
  sql`select coalesce(${given('now')}::double precision, extract(epoch from clock_timestamp()) * 1000)`,
  ([now]: readonly [string]) => Number(now),
);

interface ClockDifferenceOptions {
  on: ReadConnection;
  clock: Clock;
  log: Log;
  /** For tests: replaces the clock of the database. */
  testNow?: (() => number | null) | undefined;
}

/** Compares the clock of this node with that of the database. */
export function clockDifference({ on, clock, log, testNow = () => null }: ClockDifferenceOptions) {
  let latest: number | null = null;
  /** Returns the latest difference unless that has become impossible, so that a slow response changes nothing. */
  const read = async (now: number | null = null): Promise<number> => {
    const before = clock.now();
    const databaseNow = (await on.first(readNow, { now })) ?? before;
    const [min, max] = [Math.round(before - databaseNow), Math.round(clock.now() - databaseNow)];
    return Math.min(Math.max(latest ?? 0, min), max);
  };
  const compare = async (): Promise<void> => {
    latest = await read(testNow());
    if (Math.abs(latest) > MAX_DIFFERENCE_MS)
      log.warn({ differenceMs: latest }, 'The clocks of this node and of the database differ: synchronize them (NTP)');
  };
  return {
    /** How many milliseconds this node is ahead of the database; `null` before the first comparison. */
    milliseconds: () => latest,
    read,
    compare,
    /** Compares them regularly. While the database is away, the last difference stays. Returns what ends it. */
    start: () => repeat({ clock, log }, { everyMs: COMPARE_MS, failure: 'Failed to compare the clocks' }, compare),
  };
}

type NodeDescription = NodeList['items'][number];

/** The facts about a node that its storage does not have. */
interface NodeFacts {
  version: string;
  startedAt: number;
  liveConnections: number;
}

/** How long nodes have to respond. */
const RESPONSE_MS = 1_000;

interface NodeLister extends Pick<SharedNotificationsOptions, 'nodeId' | 'on' | 'clock' | 'send'> {
  newId: NewId;
  /** The number of migrations that this program knows. */
  schema: number;
  isLeader: () => boolean;
  readDifferenceMs: () => Promise<number>;
  facts: () => NodeFacts;
}

interface Listing {
  nodes: Map<string, NodeDescription>;
  added: () => void;
}

/** Lists the nodes by asking all of them, so that a node that nobody asks about writes nothing. */
function nodeLister({ nodeId, on, clock, newId, schema, isLeader, readDifferenceMs, facts, send }: NodeLister) {
  const listings = new Map<string, Listing>();

  const describe = async (): Promise<NodeDescription> => {
    const { version, startedAt, liveConnections } = facts();
    const clockDifferenceMs = await readDifferenceMs();
    const process = { id: nodeId, host: hostname(), version, schema, startedAt: isoTime(startedAt) };
    return { ...process, isLeader: isLeader(), clockDifferenceMs, liveConnections };
  };

  return {
    received: async ({ list, description }: NodeMessage): Promise<void> => {
      if (list) await send({ description: { request: list.request, node: await describe() } });
      const listing = description && listings.get(description.request);
      if (!listing) return;
      listing.nodes.set(description.node.id, description.node);
      listing.added();
    },
    list: async (): Promise<NodeList> => {
      const request = newId('list');
      const all = Promise.withResolvers<void>();
      const connected = await readConnectedNodes(on);
      const nodes = new Map([[nodeId, await describe()]]);
      const missing = () => connected.filter((id) => !nodes.has(id));
      const added = () => missing().length === 0 && all.resolve();
      listings.set(request, { nodes, added });
      added();
      try {
        await send({ list: { request } });
        await Promise.race([all.promise, clock.sleep(RESPONSE_MS)]);
      } finally {
        listings.delete(request);
      }
      const items = [...nodes.values()].sort((one, other) => one.startedAt.localeCompare(other.startedAt));
      return { items, missing: missing() };
    },
  };
}
