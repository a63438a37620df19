import { eq } from 'drizzle-orm';
import type { NewId } from '../platform/ids.ts';
import type { Clock } from '../platform/ports.ts';
import { type AuditRecord, insertEntry, SERVER } from './audit.ts';
import { build, type Connection, insertInto, query, updatesOf } from './engine/query.ts';
import { links, sessions } from './schema/users.table.ts';
import { workspace } from './schema/workspace.table.ts';

export interface WorkspaceRecord {
  botId: string;
  botName: string;
  epoch: string;
  name: string;
  membersManageKeys: boolean;
  longestKeyLifetimeDays: number | null;
}

export type WorkspaceChanges = Partial<
  Pick<WorkspaceRecord, 'name' | 'botName' | 'membersManageKeys' | 'longestKeyLifetimeDays'>
>;

/** Finds the only row of the workspace; the first start creates it. */
export const findWorkspace = query(() =>
  build
    .select({
      botId: workspace.botId,
      botName: workspace.botName,
      epoch: workspace.epoch,
      name: workspace.name,
      membersManageKeys: workspace.membersManageKeys,
      longestKeyLifetimeDays: workspace.longestKeyLifetimeDays,
    })
    .from(workspace),
);

function existing(found: WorkspaceRecord | undefined): WorkspaceRecord {
  if (!found) throw new Error('The workspace has no row');
  return found;
}

export type WorkspaceReads = ReturnType<typeof workspaceReads>;

export function workspaceReads(on: Connection) {
  return { find: async (): Promise<WorkspaceRecord> => existing(await on.first(findWorkspace)) };
}

const updates = updatesOf(workspace, eq(workspace.id, 1));

export function workspaceChanges(on: Connection) {
  return {
    /** The row stays as it is until the transaction ends. Many transactions decide on it, at the same time. */
    find: async (): Promise<WorkspaceRecord> => existing(await on.lock(findWorkspace, {}, 'share')),
    /** Like `find`, for a transaction that changes what it has found: two that only share it would wait for each other. */
    findToChange: async (): Promise<WorkspaceRecord> => existing(await on.lock(findWorkspace)),
    update: async (changes: WorkspaceChanges): Promise<void> => {
      await on.run(updates(changes), changes);
    },
  };
}

export const insertWorkspace = insertInto(workspace, ['id', 'botId', 'botName', 'epoch', 'createdAt']);

/** Returns the row of a workspace before its first start. */
export function newWorkspace({ newId, clock }: { newId: NewId; clock: Clock }) {
  return { id: 1, botId: newId('bot'), botName: 'Bot', epoch: newId('epoch'), createdAt: clock.now() };
}

const endCredentials = [query(() => build.delete(sessions)), query(() => build.delete(links))];

/**
 * Makes a restored copy the live database, in a transaction. Events after the copy are lost, and their sequence numbers
 * will be used again; the new epoch lets followers of Hubs notice this. The copy cannot know who has signed in or out
 * since, or which links were used, so all sessions and links end.
 */
export function adoptRestored(
  on: Connection,
  { newId, clock }: { newId: NewId; clock: Clock },
  details: AuditRecord['details'] = {},
): Promise<unknown> {
  const begun = { epoch: newId('epoch') };
  const entry = { id: newId('aud'), at: clock.now(), actor: SERVER, action: 'workspace.restored', details } as const;
  return Promise.all([
    on.run(updates(begun), begun),
    ...endCredentials.map((end) => on.run(end)),
    insertEntry(on, { ...entry, address: null, hubId: null, targetId: null, targetName: null }),
  ]);
}
