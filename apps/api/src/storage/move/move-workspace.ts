import { createHash } from 'node:crypto';
import { SERVER } from '../../context/actor.ts';
import { StartError } from '../../core/errors.ts';
import type { NewId } from '../../core/ids.ts';
import type { Clock } from '../../core/ports.ts';
import { isoTime } from '../../core/time.ts';
import type { UnsavedPosts } from '../key-usage.ts';
import { MOVED_TABLES, type MovedRow, type MovedTable } from './moved-tables.ts';

/** The rows of a workspace in one of the storages. */
interface Rows {
  /** Yields all rows in batches, in the order of the primary key. */
  read(table: MovedTable): AsyncIterable<MovedRow[]>;
}

/** Posts that the counters of a key do not include yet. Only the embedded storage counts them later. */
export interface UncountedPosts extends UnsavedPosts {
  keyId: string;
}

/** A workspace that no server uses, and that stays as it is while it is read. */
export interface MoveSource extends Rows {
  count(table: MovedTable): Promise<number>;
  /**
   * Whether this is a backup or a dump that no server has opened since. Sessions and links of such a copy end, and it
   * begins a new epoch, as when a server opens it.
   */
  isCopy: boolean;
  /** When the copy was taken, in milliseconds since 1970, if it is known. */
  takenAt: number | null;
  /** Whether its sequence numbers may have been used for other events, as `sqlite/epoch.ts` says. */
  isEpochOver: boolean;
  /** The highest rank that an item has ever had. */
  lastRank: number;
  uncounted: readonly UncountedPosts[];
  /**
   * Marks the source as moved, so that no server starts on it: posts there would be missing in the target, and both would
   * use the same sequence numbers. If anything fails afterwards, the mark is removed.
   */
  retire(to: string): Promise<void>;
}

/** An empty workspace. It exists only once everything that fills it has been done. */
export interface MoveTarget extends Rows {
  insert(table: MovedTable, rows: readonly MovedRow[]): Promise<void>;
  setEpoch(epoch: string): Promise<void>;
  /** Continues the numbers of the source, and counts its uncounted posts. */
  settle(source: Pick<MoveSource, 'lastRank' | 'uncounted'>): Promise<void>;
}

interface MovedTableReport {
  name: string;
  rows: number;
  /** The hash of all rows, in hexadecimal; the same in the source and in the target. */
  sha256: string;
}

export interface MoveReport {
  tables: MovedTableReport[];
  /** Whether live clients will reload. */
  isNewEpoch: boolean;
  /** Whether the source was a backup or a dump, whose sessions and links end. */
  isCopy: boolean;
}

export type OnProgress = (step: { verb: 'Copying' | 'Verifying'; table: string; rows: number; total: number }) => void;

export interface MoveContext {
  /** The address of the target, without its password. */
  to: string;
  newId: NewId;
  clock: Clock;
  onProgress: OnProgress;
}

/** Tables that belong to the server from which a copy was taken. */
const NOT_IN_COPIES: readonly string[] = ['sessions', 'links', 'push_subscriptions'];

/** Copies every table and compares it with the source. Throws `StartError` if they differ. */
export async function moveWorkspace(source: MoveSource, target: MoveTarget, context: MoveContext): Promise<MoveReport> {
  const { newId, onProgress } = context;
  const tables: MovedTableReport[] = [];
  for (const table of MOVED_TABLES) {
    if (source.isCopy && NOT_IN_COPIES.includes(table.name)) continue;
    const total = await source.count(table);
    const report = (verb: 'Copying' | 'Verifying') => (rows: number) =>
      onProgress({ verb, table: table.name, rows, total });
    const copied = await checksum(source.read(table), report('Copying'), (rows) => target.insert(table, rows));
    const found = await checksum(target.read(table), report('Verifying'));
    if (found.rows !== copied.rows || found.sha256 !== copied.sha256)
      throw new StartError(
        `The table ${table.name} differs after the copy: ${copied.rows} rows were copied and ${found.rows} were found. ` +
          'Nothing was kept. Please report this.',
      );
    tables.push({ name: table.name, ...copied });
  }
  const isNewEpoch = source.isCopy || source.isEpochOver;
  if (isNewEpoch) await target.setEpoch(newId('epoch'));
  if (source.isCopy) await target.insert(auditTable(), [restored(context, source.takenAt)]);
  await target.settle(source);
  // Before the target becomes usable: a process that is killed in between leaves a source that says how to use it again.
  await source.retire(context.to);
  return { tables, isNewEpoch, isCopy: source.isCopy };
}

async function checksum(
  batches: AsyncIterable<MovedRow[]>,
  onRows: (rows: number) => void,
  use: (rows: readonly MovedRow[]) => Promise<void> = async () => {},
): Promise<{ rows: number; sha256: string }> {
  const hash = createHash('sha256');
  let rows = 0;
  for await (const batch of batches) {
    for (const row of batch) hash.update(`${JSON.stringify(row)}\n`);
    await use(batch);
    rows += batch.length;
    onRows(rows);
  }
  return { rows, sha256: hash.digest('hex') };
}

function auditTable(): MovedTable {
  const table = MOVED_TABLES.find(({ name }) => name === 'audit_entries');
  if (!table) throw new Error('The audit log is not among the tables');
  return table;
}

/** The entry that a server writes when it opens a backup or a restored dump. */
function restored({ newId, clock }: MoveContext, takenAt: number | null): MovedRow {
  const values: Readonly<Record<string, string | number | null>> = {
    id: newId('aud'),
    at: clock.now(),
    actor_kind: SERVER.kind,
    actor_name: SERVER.name,
    action: 'workspace.restored',
    details: JSON.stringify(takenAt === null ? {} : { takenAt: isoTime(takenAt) }),
  };
  return auditTable().columns.map(({ name }) => values[name] ?? null);
}
