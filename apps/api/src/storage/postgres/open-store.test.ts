import { afterEach, beforeEach, expect, test } from 'bun:test';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { failureOf, until } from '@hub/testkit/concurrency';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { createDatabase } from '@hub/testkit/in-process/test-databases';
import { post, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { onlyOnPostgres } from '@hub/testkit/in-process/test-storage';
import { PostgresServer } from '@hub/testkit/postgres';
import { freePort } from '@hub/testkit/server';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { SQL } from 'bun';
import { hubRecord, testIds } from '../../../test/store/records.ts';
import { StartError } from '../../platform/errors.ts';
import { migrationsIn } from '../engine/migrations.ts';
import { openNode } from './nodes/node.ts';
import { openPostgresStore } from './open-store.ts';
import { MIGRATIONS_FOLDER, migrateDatabase } from './prepare-database.ts';

const few = { transactions: 2, posts: 1, reads: 1, searches: 1 };
const quietLog = { debug() {}, info() {}, warn() {}, error() {} };
const facts = () => ({ version: '0.0.0-test', startedAt: 0, liveConnections: 0 });

onlyOnPostgres.describe('opening a store on PostgreSQL', () => {
  let url: string;
  let database: SQL;
  beforeEach(async () => {
    url = await createDatabase({ template: 'template0' });
    database = new SQL(url, { max: 2 });
  });
  afterEach(() => database.close({ timeout: 1 }));

  const open = (options: { url?: string; statementTimeoutMs?: number } = {}) => {
    const usual = { clock: new TestClock(), newId: testIds, maxConnections: few, statementTimeoutMs: 20_000 };
    return openPostgresStore({ url, ...usual, ...options });
  };
  const openedOnce = async (): Promise<void> => (await open()).close();
  const hashes = async (): Promise<string[]> =>
    (await database`SELECT hash FROM hub_migrations ORDER BY number`).map(({ hash }: { hash: string }) => hash);

  /** Returns a copy of the migrations to which a test adds its own. */
  const moreMigrations = () => {
    const temporary = temporaryFolder();
    const { path: folder } = temporary;
    cpSync(MIGRATIONS_FOLDER, folder, { recursive: true });
    const journalFile = join(folder, 'meta/_journal.json');
    const journal = JSON.parse(readFileSync(journalFile, 'utf8')) as { entries: object[] };
    const count = journal.entries.length;
    const add = (tag: string, statements: string): void => {
      journal.entries.push({ idx: journal.entries.length, version: '7', when: Date.now(), tag, breakpoints: true });
      writeFileSync(journalFile, JSON.stringify(journal));
      writeFileSync(join(folder, `${tag}.sql`), statements);
    };
    return { ...temporary, folder, add, count };
  };

  test('migrates once if several nodes start at the same time, and all of them find the same workspace', async () => {
    const stores = await Promise.all([open(), open(), open(), open()]);
    expect(await hashes()).toEqual(migrationsIn(MIGRATIONS_FOLDER).map(({ hash }) => hash));
    const workspaces = await Promise.all(stores.map((store) => store.workspace.find()));
    expect(new Set(workspaces.map(({ epoch, botId }) => `${epoch} ${botId}`)).size).toBe(1);
    await Promise.all(stores.map((store) => store.close()));
  });

  test('refuses a database with other migrations, and leaves it as it is', async () => {
    await openedOnce();
    await database`UPDATE hub_migrations SET hash = 'of another branch'`;
    const before = await hashes();
    expect(await failureOf(open())).toBeInstanceOf(StartError);
    expect(await hashes()).toEqual(before);
  });

  test('nodes of one release work with the schema of the next under load, but none starts two releases behind', async () => {
    await using running = await startTestHub({ databaseUrl: url });
    const [hubId = ''] = await running.admin.createHubs(1);
    const { key } = await running.admin.issueKey({ hubId, name: 'load' });
    const posted: string[] = [];
    /** Posts through a node until the returned function is called. */
    const load = (node: TestHub) => {
      const count = () => posted.length;
      const [from, over] = [count(), Promise.withResolvers<void>()];
      let isOver = false;
      const work = (async () => {
        while (!isOver || count() < from + 5) {
          const response = await post(node, 'messages', key, { text: 'Hello' });
          expect(response.status).toBe(201);
          posted.push(((await response.json()) as { data: { id: string } }).data.id);
          // A key has 60 requests a minute.
          running.clock.advance(2_000);
          if (count() > from + 5) over.resolve();
        }
      })();
      return async (): Promise<void> => {
        await Promise.race([over.promise, work]);
        isOver = true;
        await work;
      };
    };
    const endOfRunning = load(running);
    using more = moreMigrations();
    const { folder, add } = more;
    add(
      '9998_expand',
      `ALTER TABLE items ADD COLUMN pinned_at bigint; ALTER TABLE api_keys ADD COLUMN budget bigint NOT NULL DEFAULT 0;
       ALTER TABLE hubs ADD COLUMN color text NOT NULL DEFAULT 'none'; CREATE INDEX ON items (pinned_at);
       CREATE TABLE stickers (hub_number bigint NOT NULL REFERENCES hubs, seq bigint NOT NULL, PRIMARY KEY (hub_number, seq))`,
    );
    const client = new SQL(url, { max: 1 });
    await migrateDatabase(client, async () => {}, folder);
    {
      await using started = await startTestHub({ databaseUrl: url, clock: running.clock });
      await load(started)();
      await endOfRunning();
      const stored = await started.query<{ id: string }>('SELECT id FROM items');
      expect(stored.map(({ id }) => id).sort()).toEqual(posted.sort());

      add('9999_contract', 'ALTER TABLE items DROP COLUMN pinned_at');
      await migrateDatabase(client, async () => {}, folder);
      const before = await hashes();
      const error = await failureOf(open());
      expect(error).toBeInstanceOf(StartError);
      expect(String(error)).toMatch(/newer version of Hub.*works only with the schema of the next release/);
      expect(await hashes()).toEqual(before);
      await load(started)();
    }
    await client.close();
  });

  test('gives up a search that takes too long, and keeps the connections of other reads free', async () => {
    const store = await open({ statementTimeoutMs: 3_000 });
    const query = { terms: [{ text: 'hello', isPrefix: false }], hubIds: ['hub_1'], limit: 10 };
    // The time to connect counts, too.
    expect(await store.search.find(query, 'ada')).toEqual([]);
    const locked = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    const holding = database.begin(async (on) => {
      await on`LOCK TABLE item_terms IN ACCESS EXCLUSIVE MODE`;
      locked.resolve();
      await over.promise;
    });
    await locked.promise;
    const rejection = failureOf(store.search.find(query, 'ada'));
    expect(await store.workspace.find()).toBeDefined();
    expect(await rejection).toMatchObject({ code: 'unavailable', message: expect.stringContaining('took too long') });
    over.resolve();
    await holding;
    expect(await store.search.find(query, 'ada')).toEqual([]);
    await store.close();
  });

  test('applies only new migrations, and undoes all of them if one fails', async () => {
    await openedOnce();
    using more = moreMigrations();
    const { folder, add, count } = more;
    add('9998_add', 'CREATE TABLE added (id bigint)');
    add('9999_fail', 'SELECT 1 / 0');
    const migrate = () => migrateDatabase(database, async () => {}, folder);
    expect(String(await failureOf(migrate()))).toContain('division by zero');
    expect(await hashes()).toHaveLength(count);
    expect([...(await database`SELECT FROM pg_tables WHERE tablename = 'added'`)]).toEqual([]);
    writeFileSync(join(folder, '9999_fail.sql'), 'SELECT 1');
    await migrate();
    expect(await hashes()).toHaveLength(count + 2);
  });

  test('gives way to statements of other nodes while a table stays locked, and migrates when it is free', async () => {
    await openedOnce();
    using more = moreMigrations();
    const { folder, add } = more;
    add('9999_alter', 'ALTER TABLE items ADD COLUMN added text');
    const over = Promise.withResolvers<void>();
    const holding = database.begin(async (on) => {
      await on`SELECT FROM items`;
      await over.promise;
    });
    const client = new SQL(url, { max: 1 });
    const migrated = migrateDatabase(client, async () => {}, folder);
    const waiting = () =>
      database`SELECT FROM pg_locks JOIN pg_database ON oid = database WHERE NOT granted AND datname = current_database()`;
    while ((await waiting()).length === 0);
    // Waits behind the migration.
    await database`SELECT FROM items`;
    over.resolve();
    await Promise.all([holding, migrated]);
    expect([...(await database`SELECT added FROM items`)]).toEqual([]);
    await client.close();
  });

  test.skipIf(!Bun.which('pgbouncer'))(
    'works through a pooler in session mode, and refuses transaction mode',
    async () => {
      const server = await PostgresServer.start();
      await server.createDatabase('hub');
      const port = freePort();
      const fileOf = (name: string) => join(dirname(server.dataDir), name);
      const [pidFile, settingsFile] = [fileOf('pid'), fileOf('pgbouncer.ini')];
      const page = readFileSync(join(import.meta.dir, '../../../../../docs/postgresql.md'), 'utf8');
      const [, ignored = ''] = /They are\n([^.]*)\./.exec(page) ?? [];
      const openThrough = async (mode: string) => {
        const settings = {
          ...{ listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', pidfile: pidFile },
          ...{ auth_type: 'any', pool_mode: mode, default_pool_size: 30, logfile: `${settingsFile}.log` },
          ignore_startup_parameters: [...ignored.matchAll(/`(\w+)`/g)].map(([, name]) => name).join(),
        };
        const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
        const database = `[databases]\nhub = host=127.0.0.1 port=${server.port} user=hub\n`;
        writeFileSync(settingsFile, `${database}[pgbouncer]\n${lines.join('')}`);
        await server.run('pgbouncer', ['--daemon', settingsFile]);
        await until(20_000, () => existsSync(pidFile));
        const pid = Number(readFileSync(pidFile, 'utf8'));
        const announced = Promise.withResolvers<void>();
        const common = { clock: new TestClock(), newId: testIds, log: quietLog, onAway: () => {}, facts };
        try {
          const url = `postgres://hub@127.0.0.1:${port}/hub`;
          const options = { ...common, url, statementTimeoutMs: 20_000 };
          const node = await openNode({ ...options, onCommit: () => announced.resolve() });
          await node.start();
          await announced.promise;
          await node.store.transaction(({ hubs }) => hubs.insert(hubRecord()));
          await node.stop();
        } finally {
          process.kill(pid, 'SIGKILL');
          rmSync(pidFile);
        }
      };
      await openThrough('session');
      const error = await failureOf(openThrough('transaction'));
      expect(error).toBeInstanceOf(StartError);
      expect(String(error)).toContain('is in transaction mode');
      await server.dispose();
    },
  );

  test('says which database cannot be used and why, without the password', async () => {
    for (const [address, reason] of [
      [url.replace(/[^/]+$/, 'none'), 'database "none" does not exist'],
      [url.replace(/:\d+\//, ':1/'), /at 127\.0\.0\.1:1: /],
    ] as const) {
      const error = await failureOf(open({ url: address.replace('hub@', 'hub:hunter2@') }));
      expect(error).toBeInstanceOf(StartError);
      expect(String(error)).toMatch(reason);
      expect(String(error)).not.toContain('hunter2');
    }
  });
});
