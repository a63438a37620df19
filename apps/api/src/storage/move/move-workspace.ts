import { createHash } from 'node:crypto';
import { getTableName } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { StartError } from '../../platform/errors.ts';
import type { NewId } from '../../platform/ids.ts';
import type { Clock } from '../../platform/ports.ts';
import { isoTime } from '../../platform/time.ts';
import type { Connection } from '../engine/connection.ts';
import type { UnsavedPosts } from '../key-usage.ts';
import { sharedTables } from '../repositories.ts';
import { adoptRestored, beginEpoch } from '../workspace.ts';
import { countRows, type Row, readRows } from './rows.ts';

/** Posts that the counters of a key do not include yet. Only the embedded storage counts them later. */
export interface UncountedPosts extends UnsavedPosts {
  keyId: string;
}

export interface MoveSource {
  on: Connection;
  /** A backup or a dump that no server has opened since: its sessions and links end, and a new epoch begins. */
  isCopy: boolean;
  /** When the copy was taken, in milliseconds since 1970, if it is known. */
  takenAt: number | null;
  /** Whether its sequence numbers may have been used for other events, as `sqlite/epoch.ts` says. */
  isEpochOver: boolean;
  /** The highest global sequence number that an item has ever had. */
  lastGlobalSeq: number;
  uncounted: readonly UncountedPosts[];
  /** Marks the source as moved, so that no server starts on it. The mark is removed if anything fails afterwards. */
  retire(to: string): Promise<void>;
}

/** An empty workspace. It exists only once everything that fills it has been done. */
export interface MoveTarget {
  on: Connection;
  insert(table: SQLiteTable, rows: readonly Row[]): Promise<void>;
  /** Continues the numbers of the source, and counts its uncounted posts. */
  settle(source: Pick<MoveSource, 'lastGlobalSeq' | 'uncounted'>): Promise<void>;
}

export interface MoveReport {
  tables: { name: string; rows: number; sha256: string }[];
  isNewEpoch: boolean;
  isCopy: boolean;
}

export type OnProgress = (step: { verb: 'Copying' | 'Verifying'; table: string; rows: number; total: number }) => void;

export interface MoveContext {
  to: string;
  newId: NewId;
  clock: Clock;
  onProgress: OnProgress;
}

/** Copies every table and compares it with the source. Throws `StartError` if they differ. */
export async function moveWorkspace(source: MoveSource, target: MoveTarget, context: MoveContext): Promise<MoveReport> {
  const { onProgress } = context;
  const tables: MoveReport['tables'] = [];
  for (const table of sharedTables) {
    const name = getTableName(table);
    const total = await countRows(source.on, table);
    const report = (verb: 'Copying' | 'Verifying') => (rows: number) => onProgress({ verb, table: name, rows, total });
    const copied = await checksum(readRows(source.on, table), report('Copying'), (rows) => target.insert(table, rows));
    const found = await checksum(readRows(target.on, table), report('Verifying'));
    if (found.rows !== copied.rows || found.sha256 !== copied.sha256)
      throw new StartError(
        `The table ${name} differs after the copy: ${copied.rows} rows were copied and ${found.rows} were found. ` +
          'Nothing was kept. Please report this.',
      );
    tables.push({ name, ...copied });
  }
  const { isCopy, isEpochOver, takenAt } = source;
  // As a server does when it opens a backup or a restored dump.
  if (isCopy) await adoptRestored(target.on, context, takenAt === null ? {} : { takenAt: isoTime(takenAt) });
  else if (isEpochOver) await beginEpoch(target.on, context.newId);
  await target.settle(source);
  // Before the target becomes usable: a process that is killed in between leaves a source that says how to use it again.
  await source.retire(context.to);
  return { tables, isNewEpoch: isCopy || isEpochOver, isCopy };
}

async function checksum(
  pages: AsyncIterable<Row[]>,
  onRows: (rows: number) => void,
  use: (rows: readonly Row[]) => Promise<void> = async () => {},
): Promise<{ rows: number; sha256: string }> {
  const hash = createHash('sha256');
  let rows = 0;
  for await (const page of pages) {
    for (const row of page) hash.update(`${JSON.stringify(row)}\n`);
    await use(page);
    rows += page.length;
    onRows(rows);
  }
  return { rows, sha256: hash.digest('hex') };
}
