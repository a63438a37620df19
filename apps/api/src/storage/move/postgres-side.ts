import { SQL } from 'bun';
import { getTableName } from 'drizzle-orm';
import { StartError } from '../../core/errors.ts';
import {
  createStatement,
  findTable,
  foreignDatabase,
  knownMigrations,
  MIGRATION_LOCK,
  migrateDatabase,
} from '../postgres/engine/migrate.ts';
import { unusableDatabase } from '../postgres/open-store.ts';
import { indexedTerms } from '../postgres/search.ts';
import { users } from '../postgres/tables/users.table.ts';
import { MOVED_MARK, readDatabaseId, rejectIfMoved } from '../postgres/workspace.ts';
import type { MoveSource, MoveTarget, UncountedPosts } from './move-workspace.ts';
import { cellOf, type MovedRow, type MovedTable } from './moved-tables.ts';

/** A batch ends after this many rows or bytes, so that the memory that a move needs does not grow with the workspace. */
const BATCH_ROWS = 500;
const BATCH_BYTES = 1024 * 1024;
const PROGRAM_NAME = 'hub move';

/** A connection for one long transaction. */
function connect(url: string): SQL {
  return new SQL({
    url,
    max: 1,
    connectionTimeout: 5,
    connection: {
      application_name: PROGRAM_NAME,
      client_encoding: 'UTF8',
      TimeZone: 'UTC',
      synchronous_commit: 'on',
      statement_timeout: '0',
      idle_in_transaction_session_timeout: '0',
    },
  });
}

async function connected<T>(url: string, work: (client: SQL) => Promise<T>): Promise<T> {
  const client = connect(url);
  try {
    return await work(client);
  } catch (error) {
    throw error instanceof SQL.PostgresError ? unusableDatabase(url, error) : error;
  } finally {
    await client.close({ timeout: 1 });
  }
}

/** Reads the workspace of a database as of one moment, while no node can start. */
export function withPostgresSource<T>(url: string, work: (source: MoveSource) => Promise<T>): Promise<T> {
  return connected(url, async (client) => {
    // Not in the transaction: it would not see what a node writes before it ends.
    await untilNodesEnd(client);
    return client.begin('isolation level repeatable read', async (tx) => {
      // A node that starts waits for this lock, and then finds the mark.
      await tx`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`;
      await requireWorkspace(tx, url);
      await requireNoNodes(tx);
      const [found] = await tx<{ databaseId: string }[]>`SELECT database_id AS "databaseId" FROM workspace`;
      const databaseId = found?.databaseId ?? '';
      rejectIfMoved({ databaseId });
      /** On another connection, so that it is committed before the target. */
      const mark = (text: string) => connected(url, (other) => other`UPDATE workspace SET database_id = ${text}`);
      let isMarked = false;
      const retire = async (to: string): Promise<void> => {
        isMarked = true;
        await mark(`${MOVED_MARK}${to}`);
      };
      try {
        return await work(await postgresSource(tx, { databaseId, retire }));
      } catch (error) {
        // If this fails, too, the mark says how to use the database again.
        if (isMarked) await mark(databaseId).catch(() => {});
        throw error;
      }
    });
  });
}

async function requireWorkspace(tx: SQL, url: string): Promise<void> {
  const [table] =
    await tx`SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'hub_migrations'`;
  const applied: { hash: string }[] = table ? await tx`SELECT hash FROM hub_migrations ORDER BY number` : [];
  if (applied.length === 0) throw new StartError(`The database ${nameOf(url)} has no workspace of Hub.`);
  const known = knownMigrations();
  if (applied.length > known.length || applied.some(({ hash }, index) => hash !== known[index]?.hash))
    throw new StartError(
      `The database ${nameOf(url)} was written by a newer version of Hub. Move it with that version.`,
    );
  if (applied.length < known.length)
    throw new StartError(
      `The database ${nameOf(url)} was written by an older version of Hub. Start this version on it once, stop it, and move it then.`,
    );
}

/** PostgreSQL lists the connections of a node that has just stopped for a moment longer. */
async function untilNodesEnd(client: SQL): Promise<void> {
  for (let waits = 0; waits < 10 && (await hasNodes(client)); waits += 1) await client`SELECT pg_sleep(0.1)`;
}

async function requireNoNodes(tx: SQL): Promise<void> {
  if (await hasNodes(tx)) throw new StartError('Nodes are running on this database. Stop all of them first.');
}

async function hasNodes(tx: SQL): Promise<boolean> {
  const [found] = await tx<{ connections: number }[]>`SELECT count(*)::int AS connections FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE 'hub%' AND application_name <> ${PROGRAM_NAME}`;
  return (found?.connections ?? 0) > 0;
}

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

async function postgresSource(
  tx: SQL,
  { databaseId, retire }: { databaseId: string } & Pick<MoveSource, 'retire'>,
): Promise<MoveSource> {
  const [rank] = await tx<{ last: string; isUsed: boolean }[]>`
    SELECT last_value AS last, is_called AS "isUsed" FROM items_rank_seq`;
  const isCopy = databaseId !== (await readDatabaseId(tx));
  return {
    read: (table) => readPostgres(tx, table),
    count: async ({ name }) => {
      const [{ rows } = { rows: 0 }] = await tx.unsafe<{ rows: number }[]>(
        `SELECT count(*)::int AS rows FROM "${name}"`,
      );
      return rows;
    },
    isCopy,
    takenAt: null,
    isEpochOver: isCopy,
    lastRank: rank?.isUsed ? Number(rank.last) : 0,
    uncounted: [],
    retire,
  };
}

async function* readPostgres(tx: SQL, { name, columns, key }: MovedTable): AsyncGenerator<MovedRow[]> {
  const selected = columns.map((column) => {
    if (column.type === 'bytes') return `encode("${column.name}", 'hex')`;
    return column.type === 'boolean' ? `"${column.name}"::int` : `"${column.name}"`;
  });
  const areNumbers = columns.map(({ type }) => type === 'integer' || type === 'boolean');
  const declare = (cursor: string, expressions: string) =>
    tx.unsafe(`DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT ${expressions} FROM "${name}" ORDER BY ${key.join(', ')}`);
  await declare('moved_sizes', sizeOf(columns));
  await declare('moved_rows', selected.join(', '));
  for (;;) {
    const sizes: [number][] = await tx.unsafe(`FETCH ${BATCH_ROWS} FROM moved_sizes`).values();
    if (sizes.length === 0) break;
    for (const count of batchesOf(sizes.flat())) {
      const rows: MovedRow[] = await tx.unsafe(`FETCH ${count} FROM moved_rows`).values();
      yield rows.map((row) => row.map((value, index) => (areNumbers[index] && value !== null ? Number(value) : value)));
    }
  }
  await tx.unsafe('CLOSE moved_sizes');
  await tx.unsafe('CLOSE moved_rows');
}

/** Returns the SQL for the bytes of a row, which PostgreSQL knows without reading its long values. */
function sizeOf(columns: MovedTable['columns']): string {
  const long = columns.filter(({ type }) => type === 'text' || type === 'bytes');
  return ['0', ...long.map((column) => `coalesce(octet_length("${column.name}"), 0)`)].join(' + ');
}

/** Returns the number of rows in each batch. */
function batchesOf(sizes: readonly number[]): number[] {
  const counts: number[] = [];
  let bytes = BATCH_BYTES;
  for (const size of sizes) {
    if (bytes >= BATCH_BYTES) {
      counts.push(0);
      bytes = 0;
    }
    counts.push((counts.pop() ?? 0) + 1);
    bytes += size;
  }
  return counts;
}

/** Fills an empty database in one transaction, in which `work` runs. Nodes that start meanwhile wait for it. */
export function withPostgresTarget<T>(url: string, work: (target: MoveTarget) => Promise<T>): Promise<T> {
  return connected(url, async (client) => {
    await requireEmpty(client, nameOf(url));
    let done: { result: T } | undefined;
    await migrateDatabase(client, async (tx) => {
      const indexes = await dropIndexes(tx);
      done = { result: await work(postgresTarget(tx, await readDatabaseId(tx))) };
      for (const index of indexes) await tx.unsafe(index);
    });
    if (!done) throw new Error('The target was not filled');
    return done.result;
  });
}

async function requireEmpty(client: SQL, name: string): Promise<void> {
  const table = await findTable(client);
  if (table === undefined) return;
  const [found] = await client<{ isHub: boolean }[]>`SELECT to_regclass('hub_migrations') IS NOT NULL AS "isHub"`;
  if (!found?.isHub) throw foreignDatabase(table);
  await untilNodesEnd(client);
  await requireNoNodes(client);
  const [content] = await client<{ hubs: number; users: number }[]>`
    SELECT (SELECT count(*)::int FROM hubs) AS hubs, (SELECT count(*)::int FROM ${client(getTableName(users))}) AS users`;
  const { hubs, users: userCount } = content ?? { hubs: 0, users: 0 };
  if (hubs + userCount > 0)
    throw new StartError(
      `The database ${name} already has a workspace (Hubs: ${hubs}, users: ${userCount}). Move to an empty database.`,
    );
  throw new StartError(
    `The database ${name} has an empty workspace: a node was started on it too early. As an administrator, drop the ` +
      `database, and create it again: ${createStatement(name)}`,
  );
}

/** Drops the indexes that no constraint needs, since building them at the end is several times as fast. Returns their definitions. */
async function dropIndexes(tx: SQL): Promise<string[]> {
  const indexes = await tx<{ name: string; definition: string }[]>`
    SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
    WHERE indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace)
      AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`;
  for (const { name } of indexes) await tx.unsafe(`DROP INDEX ${name}`);
  return indexes.map(({ definition }) => definition);
}

function postgresTarget(tx: SQL, databaseId: string): MoveTarget {
  const hubIds = new Map<number, string>();
  return {
    read: (table) => readPostgres(tx, table),
    insert: async (table, rows) => {
      const { name, columns } = table;
      const objects = rows.map((row) => {
        const entries = columns.map(({ name: column, type }, index) => {
          const value = row[index] ?? null;
          return [column, type === 'bytes' && value !== null ? `\\x${value}` : value] as const;
        });
        return { ...Object.fromEntries(entries), ...(name === 'workspace' && { database_id: databaseId }) };
      });
      const names = Object.keys(objects[0] ?? {}).map((column) => `"${column}"`);
      await tx.unsafe(
        `INSERT INTO "${name}" (${names}) SELECT ${names} FROM json_populate_recordset(NULL::"${name}", $1::text::json)`,
        [JSON.stringify(objects)],
      );
      if (name === 'hubs') {
        for (const row of rows) hubIds.set(Number(cellOf(table, row, 'number')), String(cellOf(table, row, 'id')));
      }
      if (name === 'items')
        await insertTerms(
          tx,
          rows.flatMap((row) => termsOf(table, row, hubIds)),
        );
    },
    setEpoch: async (epoch) => {
      await tx`UPDATE workspace SET epoch = ${epoch}`;
    },
    settle: async ({ lastRank, uncounted }) => {
      await tx`SELECT setval('items_rank_seq', ${Math.max(1, lastRank)}::bigint, ${lastRank > 0})`;
      await tx`SELECT setval('hubs_number_seq', coalesce(max(number), 1), max(number) IS NOT NULL) FROM hubs`;
      for (const posts of uncounted) await addPosts(tx, posts);
    },
  };
}

interface ItemTerms {
  rank: number;
  words: string[];
  phrases: string;
}

/** Returns what searches find of an item; nothing if it was erased. */
function termsOf(table: MovedTable, row: MovedRow, hubIds: ReadonlyMap<number, string>): ItemTerms[] {
  const text = (column: string) => cellOf(table, row, column) as string | null;
  const [title, body, blocks] = [text('title'), text('body'), text('blocks')];
  if (title === null && body === null && blocks === null) return [];
  const hubId = hubIds.get(Number(cellOf(table, row, 'hub_number'))) ?? '';
  return [{ rank: Number(cellOf(table, row, 'rank')), ...indexedTerms({ hubId, title, body, blocks }) }];
}

async function insertTerms(tx: SQL, terms: readonly ItemTerms[]): Promise<void> {
  await tx.unsafe(
    `INSERT INTO item_terms (rank, words, phrases) SELECT rank, array_to_tsvector(words), phrases
      FROM json_to_recordset($1::text::json) AS terms (rank bigint, words text[], phrases text)`,
    [JSON.stringify(terms)],
  );
}

async function addPosts(tx: SQL, { keyId, kinds, byDay, last }: UncountedPosts): Promise<void> {
  const total = [...byDay.values()].reduce((sum, posts) => sum + posts, 0);
  await tx`UPDATE api_keys SET post_count = post_count + ${total}::bigint, used_kinds = used_kinds | ${kinds}::bigint,
      last_used_address = CASE WHEN last_used_at >= ${last.at}::bigint THEN last_used_address ELSE ${last.address}::text END,
      last_used_at = greatest(last_used_at, ${last.at}::bigint)
    WHERE id = ${keyId}`;
  for (const [day, posts] of byDay) {
    await tx`INSERT INTO key_days (key_id, day, posts) VALUES (${keyId}, ${day}::bigint, ${posts}::bigint)
      ON CONFLICT (key_id, day) DO UPDATE SET posts = key_days.posts + excluded.posts`;
  }
}
