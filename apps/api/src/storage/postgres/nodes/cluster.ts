import { sql } from 'drizzle-orm';
import { rawQuery } from '../../engine/query.ts';
import type { Cluster, Standby } from '../../node-source.ts';
import type { ReadConnection } from '../engine/connection.ts';

/** The name of the connection that each node has exactly one of, by which nodes are counted. */
export const nodeConnectionName = (nodeId: string): string => `hub ${nodeId}`;

const countNodes = rawQuery(
  sql`select count(distinct application_name) from pg_stat_activity
    where datname = current_database() and application_name like 'hub node\\_%'`,
  ([count]: [string]) => Number(count),
);
/** Accounts without the role `pg_monitor` see the rows, but only the name in them. */
const listStandbys = rawQuery(
  sql`select application_name, sync_state in ('sync', 'quorum'),
      case when sync_state is not null then pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) end
    from pg_stat_replication where state is null or state <> 'backup' order by application_name`,
  ([name, isSynchronous, lag]: [string, boolean | null, string | null]): Standby => ({
    name,
    isSynchronous,
    lagBytes: lag === null ? null : Math.max(0, Number(lag)),
  }),
);

/** Reads which nodes use the database, and how far its standbys are behind. */
export async function readCluster(on: ReadConnection): Promise<Cluster> {
  const [nodes = 0, standbys] = await Promise.all([on.first(countNodes), on.all(listStandbys)]);
  return { nodes, standbys };
}
