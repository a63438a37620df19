import { findPostgres, PostgresServer } from '@hub/testkit/postgres';
import { SQL } from 'bun';
import {
  type OpenPostgresOptions,
  openPostgresStore,
  type PostgresStore,
} from '../../src/storage/postgres/open-store.ts';
import { testIds } from './store-records.ts';
import type { StoreUnderTest } from './store-subject.ts';
import { TestClock } from './test-clock.ts';

/** Whether the tests on PostgreSQL can run here. `bun test` lists those that cannot as skipped. */
export const isPostgresInstalled = findPostgres() !== null;

export interface PostgresUnderTest extends StoreUnderTest {
  store: PostgresStore;
  url: string;
  /** A connection for details that the port does not expose. */
  database: SQL;
  reopen(): Promise<PostgresUnderTest>;
}

let server: Promise<PostgresServer> | undefined;

/**
 * Returns the PostgreSQL of this test process, which ends with it. A crash of the machine is not tested with it, so it
 * need not flush.
 */
export function postgresForTests(): Promise<PostgresServer> {
  const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '200' };
  server ??= PostgresServer.start({ settings });
  return server;
}

/** Databases that a test no longer uses. Creating one takes longer than most tests. */
const free: string[] = [];

/** Returns the address of an empty database, which is migrated if another test has used it. */
export async function emptyDatabase(): Promise<string> {
  const used = free.pop();
  if (used === undefined) return (await postgresForTests()).createDatabase();
  const client = new SQL(used, { max: 1 });
  const tables: { name: string }[] = await client`SELECT tablename AS name FROM pg_tables
    WHERE schemaname = 'public' AND tablename <> 'hub_migrations'`;
  const erase = tables.map(({ name }) => `DELETE FROM "${name}"`);
  // Erases in any order: the foreign keys hold again afterwards.
  await client.unsafe(['SET session_replication_role = replica', ...erase].join(';'));
  await client.close();
  return used;
}

/** Makes a database available to other tests. Nothing may be connected to it anymore. */
export function releaseDatabase(url: string): void {
  free.push(url);
}

/** Opens a real store in a new database. */
export async function openPostgresUnderTest(options: Partial<OpenPostgresOptions> = {}): Promise<PostgresUnderTest> {
  const url = options.url ?? (await emptyDatabase());
  // Bun opens all connections of a pool at once, which takes longer than most tests.
  const defaults = { maxConnections: { transactions: 4, reads: 2 }, statementTimeoutMs: 20_000 };
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
    itemsOf: async (hubId) => [
      ...(await database`SELECT id, kind, seq::int, key_id AS "keyId" FROM items
        WHERE hub_number = (SELECT number FROM hubs WHERE id = ${hubId}) ORDER BY seq`),
    ],
    eventsOf: async (hubId) => [
      ...(await database`SELECT seq::int, event, item_id AS "itemId" FROM events
        WHERE hub_number = (SELECT number FROM hubs WHERE id = ${hubId}) ORDER BY seq`),
    ],
    reopen: async () => {
      await close();
      return openPostgresUnderTest({ ...options, url });
    },
    dispose: async () => {
      await close();
      releaseDatabase(url);
    },
  };
}
