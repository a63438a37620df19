import { Database } from 'bun:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATABASE_FILE, type OpenStoreOptions, openStore, type SqliteStore } from '../storage/sqlite/open-store.ts';
import type { StoreUnderTest } from '../storage/store-contract.ts';
import { testIds } from './store-records.ts';
import { TestClock } from './test-clock.ts';

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

/** Opens a real store in a new folder. */
export function openSqliteUnderTest(
  dataDir = mkdtempSync(join(tmpdir(), 'hub-store-')),
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
    itemsOf: (hubId) =>
      database
        .query<{ id: string; kind: string; seq: number; keyId: string | null }, [string]>(
          'SELECT id, kind, seq, key_id AS keyId FROM items WHERE hub_id = ? ORDER BY seq',
        )
        .all(hubId),
    eventsOf: (hubId) =>
      database
        .query<{ seq: number; event: string; itemId: string | null }, [string]>(
          'SELECT seq, event, item_id AS itemId FROM events WHERE hub_id = ? ORDER BY seq',
        )
        .all(hubId),
    touchedRanks: () =>
      database
        .query<{ rank: number }, []>('SELECT rank FROM touched_items ORDER BY id')
        .all()
        .map(({ rank }) => rank),
    reopen: async () => {
      await close();
      return openSqliteUnderTest(dataDir, options);
    },
    dispose: async () => {
      await close().catch(() => {});
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
