import { afterAll, afterEach, beforeAll, beforeEach, expect, test as testAnywhere } from 'bun:test';
import type { Socket } from 'node:net';
import { PostgresServer, TestProxy } from '@hub/testkit';
import { failureOf, until } from '@hub/testkit/concurrency';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { createDatabase, emptyDatabase } from '@hub/testkit/in-process/test-databases';
import { onlyOnPostgres } from '@hub/testkit/in-process/test-storage';
import { SQL } from 'bun';
import { sql } from 'drizzle-orm';
import { hubRecord, itemQuery, newItem, newKey, newPost, newUser } from '../../../../test/store/records.ts';
import { openPostgresUnderTest, type PostgresUnderTest } from '../../../../test/store/under-test.ts';
import { insertHub, insertItem, insertKey, insertPost, insertUser } from '../../../../test/store/writes.ts';
import { systemClock } from '../../../platform/adapters/system.ts';
import { StoreUnavailable } from '../../../platform/errors.ts';
import { rawQuery } from '../../engine/query.ts';
import type { Store } from '../../store.ts';
import { ReadConnection } from './connection.ts';
import { Connector } from './connector.ts';
import { Pool } from './pool.ts';

const { describe, test } = onlyOnPostgres;
const TIMEOUT_MS = 20_000;
const toNumber = ([value]: readonly [number]) => Number(value);
const session = rawQuery(sql`select pg_backend_pid()`, toNumber);
/** Slow enough that a first connection does not serve ten before a second one is open. */
const slowSession = rawQuery(sql`select pg_backend_pid(), pg_sleep(0.1)`, toNumber);
const read = (pool: Pool, query = session) => new ReadConnection(pool, TIMEOUT_MS).first(query);

describe('the connections of nodes to a database that lets in one every few milliseconds', () => {
  let door: SlowDoor;
  let url: string;
  beforeAll(async () => {
    url = await createDatabase();
  });
  beforeEach(() => {
    door = new SlowDoor(Number(new URL(url).port));
  });
  afterEach(() => door.close());
  const openPools = (seed = 'node') => {
    const connector = new Connector({ url: door.through(url), statementTimeoutMs: TIMEOUT_MS, seed });
    const open = (max: number, isUrgent = false) => new Pool(connector, { max, clock: new TestClock(), isUrgent });
    return { pools: [open(2), open(2), open(2)] as const, urgent: open(1, true) };
  };
  /** Tries again while the pool has connections of which it does not know yet that they are lost. */
  const readAnyway = async (pool: Pool, query = session): Promise<number | undefined> => {
    for (;;) {
      const pid = await read(pool, query).catch(() => null);
      if (pid !== null) return pid;
    }
  };
  const sessionsOf = async (pool: Pool, reads: number, query = session) =>
    new Set(await Promise.all(Array.from({ length: reads }, () => readAnyway(pool, query))));

  test('are opened two at a time, also by 16 nodes that have lost all of them at once', async () => {
    const pools = Array.from({ length: 16 }, (_, n) => openPools(`node ${n}`).pools).flat();
    for (const _ of ['start', 'loss']) {
      for (const sessions of await Promise.all(pools.map((pool) => sessionsOf(pool, 20))))
        expect(sessions.size).toBeLessThanOrEqual(2);
      expect(door.mostWaiting).toBe(2 * 16);
      door.drop();
    }
    await Promise.all(pools.map((pool) => pool.close()));
  });

  test('are opened for health first, then one for each kind of work', async () => {
    const { pools, urgent } = openPools();
    door.admits = 5;
    const [first, second, third] = pools.map((pool) => sessionsOf(pool, 10, slowSession));
    expect(await read(urgent)).toBeNumber();
    const ofFirst = new Set(await first);
    while (ofFirst.size < 2) for (const pid of await sessionsOf(pools[0], 10, slowSession)) ofFirst.add(pid);
    expect((await Promise.all([second, third])).map((sessions) => sessions?.size)).toEqual([1, 1]);
    await Promise.all([...pools, urgent].map((pool) => pool.close()));
  });

  test('are not opened for those who have given up', async () => {
    const { pools, urgent } = openPools();
    door.admits = 0;
    const reads = pools.map((pool) => failureOf(new ReadConnection(pool, 1).first(session)));
    for (const error of await Promise.all(reads)) expect(error).toBeInstanceOf(StoreUnavailable);
    door.admits = 10;
    expect(await read(urgent)).toBeNumber();
    expect(door.arrivals).toBe(3);
    await Promise.all([...pools, urgent].map((pool) => pool.close()));
  });

  test('stay open if the response to a statement is late, and are closed if it does not come', async () => {
    const pool = new Pool(new Connector({ url, statementTimeoutMs: TIMEOUT_MS }), { max: 1, clock: new TestClock() });
    const before = await read(pool);
    const slow = rawQuery(sql`select pg_sleep(0.5)`, () => null);
    expect(await failureOf(new ReadConnection(pool, 50).first(slow))).toBeInstanceOf(StoreUnavailable);
    expect(await read(pool)).toBe(before);
    const silent = rawQuery(sql`select pg_sleep(60)`, () => null);
    expect(await failureOf(new ReadConnection(pool, 50).first(silent))).toBeInstanceOf(StoreUnavailable);
    expect(await read(pool)).not.toBe(before);
    await pool.close();
  });
});

testAnywhere('a node pauses after each attempt to connect that failed, for longer each time', async () => {
  const connector = new Connector({ url: 'postgres://127.0.0.1:1/none', statementTimeoutMs: TIMEOUT_MS });
  const attempts: number[] = [];
  const attempt = () =>
    connector.attempt(async () => {
      attempts.push(performance.now());
      throw new Error('No');
    });
  for (let n = 0; n < 4; n += 1) expect(await failureOf(attempt())).toMatchObject({ message: 'No' });
  const pauses = attempts.slice(1).map((at, n) => at - (attempts[n] ?? 0));
  for (const [n, pause] of pauses.entries()) expect(pause).toBeGreaterThan(45 * 2 ** n);
});

test('an address with several hosts leads to the one that accepts writes, also after a failover', async () => {
  const primary = await PostgresServer.start();
  const standby = await primary.startStandby('standby');
  const hosts = [standby, primary].map(({ port }) => `localhost:${port}`).join();
  const url = `postgres://hub@${hosts}/postgres?target_session_attrs=read-write`;
  const pool = new Pool(new Connector({ url, statementTimeoutMs: TIMEOUT_MS }), { max: 2, clock: new TestClock() });
  const serverPort = rawQuery(sql`select inet_server_port()`, toNumber);
  expect(await read(pool, serverPort)).toBe(primary.port);
  await primary.crash();
  await standby.promote();
  const isStandby = async () => (await read(pool, serverPort).catch(() => null)) === standby.port;
  expect(await until(30_000, isStandby)).toBe(true);
  await pool.close();
  await Promise.all([primary.dispose(), standby.dispose()]);
});

/** A network that lets connections in one after another, every few milliseconds. */
class SlowDoor extends TestProxy {
  /** How many connections it lets in. */
  admits = Number.POSITIVE_INFINITY;
  arrivals = 0;
  /** The most connections that have waited at the same time. */
  mostWaiting = 0;
  readonly #waiting: Socket[] = [];
  readonly #letIn = setInterval(() => {
    const client = this.admits > 0 ? this.#waiting.shift() : undefined;
    if (!client) return;
    this.admits -= 1;
    super.accept(client);
  }, 5);

  protected override accept(client: Socket): void {
    this.#waiting.push(client.on('error', () => {}));
    this.arrivals += 1;
    this.mostWaiting = Math.max(this.mostWaiting, this.#waiting.length);
  }

  override close(): void {
    clearInterval(this.#letIn);
    super.close();
  }
}

type StoreOptions = NonNullable<Parameters<typeof openPostgresUnderTest>[0]>;

/** The end of a transaction and of its response. */
const COMMIT = { request: 'COMMIT', response: 'COMMIT\0' } as const;

/** A store whose connections go through a proxy. */
async function openThroughProxy(url: string, options: StoreOptions = {}) {
  const proxy = new TestProxy(Number(new URL(url).port));
  const subject = await openPostgresUnderTest({ url: proxy.through(url), clock: systemClock, ...options });
  const dispose = async () => {
    proxy.close();
    await subject.database.close();
    await subject.store.close();
  };
  return { ...subject, proxy, [Symbol.asyncDispose]: dispose };
}

describe('a commit whose connection is lost', () => {
  const perhapsStored = { code: 'unavailable', message: expect.stringContaining('may have been stored') };
  const notStored = { code: 'unavailable', message: expect.stringContaining('Nothing was stored') };
  test.each([
    ['of a transaction after the database has committed succeeds', 'item', 'response', null],
    ['of a transaction before the database gets it fails, and nothing is stored', 'item', 'request', notStored],
    ['of a transaction that left nothing to look for says that it may be stored', 'hub', 'response', perhapsStored],
    ['of posts after the database has written them succeeds', 'post', 'response', null],
    ['of posts before the database gets them fails, and nothing is stored', 'post', 'request', notStored],
  ] as const)('%s', async (_, written, direction, error) => {
    await using subject = await openThroughProxy(await emptyDatabase());
    const { store, proxy } = subject;
    const [hub, user] = [await insertHub(store), await insertUser(store, newUser())];
    const key = await insertKey(store, newKey(hub.id));
    const [post, item, other] = [newPost(key), newItem(hub.id, user.id), hubRecord()];
    const { write, find } = {
      post: { write: () => insertPost(store, post), find: () => store.items.find(post.id) },
      item: { write: () => insertItem(store, item), find: () => store.items.find(item.id) },
      hub: { write: () => store.transaction(({ hubs }) => hubs.insert(other)), find: () => store.hubs.find(other.id) },
    }[written];
    const cut = proxy.cutBefore(direction, written === 'post' ? post.id : COMMIT[direction]);
    expect(await write().catch((error: unknown) => error)).toMatchObject(error ?? { seq: 1 });
    expect((await find()) !== null).toBe(direction === 'response');
    await cut;
  });
});

test('a transaction that a crash of the database has undone fails as unavailable, although another one gets its id and is committed', async () => {
  // Nothing is flushed before its commit, so that a crash undoes it completely.
  const server = await PostgresServer.start({ settings: { wal_writer_delay: '10000ms' } });
  /** After recovery, PostgreSQL gives the ids of transactions that are not in its log to the next ones. */
  async function crashAndReuseIds(): Promise<void> {
    await server.crash();
    await server.restart();
    const client = new SQL(server.url(), { max: 1 });
    for (let n = 0; n < 50; n += 1) await client`SELECT pg_current_xact_id()`;
    await client.close();
  }
  {
    await using subject = await openThroughProxy(await server.createDatabase(), { statementTimeoutMs: 15_000 });
    const { store, proxy } = subject;
    const [hub, user] = [await insertHub(store), await insertUser(store, newUser())];
    const [item, other] = [newItem(hub.id, user.id), newKey(hub.id)];
    const writes: [write: () => Promise<unknown>, find: () => Promise<unknown>][] = [
      [() => insertItem(store, item), () => store.items.find(item.id)],
      [() => insertKey(store, other), () => store.keys.find(other.key.id)],
    ];
    for (const [write, find] of writes) {
      const cut = proxy.cutBefore('request', COMMIT.request, crashAndReuseIds);
      expect(await failureOf(write())).toBeInstanceOf(StoreUnavailable);
      expect(await find()).toBeNull();
      await cut;
    }
  }
  await server.dispose();
});

describe('a statement that PostgreSQL has undone because of another transaction', () => {
  let subject: PostgresUnderTest;
  let on: ReadConnection;
  const use = rawQuery(sql`select use()`, ([n]: readonly [string]) => Number(n));
  /** Makes the next uses fail with this state. */
  const failNext = async (times: number, state: string) =>
    subject.database.unsafe(`CREATE SEQUENCE IF NOT EXISTS uses; SELECT setval('uses', 1, false);
      CREATE OR REPLACE FUNCTION use() RETURNS bigint LANGUAGE plpgsql AS $$
        DECLARE n bigint := nextval('uses');
        BEGIN
          IF n <= ${times} THEN RAISE EXCEPTION USING ERRCODE = '${state}'; END IF;
          RETURN n;
        END $$`);
  beforeAll(async () => {
    subject = await openPostgresUnderTest({ url: await createDatabase() });
    const connector = new Connector({ url: subject.url, statementTimeoutMs: 20_000 });
    on = new ReadConnection(new Pool(connector, { max: 1, clock: systemClock }), 20_000);
  });
  afterAll(async () => {
    await on.pool.close();
    await subject.database.close();
    await subject.store.close();
  });
  const uses = { alone: () => on.first(use), 'in a short transaction': () => on.locked((tx) => tx.first(use)) };

  test.each(Object.entries(uses))('%s runs again, and fails as unavailable if that does not help', async (_, run) => {
    for (const state of ['40P01', '40001']) {
      await failNext(3, state);
      expect(await run()).toBe(4);
      await failNext(100, state);
      expect(await failureOf(run())).toBeInstanceOf(StoreUnavailable);
    }
  });
});

test('a commit that waits for a frozen standby fails as perhaps stored, and posts behind it as not stored', async () => {
  const server = await PostgresServer.start();
  const url = await server.createDatabase();
  const maxConnections = { transactions: 1, posts: 1, reads: 1, searches: 1 };
  const options = { url, clock: systemClock, statementTimeoutMs: 3_000, maxConnections };
  const { store, database } = await openPostgresUnderTest(options);
  const issueKey = async () => insertKey(store, newKey((await insertHub(store)).id));
  const [key, other] = [await issueKey(), await issueKey()];
  await server.reconfigure({ synchronous_standby_names: 'frozen' });
  // The server takes a moment to use the setting.
  let error: unknown = null;
  while (error === null) error = await failureOf(insertHub(store));
  const perhapsStored = { code: 'unavailable', message: expect.stringContaining('may have been stored') };
  expect(error).toMatchObject(perhapsStored);

  const posts = [newPost(key), newPost(key)] as const;
  const first = failureOf(insertPost(store, posts[0]));
  for (let turns = 0; turns < 2; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  const second = failureOf(insertPost(store, posts[1]));
  expect(await first).toMatchObject(perhapsStored);
  expect(await second).toMatchObject({ message: expect.stringContaining('Nothing was stored') });
  // The next one that is sent has a new connection. Closing the former one must not end its wait for the standby.
  const next = async () => failureOf(insertPost(store, newPost(other)));
  while (!String(await next()).includes('may have been stored'));
  expect(await store.items.find(posts[0].id)).toBeNull();

  await server.reconfigure({ synchronous_standby_names: '' });
  while ((await store.items.find(posts[0].id)) === null);
  expect(await store.items.find(posts[1].id)).toBeNull();
  await database.close();
  await store.close();
  await server.dispose();
});

const USES: Record<string, (store: Store) => Promise<unknown>> = {
  'a statement': (store) => store.hubs.find('hub_none'),
  'a page of items': (store) => store.items.list(itemQuery(['hub_none'])),
  'a transaction': (store) => store.transaction(({ hubs }) => hubs.insert(hubRecord())),
};

describe('on connections that went silent without being closed', () => {
  test.each(Object.entries(USES))('%s fails as unavailable, and a later one gets a new connection', async (_, use) => {
    // With one connection each, the next use would wait for the silent one.
    const maxConnections = { transactions: 1, posts: 1, reads: 1, searches: 1 };
    const options = { maxConnections, statementTimeoutMs: 3_000 };
    await using subject = await openThroughProxy(await emptyDatabase(), options);
    await use(subject.store);
    subject.proxy.silence();
    expect(await failureOf(use(subject.store))).toBeInstanceOf(StoreUnavailable);
    expect(await until(30_000, async () => (await failureOf(use(subject.store))) === null)).toBe(true);
  });
});
