import { describe, expect, test } from 'bun:test';
import { settleDelayed, TestClock } from '@hub/testkit/in-process/test-clock';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { createUser, outcomeOf, signIn, type TestUser, trySignIn } from '@hub/testkit/in-process/users';
import { LocalGuessCounts } from '../../platform/guess-counts.ts';

test('the counts of guesses take a bounded amount of memory: the oldest are forgotten first', async () => {
  const counts = new LocalGuessCounts(new TestClock());
  const failed = (name: string, more = 1) =>
    counts.change({ pair: name, address: 'one', account: name }, ({ account }) => {
      account.failed += more;
      return account.failed;
    });
  for (let n = 0; n <= 20_000; n += 1) await failed(`account ${n}`);
  expect([await failed('account 0', 0), await failed('account 1', 0), await failed('account 20000', 0)]).toEqual([
    0, 1, 1,
  ]);
});

const guess = (hub: TestHub, { email }: { email: string }) => trySignIn(hub, { email, password: 'a wrong guess' });

/** Makes failed attempts, of which the first ten are not slowed, each from an address of its own or all from one. */
async function guessOften(hub: TestHub, user: { email: string }, { times = 11, from = '' } = {}): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    hub.setClientAddress(from || `10.${n >> 8}.${n & 255}.1`);
    expect((await settleDelayed(hub.clock, guess(hub, user))).status).toBe(401);
  }
}

/** Sends a request that returns 401. Returns whether the response was delayed. */
async function isSlowed(hub: TestHub, ask: () => Promise<{ status: number }>): Promise<boolean> {
  const before = hub.clock.now();
  const { status } = await settleDelayed(hub.clock, ask());
  expect(status).toBe(401);
  return hub.clock.now() > before;
}

describe('failed password attempts are slowed', () => {
  test('for one account, across all addresses, whether or not the account exists', async () => {
    await using hub = await startTestHub();
    for (const user of [await createUser(hub), { email: 'none@example.org' }]) {
      await guessOften(hub, user);
      hub.setClientAddress('10.1.0.1');
      expect(await isSlowed(hub, () => guess(hub, { email: user.email.toUpperCase() }))).toBe(true);
      expect(await isSlowed(hub, () => guess(hub, { email: 'untouched@example.org' }))).toBe(false);
    }
  });

  test('but requests without a credential, such as opening the sign-in page, neither count nor are slowed', async () => {
    await using hub = await startTestHub();
    for (let round = 0; round < 12; round += 1) {
      expect(await isSlowed(hub, () => hub.fetch('/api/v1/me'))).toBe(false);
    }
    expect(await isSlowed(hub, () => guess(hub, { email: 'none@example.org' }))).toBe(false);
    for (let round = 0; round < 9; round += 1) await guess(hub, { email: `none-${round}@example.org` });
    const headers = { authorization: `Bearer hub_pat_${'x'.repeat(40)}` };
    expect(await isSlowed(hub, () => hub.fetch('/api/v1/me', { headers }))).toBe(true);
    expect(await isSlowed(hub, () => hub.fetch('/api/v1/me'))).toBe(false);
  });
});

describe('password attempts are limited before the password is verified', () => {
  const countOf = (statuses: readonly number[], status: number) => statuses.filter((each) => each === status).length;

  test('of 60 concurrent attempts for one account from one address, ten are verified and the others get 429', async () => {
    const allRejected = Promise.withResolvers<void>();
    const passwords = {
      hash: async (password: string) => `hash of ${password}`,
      verify: async () => {
        await allRejected.promise;
        return false;
      },
    };
    await using hub = await startTestHub({ passwords });
    const user = await createUser(hub);
    let rejected = 0;
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async () => {
        const { status } = await guess(hub, user);
        if (status === 429) rejected += 1;
        if (rejected === 50) allRejected.resolve();
        return status;
      }),
    );
    expect([countOf(statuses, 401), countOf(statuses, 429)]).toEqual([10, 50]);
  });

  test('once attempts are slowed, a concurrent attempt for the same account gets 429 and is not verified', async () => {
    await using hub = await startTestHub();
    const user = await createUser(hub);
    await guessOften(hub, user, { from: '10.0.0.1' });
    const slowed = guess(hub, user);
    await hub.clock.untilSleeping(2);
    const second = await trySignIn(hub, user);
    expect([outcomeOf(second), second.headers.get('retry-after')]).toEqual([
      ...['429 Another password for this account is being checked. Try again in 3 seconds.', '3'],
    ]);
    expect((await settleDelayed(hub.clock, slowed)).status).toBe(401);
    expect((await trySignIn(hub, user)).status).toBe(201);
  });

  test('after 20 failures in an hour from one address for one account, even the correct password gets 429 with the time left', async () => {
    await using hub = await startTestHub();
    const user = await createUser(hub);
    await guessOften(hub, user, { times: 20, from: '10.0.0.1' });
    const rejected = await trySignIn(hub, user);
    const seconds = Number(rejected.headers.get('retry-after'));
    expect(outcomeOf(rejected)).toBe(
      `429 Too many failed attempts in the last hour. Try again in ${Math.ceil(seconds / 60)} minutes.`,
    );
    hub.clock.advance(seconds * 1000 - 1);
    expect((await trySignIn(hub, user)).status).toBe(429);
    hub.clock.advance(1);
    expect((await trySignIn(hub, user)).status).toBe(201);
  });

  test('after 100 failures in an hour from one address, only users who are signed in from there can sign in', async () => {
    await using hub = await startTestHub();
    const [known, unknown] = [await createUser(hub), await createUser(hub)];
    await signIn(hub, known);
    const statuses: number[] = [];
    for (let n = 0; n < 8; n += 1) {
      const guesses = Array.from({ length: 15 }, (_, each) => guess(hub, { email: `none-${n}-${each}@example.org` }));
      statuses.push(...(await settleDelayed(hub.clock, Promise.all(guesses))).map(({ status }) => status));
    }
    expect([countOf(statuses, 401), countOf(statuses, 429)]).toEqual([100, 20]);
    expect((await trySignIn(hub, unknown)).status).toBe(429);
    expect((await trySignIn(hub, known)).status).toBe(201);
    hub.setClientAddress('198.51.100.7');
    expect((await trySignIn(hub, unknown)).status).toBe(201);
  });

  test('after 100 failures in an hour for one account, each address gets three attempts; after 1,000, its user can sign in only from networks where they are signed in', async () => {
    await using hub = await startTestHub();
    const user = await createUser(hub);
    hub.setClientAddress('2001:db8:1:2::7');
    await signIn(hub, user);
    await guessOften(hub, user, { times: 100 });
    const responses: number[] = [];
    hub.setClientAddress('192.0.2.77');
    for (let n = 0; n < 4; n += 1) responses.push((await settleDelayed(hub.clock, guess(hub, user))).status);
    expect(responses).toEqual([401, 401, 401, 429]);
    hub.setClientAddress('198.51.100.7');
    expect((await trySignIn(hub, user)).status).toBe(201);
    await guessOften(hub, user, { times: 897 });
    hub.setClientAddress('198.51.100.8');
    expect((await trySignIn(hub, user)).status).toBe(429);
    hub.setClientAddress('2001:db8:1:2::8');
    expect((await trySignIn(hub, user)).status).toBe(201);
  });

  test('when changing the password: a session is slowed, and allowed 20 failures an hour, across all addresses', async () => {
    await using hub = await startTestHub();
    const user = await createUser(hub);
    const session = await signIn(hub, user);
    const body = { currentPassword: 'a wrong guess', newPassword: 'something new' };
    const statuses: number[] = [];
    const before = hub.clock.now();
    for (let n = 0; n < 21; n += 1) {
      hub.setClientAddress(`10.0.${n}.1`);
      statuses.push((await settleDelayed(hub.clock, session.json('PUT', '/me/password', body))).status);
    }
    expect([countOf(statuses, 400), statuses[20]]).toEqual([20, 429]);
    expect(hub.clock.now()).toBeGreaterThan(before);
    hub.setClientAddress('198.51.100.7');
    expect((await trySignIn(hub, user)).status).toBe(201);
  });
});

test('two passwords are verified at a time, one for each network, and the last of the longest queue gets 503 when too many wait', async () => {
  const gate = Promise.withResolvers<void>();
  let [running, most] = [0, 0];
  const passwords = {
    hash: async (password: string) => `hash of ${password}`,
    verify: async (password: string, hash: string) => {
      running += 1;
      most = Math.max(most, running);
      await gate.promise;
      running -= 1;
      return hash === `hash of ${password}`;
    },
  };
  await using hub = await startTestHub({ passwords });
  const user: TestUser = await createUser(hub);
  hub.setClientAddress('10.0.0.1');
  const flood = Array.from({ length: 90 }, (_, n) => guess(hub, { email: `none-${n}@example.org` }));
  const rejected = await Promise.any(flood.map((each) => each.then((response) => response)));
  expect([outcomeOf(rejected), rejected.headers.get('retry-after')]).toEqual([
    ...['503 The server is busy checking passwords. Try again in a few seconds.', '3'],
  ]);

  hub.setClientAddress('10.0.0.2');
  const other = trySignIn(hub, user);
  while (running < 2) await new Promise(setImmediate);
  gate.resolve();
  expect((await settleDelayed(hub.clock, other)).status).toBe(201);
  const statuses = (await settleDelayed(hub.clock, Promise.all(flood))).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([401, 503]));
  expect(most).toBe(2);
});
