import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Db } from './database.ts';

const KEPT_SNAPSHOTS = 3;

/** Copies the database into `snapshots/` before it is migrated, and removes all but the newest three copies. */
export function takeSnapshot(db: Db, { dataDir, now }: { dataDir: string; now: number }): string {
  const folder = join(dataDir, 'snapshots');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `hub-${new Date(now).toISOString().replaceAll(':', '-')}.db`);
  rmSync(file, { force: true });
  // The copy is consistent and compact, and SQLite flushes it before the statement ends.
  db.$client.query('VACUUM INTO ?').run(file);

  const names = readdirSync(folder).filter((name) => /^hub-.*\.db$/.test(name));
  for (const name of names.sort().slice(0, -KEPT_SNAPSHOTS)) rmSync(join(folder, name));
  return file;
}
