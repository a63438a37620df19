import type { NewId } from '../../core/ids.ts';
import type { Clock } from '../../core/ports.ts';
import type { WorkspaceChanges, WorkspaceRecord } from '../hub-store.ts';
import { workspace } from '../schema/workspace.table.ts';
import type { Db } from './engine/database.ts';
import { prepared } from './engine/statements.ts';

const columns = {
  botId: workspace.botId,
  botName: workspace.botName,
  epoch: workspace.epoch,
  name: workspace.name,
  membersManageKeys: workspace.membersManageKeys,
  longestKeyLifetimeDays: workspace.longestKeyLifetimeDays,
};

/** Returns the only row of the workspace; the first start creates it. */
export function findOrCreateWorkspace(db: Db, { newId, clock }: { newId: NewId; clock: Clock }): WorkspaceRecord {
  const found = db.select(columns).from(workspace).get();
  if (found) return found;
  const created = { botId: newId('bot'), botName: 'Bot', epoch: newId('epoch') };
  db.insert(workspace)
    .values({ id: 1, ...created, createdAt: clock.now() })
    .run();
  return { ...created, name: 'Hub', membersManageKeys: true, longestKeyLifetimeDays: null };
}

export function workspaceReads(db: Db) {
  const find = prepared(db, () => db.select(columns).from(workspace));
  return {
    find: (): WorkspaceRecord => {
      const found = find.get();
      if (!found) throw new Error('The workspace has no row');
      return found;
    },
  };
}

/** Each function runs inside a transaction. */
export function workspaceChanges(db: Db) {
  return {
    update: (changes: WorkspaceChanges): void => {
      db.update(workspace).set(changes).run();
    },
  };
}

/** Returns a function that throws if the database cannot be read. */
export function probeReads(db: Db): () => void {
  const statement = prepared(db, () => db.select({ epoch: workspace.epoch }).from(workspace));
  return () => {
    statement.get();
  };
}
