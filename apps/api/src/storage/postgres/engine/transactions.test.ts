import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import {
  emptyDatabase,
  openPostgresUnderTest,
  type PostgresUnderTest,
} from '@hub/testkit/in-process/postgres-under-test';
import { onlyOnPostgres } from '@hub/testkit/in-process/test-storage';
import { hubRecord, itemQuery } from '../../../../test/support/store-records.ts';
import { failure } from '../../../../test/support/store-subject.ts';
import { systemClock } from '../../../adapters/system-clock.ts';
import { StoreUnavailable } from '../../../core/errors.ts';

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

/**
 * A proxy to the database of a URL. It can cut the next connection that commits, before it passes on the COMMIT or its
 * response, and can pass on nothing more on the present connections, as after a change of routes.
 */
async function databaseProxy(url: string) {
  const state = { cuts: 0, armed: null as 'request' | 'response' | null };
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
        client.destroy();
        upstream.destroy();
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
    cutBefore: (direction: 'request' | 'response') => {
      state.armed = direction;
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
