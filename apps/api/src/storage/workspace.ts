import { eq } from 'drizzle-orm';
import type { NewId } from '../platform/ids.ts';
import type { Clock } from '../platform/ports.ts';
import { type AuditRecord, insertEntry, SERVER } from './audit.ts';
import type { Connection, RowOf } from './engine/connection.ts';
import { columnsWithout, select } from './engine/query.ts';
import { deleteFrom, insertInto, updatesOf } from './engine/write.ts';
import { links } from './links.ts';
import { mails } from './mails.ts';
import { sessions } from './schema/users.table.ts';
import { workspace } from './schema/workspace.table.ts';

/** Finds the only row of the workspace; the first start creates it. */
export const findWorkspace = select(
  columnsWithout(workspace, 'id', 'createdAt', 'countedGlobalSeq', 'fileBytes', 'runId', 'secret'),
  workspace,
);

export type WorkspaceRecord = RowOf<typeof findWorkspace>;
export type WorkspaceChanges = Partial<Omit<WorkspaceRecord, 'botId' | 'epoch'>>;

function existing(row: WorkspaceRecord | undefined): WorkspaceRecord {
  if (!row) throw new Error('The workspace has no row');
  return row;
}

export function workspaceReads(on: Connection) {
  return {
    /** In a transaction, the row stays as it is until it ends. Many transactions decide on it, at the same time. */
    find: async () => existing(await on.lock(findWorkspace, {}, 'share')),
  };
}

const updates = updatesOf(workspace, eq(workspace.id, 1));

export function workspaceChanges(on: Connection) {
  return {
    ...workspaceReads(on),
    /** Like `find`, for a transaction that changes what it has found: two that only share it would wait for each other. */
    findToChange: async () => existing(await on.lock(findWorkspace)),
    update: async (changes: WorkspaceChanges) => on.run(updates(changes), changes),
  };
}

export const insertWorkspace = insertInto(workspace, { columns: ['id', 'botId', 'botName', 'epoch', 'createdAt'] });

export function newWorkspace({ newId, clock }: { newId: NewId; clock: Clock }) {
  return { id: 1, botId: newId('bot'), botName: 'Bot', epoch: newId('epoch'), createdAt: clock.now() };
}

/** Begins a new history of sequence numbers, so that followers of Hubs notice that some are used again. */
export function beginEpoch(on: Connection, newId: NewId) {
  const begun = { epoch: newId('epoch') };
  return on.run(updates(begun), begun);
}

const endCredentials = [deleteFrom(sessions), deleteFrom(links), deleteFrom(mails)];

/**
 * Makes a restored copy the live database. The sequence numbers of lost events will be used again, so a new epoch
 * begins. The copy does not know who has signed out since, or which links were used and
 * mails sent, so all of them end.
 */
export function adoptRestored(
  on: Connection,
  { newId, clock }: { newId: NewId; clock: Clock },
  details: AuditRecord['details'] = {},
): Promise<unknown> {
  const entry = { id: newId('aud'), at: clock.now(), actor: SERVER, action: 'workspace.restored', details } as const;
  return Promise.all([
    beginEpoch(on, newId),
    ...endCredentials.map((end) => on.run(end)),
    insertEntry(on, { ...entry, address: null, hubId: null, targetId: null, targetName: null }),
  ]);
}
