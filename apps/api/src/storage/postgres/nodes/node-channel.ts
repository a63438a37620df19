import { type HubNotification, type NodeList, WORKSPACE_TOPICS } from '@hub/contract';
import type { SQL } from 'bun';
import { sql } from 'drizzle-orm';
import type { Clock, Log } from '../../../platform/ports.ts';
import { oneAtATime } from '../../../platform/repeat.ts';
import type { CommitReport } from '../../commit-report.ts';
import type { RowOf } from '../../engine/connection.ts';
import { given, rawQuery } from '../../engine/query.ts';
import { rawWrite } from '../../engine/write.ts';
import type { Connection, ReadConnection } from '../engine/connection.ts';
import type { Connector } from '../engine/connector.ts';
import { type Leadership, leaderState, nodeConnectionName } from './leadership.ts';

const CHANNEL = 'hub_commits';
/** How often each node looks for changes of rights, in case a notification was lost, and for the leader. */
const LOOK_MS = 1_000;
/** A node that has not reached the database for this long closes its live connections. */
const AWAY_MS = 2_000;
/** The limit of PostgreSQL is 8,000. */
const MAX_PAYLOAD_BYTES = 7_900;

/** The part of a commit report that other nodes get. They read the events themselves. */
interface Announcement extends Omit<CommitReport, 'heads' | 'posts'> {
  node: string;
  /** The number of changes to rights so far, filled in by the database. */
  version: number;
  heads: (readonly [hubId: string, seq: number])[];
  /** If there is one, there is nothing else. */
  message?: NodeMessage;
}

/** A message of one node to all others. */
export interface NodeMessage {
  /** Asks each node to describe itself. */
  list?: { request: string };
  description?: { request: string; node: NodeList['items'][number] };
  attended?: string;
  notification?: { userId: string; content: HubNotification };
}

const NOTHING: Omit<Announcement, 'node'> = {
  version: 0,
  heads: [],
  isRightsChanged: false,
  isHubsChanged: false,
  workspaceChanges: [],
  unreadChanges: [],
  dueAt: null,
};

const EVERYTHING: typeof NOTHING = {
  ...NOTHING,
  isRightsChanged: true,
  isHubsChanged: true,
  workspaceChanges: WORKSPACE_TOPICS.map((topic) => ({ topic, hubId: null })),
  dueAt: 0,
};

const notify = rawWrite(sql`select pg_notify(${CHANNEL}, ${given('payload')})`);
const notifyOfRights = rawWrite(
  sql`with state as (
      insert into node_state (id, rights_version) values (1, 1)
        on conflict (id) do update set rights_version = node_state.rights_version + 1 returning rights_version)
    select pg_notify(${CHANNEL}, replace(${given('payload')}, '"version":0', '"version":' || rights_version))
      from state`,
);
const readState = rawQuery(
  sql`select (select rights_version from node_state), ${leaderState}`,
  ([version, leader, own]: readonly [string | null, number | null, number]) => ({
    version: Number(version),
    leader,
    own,
  }),
);

export interface NodeChannelOptions {
  nodeId: string;
  connector: Connector;
  on: ReadConnection;
  /** A connection that nothing else uses. */
  health: ReadConnection;
  clock: Clock;
  log: Log;
  onCommit: (report: CommitReport) => void;
  onMessage: (message: NodeMessage) => void;
  onAway: () => void;
  leadership: Leadership;
}

/**
 * Tells the other nodes about commits, and this one about theirs, with LISTEN and NOTIFY. A lost notification only
 * delays: feeds read all events after the last published one, and `watch` compares the number of changes to rights.
 *
 * Changes to rights are announced by their own transaction. New events are announced right after the commit, many at a
 * time: a transaction that notifies holds a lock during its flush, so posts would wait for each other.
 */
export function nodeChannel(options: NodeChannelOptions) {
  const { nodeId, connector, on, health, leadership, clock, log, onCommit, onMessage, onAway } = options;
  const heads = new Map<string, number>();
  let isStopped = false;
  let version = 0;
  let reachedAt = clock.monotonic();
  let isAway = false;
  let listener: SQL | undefined;

  const payloadOf = (changes: Partial<Announcement>): string => {
    const announcement: Announcement = { ...NOTHING, ...changes, node: nodeId };
    const text = JSON.stringify(announcement);
    if (Buffer.byteLength(text) <= MAX_PAYLOAD_BYTES) return text;
    const { isRightsChanged, isHubsChanged, dueAt } = announcement;
    return JSON.stringify({ ...EVERYTHING, node: nodeId, isRightsChanged, isHubsChanged, dueAt });
  };
  const sendHeads = oneAtATime(async () => {
    try {
      while (heads.size > 0 && !isStopped) {
        const sent = [...heads].slice(0, 100);
        for (const [hubId] of sent) heads.delete(hubId);
        await on.run(notify, { payload: payloadOf({ heads: sent }) });
      }
    } catch (err) {
      // The other nodes look for events themselves.
      log.warn({ err }, 'Failed to announce new events to the other nodes');
    }
  });
  const received = (payload: string): void => {
    const { node, version: announced, heads, message, ...report } = JSON.parse(payload) as Announcement;
    const isNew = announced > version;
    version = Math.max(announced, version);
    if (node === nodeId) return;
    if (message) {
      onMessage(message);
      return;
    }
    onCommit({
      ...report,
      // Rights that `watch` has already noticed need no second check.
      isRightsChanged: report.isRightsChanged && isNew,
      isHubsChanged: report.isHubsChanged && isNew,
      heads: new Map(heads),
      posts: [],
    });
  };
  /** Treats everything as changed, since notifications may have been lost. */
  const checkAll = (): void => {
    const { version: _, heads: __, ...everything } = EVERYTHING;
    onCommit({ ...everything, heads: new Map(), posts: [] });
  };
  /** Bun would connect again by itself, beside all other attempts of this node. */
  const listen = async (): Promise<void> => {
    let client: SQL | null = null;
    const lost = async (): Promise<void> => {
      if (!client || listener !== client) return;
      listener = undefined;
      await client.close({ timeout: 0 }).catch(() => {});
      for (let failures = 0; !isStopped && !listener; failures += 1)
        await listen().catch((err) => {
          if (failures === 0) log.warn({ err }, 'This node learns of the commits of others later than usual');
        });
    };
    const begin = async (on: SQL): Promise<SQL> => {
      await on.listen(CHANNEL, received);
      return on;
    };
    const name = nodeConnectionName(nodeId);
    client = await connector.attempt(begin, { rank: 0, isListening: true, name, onClose: () => void lost() });
    listener = client ?? undefined;
    if (isStopped) await listener?.close({ timeout: 0 });
    checkAll();
  };
  const watch = async (): Promise<void> => {
    while (!isStopped) {
      await clock.sleep(LOOK_MS);
      let state: RowOf<typeof readState> | undefined;
      try {
        state = await (leadership.session() === null ? health : leadership.on).first(readState);
        reachedAt = clock.monotonic();
        if (isAway) log.info({}, 'The database is back');
        isAway = false;
        if (state && state.version > version) {
          version = state.version;
          checkAll();
        }
      } catch (err) {
        if (!isAway && !isStopped && clock.monotonic() - reachedAt >= AWAY_MS) {
          isAway = true;
          log.error({ err }, 'The database is out of reach');
          onAway();
        }
      }
      if (!isStopped) void leadership.look(state);
    }
  };

  return {
    /** Resolves once this node hears of the commits of others. */
    start: async (): Promise<void> => {
      version = (await on.first(readState))?.version ?? 0;
      await listen();
      void watch();
    },
    stop: async (): Promise<void> => {
      isStopped = true;
      await listener?.close({ timeout: 1 });
    },
    /** Sends a message that may be lost. */
    send: async (message: NodeMessage) =>
      on.run(notify, { payload: JSON.stringify({ ...NOTHING, message, node: nodeId }) }),
    /** Called at the end of each transaction of this node, before its commit. */
    committing: async (tx: Connection, { heads: _, posts: __, ...report }: CommitReport): Promise<void> => {
      const { isRightsChanged, workspaceChanges, unreadChanges, dueAt } = report;
      if (!isRightsChanged && workspaceChanges.length + unreadChanges.length === 0 && dueAt === null) return;
      await tx.run(isRightsChanged ? notifyOfRights : notify, { payload: payloadOf(report) });
    },
    /** Called after each commit of this node. */
    committed: (report: CommitReport): void => {
      for (const [hubId, seq] of report.heads) heads.set(hubId, Math.max(seq, heads.get(hubId) ?? 0));
      if (heads.size > 0) void sendHeads();
    },
  };
}
