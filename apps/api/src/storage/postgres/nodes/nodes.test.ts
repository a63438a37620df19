import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { failureOf } from '@hub/testkit/concurrency';
import { shared } from '@hub/testkit/in-process/shared';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { createDatabase } from '@hub/testkit/in-process/test-databases';
import { post, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { onlyOnPostgres } from '@hub/testkit/in-process/test-storage';
import { pick, seeded } from '@hub/testkit/random';
import { sql } from 'drizzle-orm';
import { hubRecord, newKey, testAudit, testIds } from '../../../../test/store/records.ts';
import { openPostgresUnderTest } from '../../../../test/store/under-test.ts';
import { insertHub, insertKey } from '../../../../test/store/writes.ts';
import { AppError } from '../../../platform/errors.ts';
import { DAY_MS, isoTime } from '../../../platform/time.ts';
import { KeyLimiter } from '../../../workspace/keys/key-usage.ts';
import { PasswordGuesses } from '../../../workspace/users/check-password.ts';
import type { CommitReport } from '../../commit-report.ts';
import { rawQuery } from '../../engine/query.ts';
import type { RequestLimiter } from '../../store.ts';
import { ReadConnection } from '../engine/connection.ts';
import { Connector } from '../engine/connector.ts';
import { Pool } from '../engine/pool.ts';
import { leadershipOn } from './leadership.ts';
import { clockDifference, openNode } from './node.ts';
import { sharedGuessCounts, sharedLimiter } from './shared-limiter.ts';

const BLOCK_MS = 300_000;
const one = rawQuery(sql`select 1`, ([value]) => value);

onlyOnPostgres.describe('nodes share', () => {
  const subject = shared(() => openPostgresUnderTest());
  let on: ReadConnection;
  const connect = (max: number) => {
    const connector = new Connector({ url: subject.url, statementTimeoutMs: 20_000 });
    return new ReadConnection(new Pool(connector, { max, clock: new TestClock() }), 20_000);
  };
  beforeAll(() => {
    on = connect(4);
  });
  afterAll(() => on.pool.close());

  describe('the limiter:', () => {
    const asks = { findByTokenHash: async () => null, isValid: () => true };
    const admit = async (node: RequestLimiter, { tokenHash }: ReturnType<typeof newKey>) =>
      (await node.countRequest(tokenHash, asks))?.admission;
    /** The limiters of two nodes with one clock, and keys. */
    const setUp = async (count: number) => {
      const clock = new TestClock();
      const nodes = [1, 2].map(() => sharedLimiter(on, () => clock.now())) as [RequestLimiter, RequestLimiter];
      const { id: hubId } = await insertHub(subject.store);
      const keys = Array.from({ length: count }, () => newKey(hubId));
      for (const key of keys) await insertKey(subject.store, key);
      return { clock, nodes, keys };
    };

    test('admits the same requests as the one in memory, through any node, also many at the same moment', async () => {
      const random = seeded(1);
      const { clock, nodes, keys } = await setUp(3);
      const local = new KeyLimiter(clock);
      for (let step = 0; step < 200; step += 1) {
        const asked = Array.from({ length: Math.ceil(random() ** 4 * 40) }, () => pick(random, keys));
        const node = pick(random, nodes);
        const admissions = await Promise.all(asked.map((key) => admit(node, key)));
        expect([step, admissions]).toEqual([step, asked.map(({ key }) => local.admit(key.id))]);
        clock.advance(Math.floor(random() ** 2 * (step % 20 === 19 ? BLOCK_MS : 6_000)));
      }
    });

    test('a block has the same end if the clock is set back', async () => {
      const { clock, nodes, keys } = await setUp(1);
      const through = (node: RequestLimiter) => admit(node, keys[0] as ReturnType<typeof newKey>);
      for (let count = 0; count <= 60; count += 1) await through(nodes[0]);
      clock.advance(100_000);
      expect(await through(nodes[1])).toMatchObject({ admitted: false, retryAfterSeconds: 200 });
      clock.setWall(clock.now() - 3_600_000);
      expect(await through(nodes[0])).toMatchObject({ admitted: false, retryAfterSeconds: 200 });
      clock.advance(200_000);
      expect(await through(nodes[0])).toMatchObject({ admitted: true, left: 59 });
    });
  });

  describe('the count of password attempts:', () => {
    /** Makes attempts by turns through two nodes with one clock. */
    const setUp = (account: string) => {
      const clock = new TestClock();
      const nodes = [1, 2].map(() => new PasswordGuesses(sharedGuessCounts(on, () => clock.now())));
      const attempt = { source: account, address: account, account, isSlowed: false, isKnown: false };
      let turn = 0;
      const begin = () => {
        turn += 1;
        return (nodes[turn % 2] as PasswordGuesses).begin(attempt);
      };
      /** Returns whether a wrong password was checked. */
      const guess = async (): Promise<boolean> => {
        const end = await begin();
        if (end instanceof AppError) return false;
        await end(true);
        return true;
      };
      return { clock, begin, guess };
    };

    test('are limited together: ten at the same moment, and 20 wrong passwords in an hour', async () => {
      const { clock, begin, guess } = setUp('ada');
      const begun = await Promise.all(Array.from({ length: 40 }, begin));
      const ends = begun.flatMap((end) => (end instanceof AppError ? [] : [end]));
      expect(ends).toHaveLength(10);
      for (const end of ends) await end(true);
      let checked = ends.length;
      for (let n = 0; n < 30; n += 1) if (await guess()) checked += 1;
      expect(checked).toBe(20);
      clock.advance(3_600_000);
      expect(await guess()).toBe(true);
    });

    test('of a node that died no longer count as running after a minute', async () => {
      const { clock, begin } = setUp('bob');
      for (let n = 0; n < 10; n += 1) await begin();
      expect(await begin()).toBeInstanceOf(AppError);
      clock.advance(60_001);
      expect(await begin()).not.toBeInstanceOf(AppError);
    });
  });

  test('a change of rights, also if its announcement is too large for one notification', async () => {
    const clock = new TestClock();
    const facts = () => ({ version: '1.0.0', startedAt: 0, liveConnections: 0 });
    const common = { url: subject.url, clock, newId: testIds, log: quietLog, onAway: () => {}, facts };
    const options = { ...common, statementTimeoutMs: 20_000 };
    let announced = Promise.withResolvers<CommitReport>();
    const nodes = [
      await openNode({ ...options, onCommit: () => {} }),
      await openNode({ ...options, onCommit: (report) => announced.resolve(report) }),
    ] as const;
    await nodes[1].start();
    // A node that begins to listen takes everything for changed.
    await announced.promise;
    announced = Promise.withResolvers<CommitReport>();
    await nodes[0].store.transaction(async ({ hubs, audit }) => {
      for (const hub of Array.from({ length: 150 }, () => hubRecord())) {
        await hubs.insert(hub);
        await audit.insert(testAudit({ action: 'hub.created', hubId: hub.id }));
      }
    });
    expect(await announced.promise).toMatchObject({ isRightsChanged: true, isHubsChanged: true });
    await Promise.all(nodes.map((node) => node.stop()));
  });

  test('no clock, but each compares its own with that of the database every minute', async () => {
    const clock = new TestClock();
    const warnings: object[] = [];
    const log = { ...quietLog, warn: (fields: object) => void warnings.push(fields) };
    let aheadMs = -2_000;
    const difference = clockDifference({ on, clock, log, testNow: () => clock.now() - aheadMs });
    await difference.compare();
    const stop = difference.start();
    expect([difference.milliseconds(), warnings]).toEqual([-2_000, []]);
    aheadMs = 2_001;
    await clock.untilSleeping();
    clock.advance(60_000);
    await clock.untilSleeping();
    expect([difference.milliseconds(), warnings]).toEqual([2_001, [{ differenceMs: 2_001 }]]);
    await stop();
  });

  test('the clock of the database for the times of items, and for what has expired', async () => {
    const databaseUrl = await createDatabase();
    await using hub = await startTestHub({ databaseUrl });
    await using behind = await startTestHub({ databaseUrl, clock: hub.clock, databaseAheadMs: DAY_MS });
    const [hubId = ''] = await hub.admin.createHubs(1);
    const lasting = await hub.admin.issueKey({ hubId, name: 'lasting' });
    const expiresAt = new Date(hub.clock.now() + DAY_MS / 2).toISOString();
    const expiring = await hub.admin.issueKey({ hubId, name: 'expiring', expiresAt });
    const sent = async (node: TestHub, key: string) => {
      const response = await post(node, 'messages', key, { text: 'Hello' });
      return { status: response.status, body: (await response.json()) as { data?: { createdAt: string } } };
    };
    expect((await sent(behind, lasting.key)).body.data?.createdAt).toBe(isoTime(hub.clock.now() + DAY_MS));
    expect((await sent(hub, expiring.key)).status).toBe(201);
    expect((await sent(behind, expiring.key)).status).toBe(401);
  });

  test('a leader, which takes over the state again when its connection was replaced', async () => {
    const leadership = leadershipOn(connect(1), quietLog);
    const steps: string[] = [];
    leadership.lead({
      startLeading: async () => void steps.push('start'),
      tick: async () => void steps.push('tick'),
      stopLeading: () => steps.push('stop'),
    });
    await leadership.look();
    const session = leadership.session() ?? 0;
    // That its own connection has found this session is enough.
    await leadership.look({ leader: session, own: session });
    await subject.database`SELECT pg_terminate_backend(${leadership.session()}, 10000)`;
    // The connection is opened again before the leader looks.
    while ((await failureOf(leadership.on.all(one))) !== null);
    await leadership.look({ leader: session, own: session + 1 });
    expect(steps).toEqual(['start', 'tick', 'stop', 'start']);
    await leadership.stop();
  });
});

const quietLog = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
