import { afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createDatabase } from '@hub/testkit/in-process/postgres-under-test';
import { onlyOnPostgres } from '@hub/testkit/in-process/test-storage';
import { failure } from '@hub/testkit/storage/store-subject';
import { sql } from 'drizzle-orm';
import { StoreUnavailable } from '../../../platform/errors.ts';
import { rawQuery } from '../../engine/query.ts';
import { ReadConnection } from './connection.ts';
import { Connector } from './connector.ts';
import { Pool } from './pool.ts';

const TIMEOUT_MS = 20_000;
const session = rawQuery(sql`select pg_backend_pid()`, ([pid]: readonly [number]) => Number(pid));

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
  const openPool = (max: number, seed = 'node') => {
    const connector = new Connector({ url: door.url, statementTimeoutMs: TIMEOUT_MS, seed });
    return { pool: new Pool(connector, { max }), urgent: new Pool(connector, { max: 1, isUrgent: true }) };
  };
  const read = (pool: Pool) => new ReadConnection(pool, TIMEOUT_MS).first(session);
  /** Tries again while the pool has connections of which it does not know yet that they are lost. */
  const readAnyway = async (pool: Pool): Promise<number | undefined> => {
    for (;;) {
      const pid = await read(pool).catch(() => null);
      if (pid !== null) return pid;
    }
  };
  const sessionsOf = async (pool: Pool, reads: number) =>
    new Set(await Promise.all(Array.from({ length: reads }, () => readAnyway(pool))));

  test('are opened two at a time, also by 16 nodes that have lost all of them at once', async () => {
    const pools = Array.from({ length: 16 }, (_, n) => openPool(5, `node ${n}`).pool);
    for (const _ of ['start', 'loss']) {
      for (const sessions of await Promise.all(pools.map((pool) => sessionsOf(pool, 20))))
        expect(sessions.size).toBeLessThanOrEqual(5);
      expect(door.mostWaiting).toBe(2 * pools.length);
      door.drop();
    }
    await Promise.all(pools.map((pool) => pool.close()));
  });

  test('are opened for health first', async () => {
    const { pool, urgent } = openPool(10);
    door.admits = 3;
    const reads = sessionsOf(pool, 10);
    expect(await read(urgent)).toBeNumber();
    expect((await reads).size).toBe(2);
    await Promise.all([pool.close(), urgent.close()]);
  });

  test('are not opened for those who have given up', async () => {
    const { pool, urgent } = openPool(10);
    door.admits = 0;
    const impatient = new ReadConnection(pool, 1);
    for (const error of await Promise.all(Array.from({ length: 10 }, () => failure(impatient.first(session)))))
      expect(error).toBeInstanceOf(StoreUnavailable);
    door.admits = 10;
    expect(await read(urgent)).toBeNumber();
    expect(door.arrivals).toBe(3);
    await Promise.all([pool.close(), urgent.close()]);
  });
});

test('a node pauses after each attempt to connect that failed, for longer each time', async () => {
  const connector = new Connector({ url: 'postgres://127.0.0.1:1/none', statementTimeoutMs: TIMEOUT_MS });
  const attempts: number[] = [];
  const attempt = () =>
    connector.attempt(async () => {
      attempts.push(performance.now());
      throw new Error('No');
    });
  for (let n = 0; n < 4; n += 1) expect(await failure(attempt())).toMatchObject({ message: 'No' });
  const pauses = attempts.slice(1).map((at, n) => at - (attempts[n] ?? 0));
  for (const [n, pause] of pauses.entries()) expect(pause).toBeGreaterThan(45 * 2 ** n);
});

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
