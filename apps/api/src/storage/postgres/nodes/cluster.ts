import { sql } from 'drizzle-orm';
import { rawQuery } from '../../engine/query.ts';
import type { ReadConnection } from '../engine/connection.ts';

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
