import { afterAll, beforeAll, expect, test } from 'bun:test';
import { openPostgresUnderTest, type PostgresUnderTest } from '@hub/testkit/in-process/postgres-under-test';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { onlyOnPostgres } from '@hub/testkit/in-process/test-storage';
import { pick, seeded } from '@hub/testkit/random';
import { newKey } from '@hub/testkit/storage/store-records';
import { insertHub, insertKey, updateKey } from '@hub/testkit/storage/store-writes';
import { KeyLimiter } from '../../../programs/key-limiter.ts';
import type { RequestLimiter } from '../../request-limiter.ts';
import { ReadConnection } from '../engine/connection.ts';
import { openPool } from '../engine/pool.ts';
import { sharedLimiter } from './shared-limiter.ts';

const BLOCK_MS = 300_000;

onlyOnPostgres.describe('the limiter that nodes share', () => {
  let subject: PostgresUnderTest;
  let on: ReadConnection;
  beforeAll(async () => {
    subject = await openPostgresUnderTest();
    on = new ReadConnection(openPool(subject.url, { max: 4, timeoutMs: 20_000 }), 20_000);
  });
  afterAll(async () => {
    await on.client.close();
    await subject.dispose();
  });
  const issueKey = async () => {
    const made = newKey((await insertHub(subject.store)).id);
    await insertKey(subject.store, made);
    return { id: made.key.id, tokenHash: made.tokenHash };
  };
  /** The limiters of two nodes, with one clock. */
  const setUp = async () => {
    const clock = new TestClock();
    const nodes = [1, 2].map(() => sharedLimiter(on, () => clock.now())) as [RequestLimiter, RequestLimiter];
    return { clock, nodes, key: await issueKey() };
  };

  test.each([1, 2])('admits the same requests as the one in memory, through any node (seed %d)', async (seed) => {
    const random = seeded(seed);
    const { clock, nodes, key } = await setUp();
    const local = new KeyLimiter(clock);
    for (let step = 0; step < 250; step += 1) {
      const node = pick(random, nodes);
      expect([step, await node.admit(key.id)]).toEqual([step, local.admit(key.id)]);
      clock.advance(Math.floor(random() * random() * (step % 100 === 99 ? BLOCK_MS : 3_000)));
    }
  });

  test('admits exactly 60 of many requests at the same moment, and reports one new block', async () => {
    const key = await issueKey();
    const nodes = [1, 2, 3].map(() => sharedLimiter(on));
    const admissions = await Promise.all(Array.from({ length: 150 }, (_, index) => nodes[index % 3]?.admit(key.id)));
    expect(admissions.filter((each) => each?.admitted)).toHaveLength(60);
    expect(admissions.filter((each) => each?.admitted === false && each.newlyBlocked)).toHaveLength(1);
  });

  test('a block has the same end if the clock is set back', async () => {
    const { clock, nodes, key } = await setUp();
    for (let count = 0; count <= 60; count += 1) await nodes[0].admit(key.id);
    clock.advance(100_000);
    expect(await nodes[1].admit(key.id)).toMatchObject({ admitted: false, retryAfterSeconds: 200 });
    clock.setWall(clock.now() - 3_600_000);
    expect(await nodes[0].admit(key.id)).toMatchObject({ admitted: false, retryAfterSeconds: 200 });
    clock.advance(200_000);
    expect(await nodes[0].admit(key.id)).toMatchObject({ admitted: true, left: 59 });
  });

  test('a saved block survives a crash of the database, which may lose the window', async () => {
    const { clock, nodes, key } = await setUp();
    const until = clock.now() + BLOCK_MS;
    const time = { at: clock.now(), sinceBoot: null };
    await subject.store.transaction(({ keys }) => keys.saveBlock({ keyId: key.id, until }, time));
    expect(await nodes[0].admit(key.id)).toEqual({ admitted: false, newlyBlocked: false, retryAfterSeconds: 300 });
  });

  test('finds a key and counts the request in one step, unless the key is not valid', async () => {
    const { nodes, key } = await setUp();
    const request = { findByTokenHash: subject.store.keys.findByTokenHash, isValid: () => true };
    const found = await nodes[0].countRequest(key.tokenHash, request);
    expect(found?.key).toEqual(
      (await subject.store.keys.findByTokenHash(key.tokenHash)) as NonNullable<typeof found>['key'],
    );
    expect(found?.admission).toMatchObject({ admitted: true, left: 59 });
    expect(await nodes[0].countRequest(new Uint8Array(32), request)).toBeNull();
    await updateKey(subject.store, key.id, { revokedAt: 1 });
    expect((await nodes[1].countRequest(key.tokenHash, request))?.admission).toBeNull();
    expect(await nodes[1].admit(key.id)).toMatchObject({ left: 58 });
  });
});
