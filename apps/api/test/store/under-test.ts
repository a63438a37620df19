import { Database } from 'bun:sqlite';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkQueryPlans } from '@hub/testkit/in-process/query-plans';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { emptyDatabase, releaseDatabase } from '@hub/testkit/in-process/test-databases';
import { testFolder } from '@hub/testkit/test-folder';
import { SQL } from 'bun';
import { StartError } from '../../src/platform/errors.ts';
import {
  type OpenPostgresOptions,
  openPostgresStore,
  type PostgresStore,
} from '../../src/storage/postgres/open-store.ts';
import {
  DATABASE_FILE,
  type OpenStoreOptions,
  openStore,
  type SqliteStore,
} from '../../src/storage/sqlite/open-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { newKey, newPost, testIds } from './records.ts';
import { insertHub, insertKey, insertPost } from './writes.ts';

/** A store under test, with details that the port does not expose but both databases must keep. Its data ends with it. */
interface StoreUnderTest<Opened extends Store> extends AsyncDisposable {
  store: Opened;
  /** All items in a Hub, in the order of their sequence numbers. */
  itemsOf(hubId: string): Promise<{ id: string; kind: string; seq: number; keyId: string | null }[]>;
  /** All events in a Hub, in the order of their sequence numbers. */
  eventsOf(hubId: string): Promise<{ seq: number; event: string; itemId: string | null }[]>;
  /** Closes the store and opens it again on the same data, as after a restart. */
  reopen(): Promise<this>;
}

interface SqliteUnderTest extends StoreUnderTest<SqliteStore> {
  dataDir: string;
  file: string;
  /** A second connection, for details that the port does not expose and for changes that an administrator might make. */
  database: Database;
}

export interface PostgresUnderTest extends StoreUnderTest<PostgresStore> {
  url: string;
  database: SQL;
}

const ofHub = 'WHERE hub_number = (SELECT number FROM hubs WHERE id = $1) ORDER BY seq';
const ITEMS = `SELECT id, kind, CAST(seq AS INTEGER) AS seq, key_id AS "keyId" FROM items ${ofHub}`;
const EVENTS = `SELECT CAST(seq AS INTEGER) AS seq, event, item_id AS "itemId" FROM events ${ofHub}`;

/** Opens a real store in a new folder. */
export function openSqliteUnderTest(
  dataDir = testFolder('hub-store-'),
  options: Partial<OpenStoreOptions> = {},
): SqliteUnderTest {
  const store = openStore({ dataDir, clock: new TestClock(), newId: testIds, ...options });
  const file = join(dataDir, DATABASE_FILE);
  const database = new Database(file);
  const close = async (): Promise<void> => {
    database.close(false);
    await store.close();
  };
  return {
    store,
    dataDir,
    file,
    database,
    itemsOf: async (hubId) => database.query<never, [string]>(ITEMS).all(hubId),
    eventsOf: async (hubId) => database.query<never, [string]>(EVENTS).all(hubId),
    reopen: async () => {
      await close();
      return openSqliteUnderTest(dataDir, options);
    },
    [Symbol.asyncDispose]: async () => {
      await close().catch(() => {});
      rmSync(dataDir, { recursive: true, force: true });
      await checkQueryPlans();
    },
  };
}

/** Opens a real store in a new database. */
export async function openPostgresUnderTest(options: Partial<OpenPostgresOptions> = {}): Promise<PostgresUnderTest> {
  const url = options.url ?? (await emptyDatabase());
  const defaults = { maxConnections: { transactions: 4, posts: 2, reads: 2, searches: 1 }, statementTimeoutMs: 20_000 };
  const store = await openPostgresStore({ clock: new TestClock(), newId: testIds, ...defaults, ...options, url });
  const database = new SQL(url, { max: 1 });
  const close = async (): Promise<void> => {
    await database.close();
    await store.close();
  };
  return {
    store,
    url,
    database,
    itemsOf: async (hubId) => [...(await database.unsafe(ITEMS, [hubId]))],
    eventsOf: async (hubId) => [...(await database.unsafe(EVENTS, [hubId]))],
    reopen: async () => {
      await close();
      return openPostgresUnderTest({ ...options, url });
    },
    [Symbol.asyncDispose]: async () => {
      await close();
      releaseDatabase(url);
    },
  };
}

/** Creates a database with real content and closes it. Returns the id of its Hub. */
export async function fillDatabase(dataDir: string): Promise<string> {
  const { store, database } = openSqliteUnderTest(dataDir);
  const hub = await insertHub(store);
  const key = await insertKey(store, newKey(hub.id));
  for (let n = 0; n < 50; n += 1) await insertPost(store, newPost(key, { body: 'x'.repeat(1_000) }));
  database.close(false);
  await store.close();
  return hub.id;
}

/** Returns the error message from opening the database in this folder. Throws if it opens. */
export function openingError(dataDir: string): string {
  try {
    openSqliteUnderTest(dataDir);
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
  throw new Error('The database was opened');
}
