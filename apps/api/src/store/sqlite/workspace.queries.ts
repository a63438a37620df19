import type { NewId } from '../../ids.ts';
import type { Clock } from '../../ports.ts';
import type { WorkspaceRecord } from '../store.ts';
import type { Db } from './database.ts';
import { workspace } from './tables/workspace.table.ts';

const columns = { botId: workspace.botId, botName: workspace.botName, epoch: workspace.epoch };

/** The one row of the workspace; the first start makes it. */
export function findOrCreateWorkspace(db: Db, { newId, clock }: { newId: NewId; clock: Clock }): WorkspaceRecord {
  const found = db.select(columns).from(workspace).get();
  if (found) return found;
  const created = { botId: newId('bot'), botName: 'Bot', epoch: newId('epoch') };
  db.insert(workspace)
    .values({ id: 1, ...created, createdAt: clock.now() })
    .run();
  return created;
}

/** Throws if the database cannot be read. */
export function probeReads(db: Db): () => void {
  const statement = db.select({ epoch: workspace.epoch }).from(workspace).prepare();
  return () => {
    statement.get();
  };
}
