import { afterAll, beforeAll, expect, test } from 'bun:test';
import { PostgresServer, TestProxy } from '@hub/testkit';
import { failureOf, until } from '@hub/testkit/concurrency';
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
import { Batches } from './batches.ts';
import { ReadConnection } from './connection.ts';
import { Connector } from './connector.ts';
import { Pool } from './pool.ts';

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

onlyOnPostgres.describe('a commit whose connection is lost', () => {
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
    const writes = {
      post: () => insertPost(store, post),
      item: () => insertItem(store, item),
      hub: () => store.transaction(({ hubs }) => hubs.insert(other)),
    };
    const cut = proxy.cutBefore(direction, written === 'post' ? post.id : COMMIT[direction]);
    const results = { post: { seq: 1 }, item: { seq: 1 }, hub: undefined };
    const outcome = await writes[written]().catch((error: unknown) => error);
    expect(outcome).toMatchObject(error ?? results[written] ?? {});
    const finds = {
      post: () => store.items.find(post.id),
      item: () => store.items.find(item.id),
      hub: () => store.hubs.find(other.id),
    };
    expect((await finds[written]()) !== null).toBe(direction === 'response');
    await cut;
  });
});

onlyOnPostgres.test(
  'a transaction that a crash of the database has undone fails as unavailable, although another one gets its id and is committed',
  async () => {
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
  },
);

onlyOnPostgres.describe('a statement that PostgreSQL has undone because of another transaction', () => {
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
  const uses = {
    alone: () => on.first(use),
    'in a short transaction': () => on.locked((tx) => tx.first(use)),
  };

  test.each(Object.entries(uses))('%s runs again, and fails as unavailable if that does not help', async (_, run) => {
    for (const state of ['40P01', '40001']) {
      await failNext(3, state);
      expect(await run()).toBe(4);
      await failNext(100, state);
      expect(await failureOf(run())).toBeInstanceOf(StoreUnavailable);
    }
  });
});

onlyOnPostgres.test(
  'a commit that waits for a frozen standby fails as perhaps stored, and posts behind it as not stored',
  async () => {
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
  },
);

const USES: Record<string, (store: Store) => Promise<unknown>> = {
  'a statement': (store) => store.hubs.find('hub_none'),
  'a page of items': (store) => store.items.list(itemQuery(['hub_none'])),
  'a transaction': (store) => store.transaction(({ hubs }) => hubs.insert(hubRecord())),
};

onlyOnPostgres.describe('on connections that went silent without being closed', () => {
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

test('what is added during a run goes together into the next one, and one error does not affect the others', async () => {
  const runs: { items: readonly number[]; end: PromiseWithResolvers<void> }[] = [];
  const batches = new Batches<number, number>({
    maxItems: 100,
    run: async (items) => {
      const end = Promise.withResolvers<void>();
      runs.push({ items, end });
      await end.promise;
      return items.map((item) => (item < 0 ? { error: new Error(`${item}`) } : { value: item * 10 }));
    },
  });
  const next = async (count: number) => {
    while (runs.length < count) await new Promise((resolve) => setImmediate(resolve));
    return runs.at(-1) as (typeof runs)[number];
  };
  const first = batches.add(1);
  const run = await next(1);
  const following = Promise.allSettled([batches.add(2), batches.add(-3), batches.add(4)]);
  run.end.resolve();
  expect(await first).toBe(10);
  const second = await next(2);
  expect(second.items).toEqual([2, -3, 4]);
  second.end.resolve();
  expect(await following).toMatchObject([{ value: 20 }, { reason: new Error('-3') }, { value: 40 }]);
});
