import { Database } from 'bun:sqlite';
import { describe, test } from 'bun:test';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import {
  type Clock,
  type CommitReport,
  DATABASE_FILE,
  type Deps,
  type ItemSearch,
  type NewId,
  type Node,
  openNode,
  openStore,
  SearchIndex,
  SearchReader,
  type Store,
} from '../../../../apps/api/src/for-tests.ts';
import { testFolder } from '../test-folder.ts';
import { copyDatabase, emptyDatabase, releaseDatabase } from './test-databases.ts';

/**
 * Whether the servers under test keep their data in PostgreSQL: `HUB_TEST_STORAGE=postgres bun test …`. Each then has a
 * database of its own.
 */
export const isOnPostgres = process.env.HUB_TEST_STORAGE === 'postgres';

/**
 * Declares tests of what only the embedded storage has. On PostgreSQL they are listed as skipped, with the reason.
 */
export function onlyOnSqlite(reason: string) {
  const on = isOnPostgres ? { describe: describe.skip, test: test.skip } : { describe, test };
  const titled = (title: string) => (isOnPostgres ? `${title} (not on PostgreSQL: ${reason})` : title);
  return {
    describe: (title: string, declare: () => void) => on.describe(titled(title), declare),
    test: (title: string, run: () => void | Promise<void>) => on.test(titled(title), run),
  };
}

/**
 * Declares tests of what only PostgreSQL has. `bun run test:postgres` runs them, on its server; in `bun run test`, which
 * needs no other service, they are listed as skipped.
 */
export const onlyOnPostgres = isOnPostgres ? { describe, test } : { describe: describe.skip, test: test.skip };

/** In the data folder of a server under test, the address of its database. */
const DATABASE_URL_FILE = 'database-url';

export interface OpenedStorage {
  store: Store;
  startSearch: () => ItemSearch;
  node?: Node;
  /** Runs a statement on a connection of its own, and returns its rows. */
  query: <Row>(statement: string, values: readonly (string | number)[]) => Promise<Row[]>;
  close: () => Promise<void>;
}

type StorageContext = Pick<Deps, 'clock' | 'log'> & {
  dataDir: string;
  /** An existing database in PostgreSQL, whichever storage is tested; `null`: SQLite, whichever storage is tested. */
  databaseUrl: string | null | undefined;
  databaseAheadMs: number;
  newId: NewId;
  onCommit: (report: CommitReport) => void;
};

export async function openStorage(context: StorageContext): Promise<OpenedStorage> {
  const { databaseUrl } = context;
  const isInPostgres = databaseUrl === undefined ? isOnPostgres : databaseUrl !== null;
  return isInPostgres ? openPostgres(context) : openSqlite(context);
}

function openSqlite({ dataDir, clock, newId, onCommit }: StorageContext): OpenedStorage {
  const store = openStore({ dataDir, clock, newId, onCommit });
  const query = async <Row>(statement: string, values: readonly (string | number)[]): Promise<Row[]> => {
    using database = new Database(join(dataDir, DATABASE_FILE));
    return database.query<Row, (string | number)[]>(statement).all(...values);
  };
  return { store, startSearch: () => inlineSearch(dataDir, clock), query, close: () => store.close() };
}

async function openPostgres(context: StorageContext): Promise<OpenedStorage> {
  const { dataDir, databaseUrl, databaseAheadMs, clock, log, newId, onCommit } = context;
  const file = join(dataDir, DATABASE_URL_FILE);
  if (!databaseUrl && !existsSync(file)) writeFileSync(file, await emptyDatabase());
  const url = databaseUrl ?? readFileSync(file, 'utf8');
  const node = await openNode({
    url,
    clock,
    log,
    newId,
    onCommit,
    onAway: () => {},
    facts: () => ({ version: '1.0.0', startedAt: clock.now(), liveConnections: 0 }),
    limiterNow: () => clock.now() + databaseAheadMs,
    // As few as a node can have, since many tests share the server.
    maxConnections: 10,
    // A busy machine can hold up a statement for seconds, and no test waits for the limit.
    statementTimeoutMs: 20_000,
  });
  const query = async <Row>(statement: string, values: readonly (string | number)[]): Promise<Row[]> => {
    await using client = new SQL(url, { max: 1 });
    return [...(await client.unsafe<Row[]>(statement, [...values]))];
  };
  return { store: node.store, startSearch: () => node.store.search, node, query, close: () => node.stop() };
}

/** The data folders of servers on the database of another one, which outlives them. */
const borrowing = new Set<string>();

/** Removes the data of a server that has stopped. */
export function removeStorage(dataDir: string): void {
  const file = join(dataDir, DATABASE_URL_FILE);
  if (existsSync(file) && !borrowing.has(dataDir)) releaseDatabase(readFileSync(file, 'utf8'));
  rmSync(dataDir, { recursive: true, force: true });
}

/** Copies the folder of a server as a kill would leave it. On PostgreSQL, the copy uses the same database. */
export function copyStorage(from: string): string {
  const dataDir = testFolder('hub-killed-');
  borrowing.add(dataDir);
  for (const name of ['hub.db', 'hub.db-wal', DATABASE_URL_FILE]) {
    if (existsSync(join(from, name))) cpSync(join(from, name), join(dataDir, name));
  }
  return dataDir;
}

/** Returns a folder for a server on a restored dump of the database of another one. */
export async function dumpAndRestore(from: string): Promise<string> {
  const dataDir = testFolder('hub-restored-');
  const copy = await copyDatabase(readFileSync(join(from, DATABASE_URL_FILE), 'utf8'));
  writeFileSync(join(dataDir, DATABASE_URL_FILE), copy);
  return dataDir;
}

/**
 * Searches the data of a test server with the real index but without its thread: the index is opened and updated for
 * each search, so no test has to wait for it. Its time limit is that of the test clock, whatever the machine is busy with.
 */
function inlineSearch(dataDir: string, clock: Clock): ItemSearch {
  return {
    find: async (query) => {
      const files = { dataDir, databaseFile: DATABASE_FILE };
      using index = new SearchIndex(files);
      while (index.followRun());
      using reader = new SearchReader({ ...files, monotonic: () => clock.monotonic() });
      return reader.find(query);
    },
  };
}
