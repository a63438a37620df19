import type { SQL } from 'bun';
import { sql } from 'drizzle-orm';
import { SERVER } from '../../context/actor.ts';
import { StartError } from '../../core/errors.ts';
import type { NewId } from '../../core/ids.ts';
import type { Clock } from '../../core/ports.ts';
import { insertEntry } from '../audit.ts';
import type { WorkspaceChanges, WorkspaceRecord } from '../hub-store.ts';
import { Connection, STATEMENT_TIMEOUT_MS } from './engine/database.ts';
import { build, statement } from './engine/statements.ts';
import { links, sessions } from './tables/users.table.ts';
import { workspace } from './tables/workspace.table.ts';

const columns = {
  botId: workspace.botId,
  botName: workspace.botName,
  epoch: workspace.epoch,
  name: workspace.name,
  membersManageKeys: workspace.membersManageKeys,
  longestKeyLifetimeDays: workspace.longestKeyLifetimeDays,
};

const find = statement(build.select(columns).from(workspace));
const findLocked = statement(build.select(columns).from(workspace).for('share'));
const findWithDatabase = statement(
  build
    .select({
      ...columns,
      databaseId: workspace.databaseId,
    })
    .from(workspace)
    .for('update'),
);
/** The cluster, which a standby shares with its primary, and the database in it. */
const presentDatabase = statement(
  build
    .select({
      id: sql<string>`(select system_identifier from pg_control_system())::text || '/' ||
        (select oid from pg_database where datname = current_database())::text`,
    })
    .from(sql`(select 1) as one`),
);

/** Begins the database ID of a workspace that was moved away, before the address of the new one. */
export const MOVED_MARK = 'moved to ';

/** Identifies the database that a client is connected to. */
export async function readDatabaseId(client: SQL): Promise<string> {
  return (await new Connection(client, STATEMENT_TIMEOUT_MS).first(presentDatabase))?.id ?? '';
}

/**
 * Returns the row of the workspace; the first node creates it. Must run in a transaction, under the lock of migrations.
 *
 * If the database is a restored dump, events after the dump are lost, and their sequence numbers will be used again: a
 * new epoch lets followers of Hubs notice this. A dump cannot know who has signed in or out since, or which links were
 * used, so all sessions and links end.
 */
export async function findOrCreateWorkspace(
  on: Connection,
  { newId, clock }: { newId: NewId; clock: Clock },
): Promise<Pick<WorkspaceRecord, 'botId'>> {
  const databaseId = (await on.first(presentDatabase))?.id ?? '';
  const found = await on.first(findWithDatabase);
  if (!found) {
    const created = { botId: newId('bot'), botName: 'Bot', epoch: newId('epoch'), databaseId };
    await on.run(statement(build.insert(workspace).values({ id: 1, ...created, createdAt: clock.now() })));
    return created;
  }
  rejectIfMoved(found);
  if (found.databaseId !== databaseId) {
    await on.run(statement(build.update(workspace).set({ epoch: newId('epoch'), databaseId })));
    await on.run(statement(build.delete(sessions)));
    await on.run(statement(build.delete(links)));
    await insertEntry(on, {
      id: newId('aud'),
      at: clock.now(),
      actor: SERVER,
      address: null,
      action: 'workspace.restored',
      hubId: null,
      targetId: null,
      targetName: null,
      details: {},
    });
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

export function workspaceReads(on: Connection, query = find) {
  return {
    find: async (): Promise<WorkspaceRecord> => {
      const found = await on.first(query);
      if (!found) throw new Error('The workspace has no row');
      return found;
    },
  };
}

export function workspaceChanges(on: Connection) {
  return {
    ...workspaceReads(on, findLocked),
    update: async (changes: WorkspaceChanges): Promise<void> => {
      await on.run(statement(build.update(workspace).set(changes)));
    },
  };
}
