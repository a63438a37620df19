import { SQL } from 'bun';
import { getTableName, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { readDatabaseAddress } from '../../platform/config-schemas.ts';
import { StartError } from '../../platform/errors.ts';
import { given } from '../engine/query.ts';
import { update } from '../engine/write.ts';
import { addDaysAndAddresses, hasKeyId } from '../key-usage.ts';
import { Connection } from '../postgres/engine/connection.ts';
import { Connector } from '../postgres/engine/connector.ts';
import { chunkChanges, fileChunks } from '../postgres/file-chunks.ts';
import { unusableDatabase } from '../postgres/open-store.ts';
import {
  createStatement,
  findTable,
  foreignDatabase,
  MIGRATION_LOCK,
  MOVED_MARK,
  migrateDatabase,
  missingIn,
  readDatabaseId,
  rejectIfMoved,
} from '../postgres/prepare-database.ts';
import { indexedTerms } from '../postgres/search.ts';
import { apiKeys } from '../schema/api-keys.table.ts';
import { columnName, sharedColumns } from '../schema/columns.ts';
import { hubs } from '../schema/hubs.table.ts';
import { items } from '../schema/items.table.ts';
import type { MoveSource, MoveTarget, Row, UncountedPosts } from './move-workspace.ts';

const PAGE_TIMEOUT_MS = 600_000;
const PROGRAM_NAME = 'hub move';

/** Runs `work` on a connection for one long transaction. */
async function connected<T>(url: string, work: (client: SQL) => Promise<T>): Promise<T> {
  const connector = new Connector({ url, statementTimeoutMs: 0, idleTimeoutMs: 0 });
  let client: SQL | null = null;
  try {
    client = await connector.attempt((on) => on.connect(), { name: PROGRAM_NAME });
    if (!client) throw new Error('There is no connection');
    return await work(client);
  } catch (error) {
    throw error instanceof SQL.PostgresError ? unusableDatabase(url, error) : error;
  } finally {
    await client?.close({ timeout: 1 });
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
      const [globalSeq] = await tx<{ last: string; isUsed: boolean }[]>`
        SELECT last_value AS last, is_called AS "isUsed" FROM items_global_seq_seq`;
      const isCopy = databaseId !== (await readDatabaseId(tx));
      let isMarked = false;
      try {
        return await work({
          on: new Connection(tx, PAGE_TIMEOUT_MS),
          isCopy,
          takenAt: null,
          isEpochOver: isCopy,
          lastGlobalSeq: globalSeq?.isUsed ? Number(globalSeq.last) : 0,
          uncounted: [],
          readFile: ({ id, size }) => filesOn(new Connection(tx, PAGE_TIMEOUT_MS)).read(id, { start: 0, end: size }),
          retire: async (to) => {
            isMarked = true;
            await mark(`${MOVED_MARK}${to}`);
          },
        });
      } catch (error) {
        // If this fails, too, the mark says how to use the database again.
        if (isMarked) await mark(databaseId).catch(() => {});
        throw error;
      }
    });
  });
}

async function requireWorkspace(tx: SQL, url: string): Promise<void> {
  const reject = (problem: string): never => {
    throw new StartError(`The database ${nameOf(url)} ${problem}`);
  };
  const [hub] = await tx<{ name: string | null }[]>`SELECT to_regclass('hub_migrations')::text AS name`;
  if (!hub?.name) reject('has no workspace of Hub.');
  const missing = await missingIn(tx);
  if (!missing) reject('was written by a newer version of Hub. Move it with that version.');
  else if (missing.length > 0)
    reject('was written by an older version of Hub. Start this version on it once, stop it, and move it then.');
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

const nameOf = (url: string): string => readDatabaseAddress(url)?.servers[0].pathname.slice(1) ?? '';

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
  const [content = { hubs: 0, users: 0 }] = await client<{ hubs: number; users: number }[]>`
    SELECT (SELECT count(*)::int FROM hubs) AS hubs, (SELECT count(*)::int FROM users) AS users`;
  if (content.hubs + content.users > 0)
    throw new StartError(
      `The database ${name} already has a workspace (Hubs: ${content.hubs}, users: ${content.users}). Move to an empty database.`,
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

const filesOn = (on: Connection) => fileChunks((work) => work(chunkChanges(on)), on);

type Hub = typeof hubs.$inferSelect;
type Item = typeof items.$inferSelect;

function postgresTarget(tx: SQL, databaseId: string): MoveTarget {
  const on = new Connection(tx, PAGE_TIMEOUT_MS);
  const hubIds = new Map<number, string>();
  return {
    on,
    insert: async (table, rows) => {
      await insertRows(tx, table, rows);
      if (table === hubs) for (const { number, id } of rows as readonly Hub[]) hubIds.set(number, id);
      if (table === items) await insertTerms(tx, rows as readonly Item[], hubIds);
    },
    createFile: filesOn(on).create,
    settle: async ({ lastGlobalSeq, uncounted }) => {
      await tx`UPDATE workspace SET database_id = ${databaseId}`;
      await tx`SELECT setval('items_global_seq_seq', ${Math.max(1, lastGlobalSeq)}::bigint, ${lastGlobalSeq > 0})`;
      await tx`SELECT setval('hubs_number_seq', coalesce(max(number), 1), max(number) IS NOT NULL) FROM hubs`;
      for (const posts of uncounted) await addPosts(on, posts);
    },
  };
}

/** Inserts all rows with one statement, which is twice as fast as one for each. */
async function insertRows(tx: SQL, table: SQLiteTable, rows: readonly Row[]): Promise<void> {
  const columns = Object.entries(sharedColumns(table)).map(([key, column]) => [key, columnName(column)] as const);
  const objects = rows.map((row) => Object.fromEntries(columns.map(([key, name]) => [name, toJson(row[key])])));
  const [name, names] = [getTableName(table), columns.map(([, column]) => `"${column}"`).join(', ')];
  await tx.unsafe(
    `INSERT INTO ${name} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${name}, $1::text::json)`,
    [JSON.stringify(objects)],
  );
}

const toJson = (value: unknown): unknown =>
  value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;

async function insertTerms(tx: SQL, rows: readonly Item[], hubIds: ReadonlyMap<number, string>): Promise<void> {
  const terms = rows
    .filter(({ title, body, blocks, files }) => title !== null || body !== null || blocks !== null || files !== null)
    .map((item) => ({
      globalSeq: item.globalSeq,
      ...indexedTerms({ ...item, hubId: hubIds.get(item.hubNumber) ?? '' }),
    }));
  await tx.unsafe(
    `INSERT INTO item_terms (global_seq, words, phrases) SELECT "globalSeq", array_to_tsvector(words), phrases
      FROM json_to_recordset($1::text::json) AS terms ("globalSeq" bigint, words text[], phrases text)`,
    [JSON.stringify(terms)],
  );
}

const addToKey = update(
  apiKeys,
  {
    postCount: sql`${apiKeys.postCount} + ${given('posts')}`,
    usedKinds: sql`${apiKeys.usedKinds} | ${given('kinds')}`,
    lastUsedAt: sql`${given('at')}`,
    lastUsedAddress: sql`${given('address')}`,
  },
  hasKeyId,
);

async function addPosts(on: Connection, { keyId, kinds, byDay, last }: UncountedPosts): Promise<void> {
  const posts = [...byDay.values()].reduce((sum, each) => sum + each, 0);
  await on.run(addToKey, { keyId, posts, kinds, ...last });
  await addDaysAndAddresses(on, keyId, { posts: byDay, tally: undefined });
}
