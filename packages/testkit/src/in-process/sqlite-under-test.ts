import { Database } from 'bun:sqlite';
import { expect } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  DATABASE_FILE,
  type OpenStoreOptions,
  openStore,
  type SqliteStore,
  StartError,
  type Store,
} from '../../../../apps/api/src/for-tests.ts';
import { hubRecord, newKey, newPost, testIds } from '../storage/store-records.ts';
import { insertHub, insertKey, insertPost } from '../storage/store-writes.ts';
import { testFolder } from '../test-folder.ts';
import { checkQueryPlans } from './query-plans.ts';
import { TestClock } from './test-clock.ts';

/** A store under test, with details that the port does not expose but both databases must keep. */
export interface StoreUnderTest {
  store: Store;
  /** All items in a Hub, in the order of their sequence numbers. */
  itemsOf(hubId: string): Promise<{ id: string; kind: string; seq: number; keyId: string | null }[]>;
  /** All events in a Hub, in the order of their sequence numbers. */
  eventsOf(hubId: string): Promise<{ seq: number; event: string; itemId: string | null }[]>;
  /** Closes the store and opens it again on the same data, as after a restart. */
  reopen(): Promise<StoreUnderTest>;
  /** Closes the store and removes its data. */
  dispose(): Promise<void>;
}

export interface SqliteUnderTest extends StoreUnderTest {
  store: SqliteStore;
  dataDir: string;
  file: string;
  /**
   * A second database connection, for details that the port does not expose and for changes that an administrator might
   * make.
   */
  database: Database;
  reopen(): Promise<SqliteUnderTest>;
}

const NUMBER_OF_HUB = '(SELECT number FROM hubs WHERE id = ?)';

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
    itemsOf: async (hubId) =>
      database
        .query<{ id: string; kind: string; seq: number; keyId: string | null }, [string]>(
          `SELECT id, kind, seq, key_id AS keyId FROM items WHERE hub_number = ${NUMBER_OF_HUB} ORDER BY seq`,
        )
        .all(hubId),
    eventsOf: async (hubId) =>
      database
        .query<{ seq: number; event: string; itemId: string | null }, [string]>(
          `SELECT seq, event, item_id AS itemId FROM events WHERE hub_number = ${NUMBER_OF_HUB} ORDER BY seq`,
        )
        .all(hubId),
    reopen: async () => {
      await close();
      return openSqliteUnderTest(dataDir, options);
    },
    dispose: async () => {
      await close().catch(() => {});
      rmSync(dataDir, { recursive: true, force: true });
      await checkQueryPlans();
    },
  };
}

/** Creates a database with real content and closes it. Returns the id of its Hub. */
export async function fillDatabase(dataDir: string): Promise<string> {
  const subject = openSqliteUnderTest(dataDir);
  const hub = hubRecord();
  await insertHub(subject.store, hub);
  const key = await insertKey(subject.store, newKey(hub.id));
  for (let n = 0; n < 50; n += 1) await insertPost(subject.store, newPost(key, { body: 'x'.repeat(1_000) }));
  subject.database.close(false);
  await subject.store.close();
  return hub.id;
}

/** Returns the error message from opening the database in this folder. Throws if it opens. */
export function openingError(dataDir: string): string {
  try {
    openSqliteUnderTest(dataDir);
  } catch (error) {
    expect(error).toBeInstanceOf(StartError);
    return (error as Error).message;
  }
  throw new Error('The database was opened');
}
