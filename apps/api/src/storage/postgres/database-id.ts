import type { SQL } from 'bun';
import { sql } from 'drizzle-orm';
import { StartError } from '../../platform/errors.ts';
import type { NewId } from '../../platform/ids.ts';
import type { Clock } from '../../platform/ports.ts';
import { rawQuery, rawWrite } from '../engine/query.ts';
import { adoptRestored, insertWorkspace, newWorkspace, type WorkspaceRecord } from '../workspace.ts';
import { Connection, STATEMENT_TIMEOUT_MS } from './engine/database.ts';

const findDatabaseId = rawQuery(
  sql`select bot_id, database_id from workspace for update`,
  ([botId, databaseId]): { botId: string; databaseId: string } => ({
    botId: String(botId),
    databaseId: String(databaseId),
  }),
);
const setDatabaseId = rawWrite(sql`update workspace set database_id = ${sql.placeholder('databaseId')}`);
/** The cluster, which a standby shares with its primary, and the database in it. */
const presentDatabase = rawQuery(
  sql`select (select system_identifier from pg_control_system())::text || '/' ||
    (select oid from pg_database where datname = current_database())::text`,
  ([id]) => String(id),
);

/** Begins the database ID of a workspace that was moved away, before the address of the new one. */
export const MOVED_MARK = 'moved to ';

/** Identifies the database that a client is connected to. */
export async function readDatabaseId(client: SQL): Promise<string> {
  return (await new Connection(client, STATEMENT_TIMEOUT_MS).first(presentDatabase)) ?? '';
}

/**
 * Returns the row of the workspace; the first node creates it. Must run in a transaction, under the lock of migrations.
 * Adopts the database if it is a restored dump.
 */
export async function findOrCreateWorkspace(
  on: Connection,
  context: { newId: NewId; clock: Clock },
): Promise<Pick<WorkspaceRecord, 'botId'>> {
  const databaseId = (await on.first(presentDatabase)) ?? '';
  const found = await on.first(findDatabaseId);
  if (!found) {
    const created = newWorkspace(context);
    await on.run(insertWorkspace, created);
    await on.run(setDatabaseId, { databaseId });
    return created;
  }
  rejectIfMoved(found);
  if (found.databaseId !== databaseId) {
    await on.run(setDatabaseId, { databaseId });
    await adoptRestored(on, context);
  }
  return found;
}

/** Throws `StartError` if the workspace was moved away: its posts would be missing there. */
export function rejectIfMoved({ databaseId }: { databaseId: string }): void {
  if (!databaseId.startsWith(MOVED_MARK)) return;
  throw new StartError(
    `This workspace was moved to ${databaseId.slice(MOVED_MARK.length)}. Start the server there. To use this database ` +
      "again, without what was posted there and without sessions, run this in it: UPDATE workspace SET database_id = ''",
  );
}
