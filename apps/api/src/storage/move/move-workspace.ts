import { createHash } from 'node:crypto';
import { count, getTableName, type SQLChunk, sql } from 'drizzle-orm';
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { causeOf, StartError, StoreUnavailable } from '../../platform/errors.ts';
import type { NewId } from '../../platform/ids.ts';
import type { Clock } from '../../platform/ports.ts';
import { isoTime } from '../../platform/time.ts';
import type { Connection, Query } from '../engine/connection.ts';
import { given, select } from '../engine/query.ts';
import { type FileRecord, files } from '../files.ts';
import type { UnsavedPosts } from '../key-usage.ts';
import { sharedTables } from '../repositories.ts';
import { columnName, sharedColumns } from '../schema/columns.ts';
import type { FileWriter } from '../store.ts';
import { adoptRestored, beginEpoch } from '../workspace.ts';

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
  readFile(file: { id: string; size: number }): Blob | AsyncIterable<Uint8Array>;
  /** Marks the source as moved, so that no server starts on it. The mark is removed if anything fails afterwards. */
  retire(to: string): Promise<void>;
}

/** An empty workspace. It exists only once everything that fills it has been done. */
export interface MoveTarget {
  on: Connection;
  insert(table: SQLiteTable, rows: readonly Row[]): Promise<void>;
  createFile(id: string): Promise<FileWriter>;
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
  const total = await countRows(source.on, files);
  let moved = 0;
  for await (const page of readRows(source.on, files)) {
    for (const file of page as unknown as readonly FileRecord[]) await moveFile(source, target, file);
    moved += page.length;
    onProgress({ verb: 'Copying', table: 'the bytes of files', rows: moved, total });
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

async function moveFile(
  source: Pick<MoveSource, 'readFile'>,
  target: Pick<MoveTarget, 'createFile'>,
  file: FileRecord,
): Promise<void> {
  const content = source.readFile(file);
  const hash = createHash('sha256');
  const writer = await target.createFile(file.id);
  try {
    for await (const chunk of content instanceof Blob ? content.stream() : content) {
      hash.update(chunk);
      await writer.write(chunk);
    }
    await writer.finish();
    if (hash.digest('hex') !== file.sha256) throw new Error('its checksum is another one');
    await writer.keep();
  } catch (error) {
    await writer.discard();
    if (error instanceof StoreUnavailable) throw error;
    throw new StartError(
      `The file ${file.id} (${file.name}) cannot be copied: ${causeOf(error)}. Nothing was kept. If this is a backup, its files must be beside it in hub-files.`,
    );
  }
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

export type Row = Readonly<Record<string, unknown>>;

/** A page ends after this many rows or bytes, so that the memory that a move needs does not grow with the workspace. */
const PAGE_ROWS = 500;
const PAGE_BYTES = 1024 * 1024;

/** Makes the query of the first or a later page. Databases know the bytes of a long value without reading it. */
function page(table: SQLiteTable, isNext = false): Query<Row> {
  const columns = sharedColumns(table);
  const { primaryKeys } = getTableConfig(table);
  const key = primaryKeys[0]?.columns ?? Object.values(columns).filter(({ primary }) => primary);
  const nameInQueries = new Map(Object.entries(columns).map(([name, column]) => [column, name]));
  const list = (part: (column: SQLiteColumn) => SQLChunk) =>
    sql.join(
      key.map((column) => sql`${part(column)}`),
      sql`, `,
    );
  const keyColumns = list((column) => column);
  const keyNames = list((column) => sql.identifier(columnName(column)));
  const after = list((column) => given(nameInQueries.get(column) ?? ''));
  const long = Object.values(columns).filter(({ dataType }) => dataType === 'string' || dataType === 'buffer');
  const bytes = sql.join([sql`0`, ...long.map((column) => sql`coalesce(octet_length(${column}), 0)`)], sql` + `);
  const sized = sql`select ${keyColumns}, ${bytes} as bytes from ${table}
    ${isNext ? sql`where (${keyColumns}) > (${after})` : sql``} order by ${keyColumns} limit ${sql.raw(String(PAGE_ROWS))}`;
  const summed = sql`select ${keyNames}, sum(bytes) over (order by ${keyNames}) - bytes as before from (${sized}) as sized`;
  return select(
    columns,
    table,
    sql`(${keyColumns}) in (select ${keyNames} from (${summed}) as summed where before < ${sql.raw(String(PAGE_BYTES))})`,
    { orderBy: key },
  );
}

async function* readRows(on: Connection, table: SQLiteTable): AsyncGenerator<Row[]> {
  const nextPage = page(table, true);
  for (let rows = await on.all(page(table)); rows.length > 0; rows = await on.all(nextPage, rows.at(-1))) yield rows;
}

async function countRows(on: Connection, table: SQLiteTable): Promise<number> {
  return (await on.first(select({ rows: count() }, table)))?.rows ?? 0;
}
