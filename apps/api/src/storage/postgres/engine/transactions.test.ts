import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { PostgresServer } from '@hub/testkit';
import {
  emptyDatabase,
  openPostgresUnderTest,
  type PostgresUnderTest,
} from '@hub/testkit/in-process/postgres-under-test';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { onlyOnPostgres } from '@hub/testkit/in-process/test-storage';
import { hubRecord, itemQuery, newItem, newKey, newPost, newUser } from '@hub/testkit/storage/store-records';
import { failure } from '@hub/testkit/storage/store-subject';
import { insertHub, insertItem, insertKey, insertPost, insertUser } from '@hub/testkit/storage/store-writes';
import { SQL } from 'bun';
import { CredentialUses, flushUsers } from '../../../access/credential-use.ts';
import { systemClock } from '../../../platform/adapters/system-clock.ts';
import { StoreUnavailable } from '../../../platform/errors.ts';

onlyOnPostgres.describe('a transaction whose connection is lost', () => {
  let subject: PostgresUnderTest;
  let proxy: Awaited<ReturnType<typeof databaseProxy>>;
  beforeEach(async () => {
    proxy = await databaseProxy(await emptyDatabase());
    subject = await openPostgresUnderTest({ url: proxy.url, clock: systemClock });
  });
  afterEach(async () => {
    await subject.database.close();
    await subject.store.close();
    proxy.close();
  });
  const insert = async () => {
    const hub = hubRecord();
    const error = await failure(subject.store.transaction(({ hubs }) => hubs.insert(hub)));
    return { error, isStored: (await subject.store.hubs.find(hub.id)) !== null };
  };

  test('after the database has committed succeeds', async () => {
    proxy.cutBefore('response');
    expect(await insert()).toEqual({ error: null, isStored: true });
    expect(proxy.cuts).toBe(1);
  });

  test('before the database gets COMMIT fails as unavailable, and nothing is stored', async () => {
    proxy.cutBefore('request');
    expect(await insert()).toEqual({ error: expect.any(StoreUnavailable), isStored: false });
    expect(proxy.cuts).toBe(1);
  });
});

onlyOnPostgres.describe('a transaction that a crash of the database has undone', () => {
  let server: PostgresServer;
  let subject: PostgresUnderTest;
  let proxy: Awaited<ReturnType<typeof databaseProxy>>;
  beforeEach(async () => {
    // Nothing is flushed before its commit, so that a crash undoes it completely.
    server = await PostgresServer.start({ settings: { wal_writer_delay: '10000ms' } });
    proxy = await databaseProxy(await server.createDatabase());
    subject = await openPostgresUnderTest({ url: proxy.url, clock: systemClock, statementTimeoutMs: 15_000 });
  });
  afterEach(async () => {
    await subject.database.close();
    await subject.store.close();
    proxy.close();
    await server.dispose();
  });

  /** After recovery, PostgreSQL gives the ids of transactions that are not in its log to the next ones. */
  async function crashAndReuseIds(): Promise<void> {
    await server.crash();
    await server.restart();
    const client = new SQL(server.url(), { max: 1 });
    for (let n = 0; n < 50; n += 1) await client`SELECT pg_current_xact_id()`;
    await client.close();
  }

  test('fails as unavailable, although another one gets its id and is committed', async () => {
    const { store } = subject;
    const [hub, user] = [await insertHub(store), await insertUser(store, newUser())];
    const key = await insertKey(store, newKey(hub.id));
    const [post, item, other] = [newPost(key), newItem(hub.id, user.id), newKey(hub.id)];
    const writes: [write: () => Promise<unknown>, find: () => Promise<unknown>][] = [
      [() => insertPost(store, post), () => store.items.find(post.id)],
      [() => insertItem(store, item), () => store.items.find(item.id)],
      [() => insertKey(store, other), () => store.keys.find(other.key.id)],
    ];
    for (const [write, find] of writes) {
      proxy.cutBefore('request', crashAndReuseIds);
      expect(await failure(write())).toBeInstanceOf(StoreUnavailable);
      expect(await find()).toBeNull();
    }
    expect(proxy.cuts).toBe(writes.length);
  });
});

onlyOnPostgres.describe('connections that went silent without being closed', () => {
  let subject: PostgresUnderTest;
  let proxy: Awaited<ReturnType<typeof databaseProxy>>;
  beforeEach(async () => {
    proxy = await databaseProxy(await emptyDatabase());
    // With one connection each, the next use would wait for the silent one.
    const options = {
      maxConnections: { transactions: 1, posts: 1, reads: 1, searches: 1 },
      statementTimeoutMs: 500,
      clock: systemClock,
    };
    subject = await openPostgresUnderTest({ url: proxy.url, ...options });
  });
  afterEach(async () => {
    proxy.close();
    await subject.database.close();
    await subject.store.close();
  });
  const uses = {
    'a statement': () => subject.store.hubs.find('hub_none'),
    'a page of items': () => subject.store.items.list(itemQuery(['hub_none'])),
    'a transaction': () => subject.store.transaction(({ hubs }) => hubs.insert(hubRecord())),
  };

  test.each(Object.entries(uses))('%s fails as unavailable, and the next one gets a new connection', async (_, use) => {
    await use();
    proxy.silence();
    expect(await failure(use())).toBeInstanceOf(StoreUnavailable);
    expect(await failure(use())).toBeNull();
  });
});

onlyOnPostgres.describe('transactions that wait for a lock', () => {
  let subject: PostgresUnderTest;
  beforeEach(async () => {
    subject = await openPostgresUnderTest({ maxConnections: { transactions: 3, posts: 1, reads: 1, searches: 1 } });
  });
  afterEach(() => subject.dispose());

  test('leave a connection to others, however many one sender has begun', async () => {
    const { store, database } = subject;
    const [locked, free] = [await insertHub(store), await insertHub(store)];
    const change = (hubId: string, sender: string) =>
      store.transaction(({ hubs }) => hubs.update(hubId, { name: sender }), sender);
    let waiting: Promise<unknown> = Promise.resolve();
    await database.begin(async (tx) => {
      await tx`SELECT FROM hubs WHERE id = ${locked.id} FOR UPDATE`;
      waiting = Promise.all(Array.from({ length: 10 }, () => change(locked.id, 'ada')));
      await Promise.all(Array.from({ length: 5 }, () => change(free.id, 'bob')));
    });
    await waiting;
    expect((await store.hubs.find(locked.id))?.name).toBe('ada');
  });

  test('leave the queue after the time that a statement may take, and the next ones get their turn', async () => {
    const { url } = subject;
    const hub = await insertHub(subject.store);
    const impatient = await openPostgresUnderTest({
      url,
      clock: systemClock,
      statementTimeoutMs: 300,
      maxConnections: { transactions: 1, posts: 1, reads: 1, searches: 1 },
    });
    const change = (sender: string) =>
      impatient.store.transaction(({ hubs }) => hubs.update(hub.id, { name: sender }), sender);
    await subject.database.begin(async (tx) => {
      await tx`SELECT FROM hubs WHERE id = ${hub.id} FOR UPDATE`;
      const errors = await Promise.all(['ada', 'bob', 'carol', 'dave'].map((sender) => failure(change(sender))));
      for (const error of errors) expect(error).toBeInstanceOf(StoreUnavailable);
    });
    expect(impatient.store.runningTransactions()).toBe(0);
    await change('bob');
    await impatient.database.close();
    await impatient.store.close();
  });

  test('for a user do not hold up saving when others were last seen', async () => {
    const { store, database } = subject;
    const [busy, other] = [await insertUser(store, newUser()), await insertUser(store, newUser())];
    const clock = new TestClock();
    const credentialUse = new CredentialUses(clock);
    for (const user of [busy, other])
      credentialUse.record({ kind: 'token', id: `pat_${user.id}`, expiresAt: null, user }, '192.0.2.1');
    const seen = async () => Promise.all([busy, other].map(async ({ id }) => (await store.users.find(id))?.lastSeenAt));
    await database.begin(async (tx) => {
      await tx`SELECT FROM users WHERE id = ${busy.id} FOR SHARE`;
      await flushUsers({ store, credentialUse });
      expect(await seen()).toEqual([null, clock.now()]);
    });
    await flushUsers({ store, credentialUse });
    expect(await seen()).toEqual([clock.now(), clock.now()]);
  });
});

/**
 * A proxy to the database of a URL. It can cut the next connection that commits, before it passes on the COMMIT or its
 * response, and can pass on nothing more on the present connections, as after a change of routes.
 */
async function databaseProxy(url: string) {
  const state = {
    cuts: 0,
    armed: null as 'request' | 'response' | null,
    /** Runs before the connection of a commit is cut. */
    meanwhile: async (): Promise<void> => {},
  };
  const sockets = new Map<Socket, { isSilent: boolean }>();
  const address = new URL(url);
  const port = Number(address.port);
  const server = createServer((client) => {
    const upstream = connect(port, address.hostname);
    const connection = { isSilent: false };
    const pass = (direction: 'request' | 'response', mark: string) => (bytes: Buffer) => {
      if (connection.isSilent) return;
      if (state.armed === direction && bytes.includes(mark)) {
        Object.assign(state, { armed: null, cuts: state.cuts + 1 });
        void state.meanwhile().then(() => {
          client.destroy();
          upstream.destroy();
        });
      } else (direction === 'request' ? upstream : client).write(bytes);
    };
    client.on('data', pass('request', 'COMMIT'));
    upstream.on('data', pass('response', 'COMMIT\0'));
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.set(socket, connection);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address.port = String((server.address() as AddressInfo).port);
  return {
    url: address.href,
    cutBefore: (direction: 'request' | 'response', meanwhile = state.meanwhile) => {
      Object.assign(state, { armed: direction, meanwhile });
    },
    silence: () => {
      for (const connection of sockets.values()) connection.isSilent = true;
    },
    get cuts() {
      return state.cuts;
    },
    close: () => {
      server.close();
      for (const socket of sockets.keys()) socket.destroy();
    },
  };
}
