import type { Database } from 'bun:sqlite';
import { SERVER } from '../../context/actor.ts';
import type { NewId } from '../../core/ids.ts';
import type { Clock } from '../../core/ports.ts';
import { isoTime } from '../../core/time.ts';
import { auditWrites } from './audit.ts';
import type { Db } from './engine/database.ts';
import { links, sessions } from './tables/users.table.ts';
import { workspace } from './tables/workspace.table.ts';

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
