import { afterEach, beforeEach, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '@hub/testkit/in-process/postgres-under-test';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { onlyOnPostgres } from '@hub/testkit/in-process/test-storage';
import { testIds } from '@hub/testkit/storage/store-records';
import { failure } from '@hub/testkit/storage/store-subject';
import { insertHub, updateHub } from '@hub/testkit/storage/store-writes';
import { SQL } from 'bun';
import { StartError, StoreUnavailable } from '../../platform/errors.ts';
import { migrationsIn } from '../engine/migrations.ts';
import { MAX_READ_EVENTS } from '../events.ts';
import { openNode } from './nodes/node.ts';
import { openPostgresStore } from './open-store.ts';
import { MIGRATIONS_FOLDER, migrateDatabase } from './prepare-database.ts';

const few = { transactions: 2, posts: 1, reads: 1, searches: 1 };

onlyOnPostgres.describe('opening a store on PostgreSQL', () => {
  let url: string;
  let database: SQL;
  beforeEach(async () => {
    url = await createDatabase({ template: 'template0' });
    database = new SQL(url, { max: 2 });
  });
  afterEach(() => database.close({ timeout: 1 }));

  const open = (options: { url?: string; statementTimeoutMs?: number } = {}) =>
    openPostgresStore({ url, clock: new TestClock(), newId: testIds, maxConnections: few, ...options });
  const openedOnce = async (): Promise<void> => (await open()).close();
  const hashes = async (): Promise<string[]> =>
    (await database`SELECT hash FROM hub_migrations ORDER BY number`).map(({ hash }: { hash: string }) => hash);

  test('migrates once if several nodes start at the same time, and all of them find the same workspace', async () => {
    const stores = await Promise.all([open(), open(), open(), open()]);
    expect(await hashes()).toEqual(migrationsIn(MIGRATIONS_FOLDER).map(({ hash }) => hash));
    const workspaces = await Promise.all(stores.map((store) => store.workspace.find()));
    expect(new Set(workspaces.map(({ epoch, botId }) => `${epoch} ${botId}`)).size).toBe(1);
    await Promise.all(stores.map((store) => store.close()));
  });

  test('refuses a database of a newer version, or with other migrations, and leaves it as it is', async () => {
    await openedOnce();
    await database`INSERT INTO hub_migrations (hash) VALUES ('of tomorrow')`;
    for (const hash of ['of tomorrow', 'of another branch']) {
      await database`UPDATE hub_migrations SET hash = ${hash} WHERE number = (SELECT max(number) FROM hub_migrations)`;
      const before = await hashes();
      const error = await failure(open());
      expect(error).toBeInstanceOf(StartError);
      expect(String(error)).toMatch(/newer version of Hub. Start that version, or restore a dump/);
      expect(await hashes()).toEqual(before);
      // The second time, the last migration of this version is a different one.
      await database`DELETE FROM hub_migrations WHERE hash = 'of tomorrow'`;
    }
  });

  test('gives up a search that takes too long, and keeps the connections of other reads free', async () => {
    const store = await open({ statementTimeoutMs: 500 });
    const locked = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    const holding = database.begin(async (on) => {
      await on`LOCK TABLE item_terms IN ACCESS EXCLUSIVE MODE`;
      locked.resolve();
      await over.promise;
    });
    await locked.promise;
    const query = { terms: [{ text: 'hello', isPrefix: false }], hubIds: ['hub_1'], limit: 10 };
    const rejection = failure(store.search.find(query, 'ada'));
    expect(await store.workspace.find()).toBeDefined();
    expect(await rejection).toMatchObject({ code: 'unavailable', message: expect.stringContaining('took too long') });
    over.resolve();
    await holding;
    expect(await store.search.find(query, 'ada')).toEqual([]);
    await store.close();
  });

  test('says how many connections a node needs if there are too few', async () => {
    const role = `few_${crypto.randomUUID().replaceAll('-', '')}`;
    const limited = new URL(url);
    limited.username = role;
    await database.unsafe(`CREATE ROLE ${role} LOGIN CONNECTION LIMIT 1`);
    await database.unsafe(`ALTER DATABASE "${limited.pathname.slice(1)}" OWNER TO ${role}`);
    const opening = openNode({
      url: limited.href,
      clock: new TestClock(),
      newId: testIds,
      log: { debug() {}, info() {}, warn() {}, error() {} },
      onCommit: () => {},
      onAway: () => {},
    }).then((node) => node.start());
    const error = await failure(opening);
    expect(error).toBeInstanceOf(StartError);
    expect(String(error)).toMatch(/too many connections for role.*A node needs up to 26 connections: raise/);
  });

  test('applies only new migrations, and undoes all of them if one fails', async () => {
    await openedOnce();
    const folder = mkdtempSync(join(tmpdir(), 'hub-migrations-'));
    cpSync(MIGRATIONS_FOLDER, folder, { recursive: true });
    const journalFile = join(folder, 'meta/_journal.json');
    const journal = JSON.parse(readFileSync(journalFile, 'utf8')) as { entries: object[] };
    const count = journal.entries.length;
    const add = (tag: string, statements: string): void => {
      journal.entries.push({ idx: journal.entries.length, version: '7', when: Date.now(), tag, breakpoints: true });
      writeFileSync(journalFile, JSON.stringify(journal));
      writeFileSync(join(folder, `${tag}.sql`), statements);
    };
    add('9998_add', 'CREATE TABLE added (id bigint)');
    add('9999_fail', 'SELECT 1 / 0');
    const migrate = () => migrateDatabase(database, async () => {}, folder);
    expect(String(await failure(migrate()))).toContain('division by zero');
    expect(await hashes()).toHaveLength(count);
    expect([...(await database`SELECT FROM pg_tables WHERE tablename = 'added'`)]).toEqual([]);
    writeFileSync(join(folder, '9999_fail.sql'), 'SELECT 1');
    await migrate();
    expect(await hashes()).toHaveLength(count + 2);
    rmSync(folder, { recursive: true });
  });

  test('refuses a database with another encoding, and says how to create one', async () => {
    await database`CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`;
    const error = await failure(open({ url: url.replace(/[^/]+$/, 'latin') }));
    expect(error).toBeInstanceOf(StartError);
    expect(String(error)).toMatch(
      /has the encoding LATIN1. Create it with: CREATE DATABASE hub OWNER hub ENCODING 'UTF8'/,
    );
  });

  test('refuses the database of another program, and leaves it as it is', async () => {
    const address = await createDatabase({ template: 'template0' });
    await using other = new SQL(address, { max: 1 });
    await other`CREATE TABLE customers (id bigint)`;
    const error = await failure(open({ url: address }));
    expect(error).toBeInstanceOf(StartError);
    expect(String(error)).toMatch(/belongs to another program: it has the table customers/);
    expect([...(await other`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)]).toEqual([
      { tablename: 'customers' },
    ]);
  });

  test('says which database cannot be used and why, without the password', async () => {
    for (const [address, reason] of [
      [url.replace(/[^/]+$/, 'none'), 'database "none" does not exist'],
      [url.replace(/:\d+\//, ':1/'), /at 127\.0\.0\.1:1: /],
    ] as const) {
      const error = await failure(open({ url: address.replace('hub@', 'hub:hunter2@') }));
      expect(error).toBeInstanceOf(StartError);
      expect(String(error)).toMatch(reason);
      expect(String(error)).not.toContain('hunter2');
    }
  });

  test('rejects a read of more events than a statement returns, instead of returning fewer', async () => {
    const store = await open();
    const { id } = await insertHub(store);
    expect(await failure(store.events.read(id, 0, MAX_READ_EVENTS + 1))).toBeInstanceOf(RangeError);
    expect(await store.events.read(id, 0, MAX_READ_EVENTS)).toEqual([]);
    await store.close();
  });

  test('limits how long a write waits for a lock and a read for the server, and continues to work afterwards', async () => {
    const store = await open({ statementTimeoutMs: 150 });
    const { id } = await insertHub(store);
    const locked = await database.reserve();
    await locked`BEGIN`;
    await locked`LOCK TABLE hubs IN ACCESS EXCLUSIVE MODE`;
    expect(await failure(updateHub(store, id, { name: 'Late' }))).toBeInstanceOf(StoreUnavailable);
    expect(await failure(Promise.resolve(store.hubs.find(id)))).toBeInstanceOf(StoreUnavailable);
    await locked`ROLLBACK`;
    locked.release();
    await updateHub(store, id, { name: 'In time' });
    expect((await store.hubs.find(id))?.name).toBe('In time');
    await store.close();
  });
});
