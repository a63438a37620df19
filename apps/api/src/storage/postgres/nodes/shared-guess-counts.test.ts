import { afterAll, beforeAll, expect, test } from 'bun:test';
import { openPostgresUnderTest, type PostgresUnderTest } from '@hub/testkit/in-process/postgres-under-test';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { onlyOnPostgres } from '@hub/testkit/in-process/test-storage';
import { AppError } from '../../../platform/errors.ts';
import { PasswordGuesses } from '../../../workspace/users/check-password.ts';
import { ReadConnection } from '../engine/connection.ts';
import { openPool } from '../engine/pool.ts';
import { sharedGuessCounts } from './shared-guess-counts.ts';

onlyOnPostgres.describe('password attempts through two nodes', () => {
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

  test('are forgotten after an hour, so that the table does not grow', async () => {
    const { clock, guess } = setUp('eve');
    await guess();
    clock.advance(3 * 3_600_000);
    await setUp('mallory').guess();
    const other = new PasswordGuesses(sharedGuessCounts(on, () => clock.now()));
    await other.begin({ source: 'x', address: 'x', account: 'x', isSlowed: false, isKnown: false });
    const names = await subject.database`SELECT name FROM password_guesses WHERE name LIKE '% eve' OR name LIKE '% x'`;
    expect(names.map(({ name }: { name: string }) => name).sort()).toEqual(['account x', 'address x', 'pair x x']);
  });
});
