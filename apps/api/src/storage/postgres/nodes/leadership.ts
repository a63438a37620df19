import { sql } from 'drizzle-orm';
import type { Log } from '../../../platform/ports.ts';
import { rawQuery } from '../../engine/query.ts';
import type { ReadConnection } from '../engine/connection.ts';

export interface LeaderWork {
  startLeading(): Promise<void>;
  /** Called every second while this node leads. */
  tick(): Promise<void>;
  stopLeading(): void;
}

/** Any number that no other program uses for an advisory lock in this database. */
const LEADER_LOCK = 4_827_002;
/** For a statement of any node: the processes of the server that serve the leader and this connection. */
export const leaderState = sql`(select pid from pg_locks where locktype = 'advisory' and granted and classid = 0
    and objid = ${sql.raw(String(LEADER_LOCK))} and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())), pg_backend_pid()`;

interface LeaderState {
  /** `null`: no node leads. */
  leader: number | null;
  own: number;
}

const acquire = rawQuery(
  sql`select pg_backend_pid(), pg_try_advisory_lock(${sql.raw(String(LEADER_LOCK))})`,
  ([session, isHeld]: readonly [number, boolean]) => (isHeld ? Number(session) : null),
);

export type Leadership = ReturnType<typeof leadershipOn>;

/**
 * A lock that one node holds for as long as `on`, its only connection, lives; then another takes over within a second.
 * That the same connection finds it confirms that it is still held.
 */
export function leadershipOn(on: ReadConnection, log: Log) {
  let isStopped = false;
  let isLooking = false;
  let work: LeaderWork | undefined;
  /** The process of the server that serves the connection with the lock; `null`: this node does not lead. */
  let session: number | null = null;

  const end = (): void => {
    if (session === null) return;
    session = null;
    work?.stopLeading();
  };
  /** Takes the lock, or confirms it. Returns whether this node has just begun to lead. */
  const confirm = async (): Promise<boolean> => {
    const current = (await on.first(acquire)) ?? null;
    if (isStopped) return false;
    // On a new connection, another node may have led in the meantime.
    if (current !== session) end();
    const isNew = current !== null && session === null;
    session = current;
    return isNew;
  };
  const look = async ({ leader, own }: Partial<LeaderState> = {}): Promise<void> => {
    if (isStopped || isLooking) return;
    isLooking = true;
    try {
      const isClear = session === null ? typeof leader === 'number' : leader === session && own === session;
      const isNew = !isClear && (await confirm());
      if (session !== null) await (isNew ? work?.startLeading() : work?.tick());
    } catch (err) {
      if (session !== null) log.warn({ err }, 'This node can no longer lead');
      end();
    } finally {
      isLooking = false;
    }
  };

  return {
    on,
    session: () => session,
    lead: (leaderWork: LeaderWork): void => {
      work = leaderWork;
    },
    /** Called every second with the state that `on` has read if this node leads, if it is known. */
    look,
    stop: async (): Promise<void> => {
      isStopped = true;
      end();
      await on.pool.close();
    },
  };
}

/** The name of the connection that each node has exactly one of, by which nodes are known. */
export const nodeConnectionName = (nodeId: string): string => `hub ${nodeId}`;

const listConnected = rawQuery(
  sql`select distinct substring(application_name from 5) from pg_stat_activity
    where datname = current_database() and application_name like 'hub node\\_%'`,
  ([id]: [string]) => id,
);
/** The copies that PostgreSQL itself keeps up to date. Accounts without the role `pg_monitor` see only their names. */
const listStandbys = rawQuery(
  sql`select application_name, sync_state in ('sync', 'quorum'),
      case when sync_state is not null then pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) end
    from pg_stat_replication where state is null or state <> 'backup' order by application_name`,
  ([name, isSynchronous, lag]: [string, boolean | null, string | null]) => ({
    name,
    isSynchronous,
    /** How much of the log it has not replayed yet. */
    lagBytes: lag === null ? null : Math.max(0, Number(lag)),
  }),
);

/** Returns the IDs of the nodes that are connected to the database. */
export const readConnectedNodes = (on: ReadConnection): Promise<string[]> => on.all(listConnected);

export async function readCluster(on: ReadConnection) {
  const [ids, standbys] = await Promise.all([readConnectedNodes(on), on.all(listStandbys)]);
  return { nodes: ids.length, standbys };
}
