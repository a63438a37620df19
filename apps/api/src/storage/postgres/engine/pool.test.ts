import { afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import { chownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { PostgresServer } from '@hub/testkit';
import { failureOf, until } from '@hub/testkit/concurrency';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { createDatabase } from '@hub/testkit/in-process/test-databases';
import { onlyOnPostgres } from '@hub/testkit/in-process/test-storage';
import { sql } from 'drizzle-orm';
import { StoreUnavailable } from '../../../platform/errors.ts';
import { rawQuery } from '../../engine/query.ts';
import { ReadConnection } from './connection.ts';
import { Connector } from './connector.ts';
import { Pool } from './pool.ts';

const TIMEOUT_MS = 20_000;
const toPid = ([pid]: readonly [number]) => Number(pid);
const session = rawQuery(sql`select pg_backend_pid()`, toPid);
/** Slow enough that a first connection does not serve ten before a second one is open. */
const slowSession = rawQuery(sql`select pg_backend_pid(), pg_sleep(0.1)`, toPid);

onlyOnPostgres.describe('the connections of nodes to a database that lets in one every few milliseconds', () => {
  let door: Awaited<ReturnType<typeof slowDoor>>;
  let url: string;
  beforeAll(async () => {
    url = await createDatabase();
  });
  beforeEach(async () => {
    door = await slowDoor(url);
  });
  afterEach(() => door.close());
  const openPools = (seed = 'node') => {
    const connector = new Connector({ url: door.url, statementTimeoutMs: TIMEOUT_MS, seed });
    const open = (max: number, isUrgent = false) => new Pool(connector, { max, clock: new TestClock(), isUrgent });
    return { pools: [open(2), open(2), open(2)] as const, urgent: open(1, true) };
  };
  const read = (pool: Pool, query = session) => new ReadConnection(pool, TIMEOUT_MS).first(query);
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

test('a node pauses after each attempt to connect that failed, for longer each time', async () => {
  const connector = new Connector({
    url: 'postgres://127.0.0.1:1/none',
    statementTimeoutMs: TIMEOUT_MS,
  });
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

onlyOnPostgres.test(
  'an address with several hosts leads to the one that accepts writes, also after a failover, over TLS',
  async () => {
    const primary = await PostgresServer.start();
    const folder = join(primary.dataDir, 'key');
    mkdirSync(folder);
    const script = join(import.meta.dir, '../../../../../../ops/docker/database/certificates.sh');
    expect(Bun.spawnSync(['sh', script, folder, folder, 'localhost']).exitCode).toBe(0);
    const { uid, gid } = statSync(primary.dataDir);
    for (const file of ['', ...readdirSync(folder)]) chownSync(join(folder, file), uid, gid);
    await primary.reconfigure({ ssl: 'on', ssl_cert_file: 'key/server.pem', ssl_key_file: 'key/server.key' });
    const standby = await primary.startStandby('standby');
    const hosts = [standby, primary].map(({ port }) => `localhost:${port}`).join();
    const ca = `sslmode=verify-full&sslrootcert=${folder}/ca.pem`;
    const poolOf = (options: string) => {
      const url = `postgres://hub@${hosts}/postgres?${options}&target_session_attrs=read-write`;
      return new Pool(new Connector({ url, statementTimeoutMs: TIMEOUT_MS }), { max: 2, clock: new TestClock() });
    };
    const pool = poolOf(ca);
    const server = rawQuery(
      sql`select inet_server_port(), ssl from pg_stat_ssl where pid = pg_backend_pid()`,
      ([port, isEncrypted]: readonly [number, boolean]) => ({ port: Number(port), isEncrypted }),
    );
    const on = new ReadConnection(pool, TIMEOUT_MS);
    expect(await on.first(server)).toEqual({ port: primary.port, isEncrypted: true });
    const unverified = await failureOf(new ReadConnection(poolOf('sslmode=verify-full'), TIMEOUT_MS).first(server));
    expect(String((unverified as StoreUnavailable).cause)).toContain('verify');

    await primary.crash();
    await standby.promote();
    expect(await until(30_000, async () => (await on.first(server).catch(() => null))?.port === standby.port)).toBe(
      true,
    );
    await pool.close();
    await Promise.all([primary.dispose(), standby.dispose()]);
  },
);

/** A proxy to the database of a URL through which connections get one after another. */
async function slowDoor(url: string) {
  const address = new URL(url);
  const port = Number(address.port);
  const waiting: Socket[] = [];
  const open = new Set<Socket>();
  const door = {
    url: '',
    /** How many connections it lets in. */
    admits: Number.POSITIVE_INFINITY,
    arrivals: 0,
    /** The most connections that have waited at the same time. */
    mostWaiting: 0,
    drop: () => {
      for (const socket of open) socket.destroy();
    },
    close: () => {
      clearInterval(letIn);
      server.close();
      door.drop();
    },
  };
  const server = createServer({ pauseOnConnect: true }, (client) => {
    client.on('error', () => {});
    waiting.push(client);
    door.arrivals += 1;
    door.mostWaiting = Math.max(door.mostWaiting, waiting.length);
  });
  const letIn = setInterval(() => {
    const client = door.admits > 0 ? waiting.shift() : undefined;
    if (!client) return;
    door.admits -= 1;
    const upstream = connect(port, address.hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }, 5);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address.port = String((server.address() as AddressInfo).port);
  door.url = address.href;
  return door;
}
