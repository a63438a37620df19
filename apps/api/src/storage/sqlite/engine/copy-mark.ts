import { Database } from 'bun:sqlite';
import { SERVER } from '../../../actor.ts';
import type { NewId } from '../../../ids.ts';
import type { Clock } from '../../../ports.ts';
import { isoTime } from '../../../time.ts';
import { auditWrites } from '../audit.ts';
import { links, sessions } from '../tables/users.table.ts';
import { workspace } from '../tables/workspace.table.ts';
import type { Db } from './database.ts';

/**
 * Marks a copy by storing the time it was taken in `user_version`, as seconds since 1970. This value is 0 in a database
 * that a server has used. So a copy is recognized regardless of how it got into a data folder.
 */
export function markCopy(file: string, takenAt: number, { flushed }: { flushed: boolean }): void {
  const copy = new Database(file, { readwrite: true, create: false });
  try {
    if (!flushed) copy.exec('PRAGMA synchronous = OFF');
    copy.exec(`PRAGMA user_version = ${Math.max(1, Math.floor(takenAt / 1000))}`);
  } finally {
    copy.close(false);
  }
}

function takenAtOf(client: Database): number | null {
  const mark = client.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0;
  return mark === 0 ? null : mark * 1000;
}

/**
 * Turns a restored copy into a live database, in one transaction. Events after the copy are lost, and their sequence
 * numbers will be used again; the new epoch lets followers notice this. The copy cannot know who has signed in or out
 * since, or which links were used, so all sessions and links end.
 */
export function adoptCopy(db: Db, { newId, clock }: { newId: NewId; clock: Clock }): void {
  const takenAt = takenAtOf(db.$client);
  if (takenAt === null) return;
  const audit = auditWrites(db);
  db.$client.transaction(() => {
    db.update(workspace)
      .set({ epoch: newId('epoch') })
      .run();
    db.delete(sessions).run();
    db.delete(links).run();
    audit.insert({
      id: newId('aud'),
      at: clock.now(),
      actor: SERVER,
      address: null,
      action: 'workspace.restored',
      hubId: null,
      targetId: null,
      targetName: null,
      details: { takenAt: isoTime(takenAt) },
    });
    db.$client.exec('PRAGMA user_version = 0');
  })();
}
