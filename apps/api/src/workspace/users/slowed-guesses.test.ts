import { describe, expect, test } from 'bun:test';
import { outcomeOf } from '@hub/testkit/admin';
import { perTest } from '@hub/testkit/in-process/shared';
import { settleDelayed, TestClock } from '@hub/testkit/in-process/test-clock';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { createUser, signIn, trySignIn } from '@hub/testkit/in-process/users';
import { hashToken } from '../../access/credentials.ts';
import { AppError } from '../../platform/errors.ts';
import { LocalGuessCounts } from '../../platform/guess-counts.ts';

test('the counts of guesses take a bounded amount of memory: the oldest are forgotten first', async () => {
  const counts = new LocalGuessCounts(new TestClock());
  const failed = (name: string, more = 1) =>
    counts.change({ pair: name, address: 'one', account: name }, ({ account }) => {
      account.failed += more;
      return account.failed;
    });
  for (let n = 0; n <= 20_000; n += 1) await failed(`account ${n}`);
  const left = [await failed('account 0', 0), await failed('account 1', 0), await failed('account 20000', 0)];
  expect(left).toEqual([0, 1, 1]);
});

const hub = perTest(startTestHub);

type Account = { email: string };
const guess = (hub: TestHub, { email }: Account) => trySignIn(hub, { email, password: 'a wrong guess' });

/** Makes failed attempts, of which the first ten are not slowed, each from an address of its own. */
async function guessOften(user: Account, times = 11): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    hub.setClientAddress(`10.0.${n}.1`);
    expect((await settleDelayed(hub.clock, guess(hub, user))).status).toBe(401);
  }
}

/** Counts failed attempts without their requests, which take long, from one address or each from another. */
async function countFailures({ email }: Account, times: number, from?: string): Promise<void> {
  const account = Buffer.from(hashToken(email)).toString('hex');
  for (let n = 0; n < times; n += 1) {
    const address = from ?? `11.${n >> 8}.${n & 255}.1`;
    const attempt = { source: address, address, account, isKnown: false, isSlowed: false };
    const end = await hub.deps.passwordGuesses.begin(attempt);
    if (!(end instanceof AppError)) await end(true);
  }
}

/** Sends a request that returns 401. Returns whether the response was delayed. */
async function isSlowed(ask: () => Promise<{ status: number }>): Promise<boolean> {
  const before = hub.clock.now();
  const { status } = await settleDelayed(hub.clock, ask());
  expect(status).toBe(401);
  return hub.clock.now() > before;
}

test('failed password attempts are slowed for one account, across all addresses, whether or not the account exists', async () => {
  for (const user of [await createUser(hub), { email: 'none@example.org' }]) {
    await guessOften(user);
    hub.setClientAddress('10.1.0.1');
    expect(await isSlowed(() => guess(hub, { email: user.email.toUpperCase() }))).toBe(true);
    expect(await isSlowed(() => guess(hub, { email: 'untouched@example.org' }))).toBe(false);
  }
});

test('requests without a credential, such as opening the sign-in page, neither count nor are slowed', async () => {
  for (let round = 0; round < 12; round += 1) {
    expect(await isSlowed(() => hub.fetch('/api/v1/me'))).toBe(false);
  }
  expect(await isSlowed(() => guess(hub, { email: 'none@example.org' }))).toBe(false);
  for (let round = 0; round < 9; round += 1) await guess(hub, { email: `none-${round}@example.org` });
  const headers = { authorization: `Bearer hub_pat_${'x'.repeat(40)}` };
  expect(await isSlowed(() => hub.fetch('/api/v1/me', { headers }))).toBe(true);
  expect(await isSlowed(() => hub.fetch('/api/v1/me'))).toBe(false);
});

/** A hasher that verifies no password before `gate` is open. */
function heldPasswords() {
  const { promise, resolve: open } = Promise.withResolvers<void>();
  const state = { running: 0, most: 0 };
  const passwords = {
    hash: async (password: string) => `hash of ${password}`,
    verify: async (password: string, hash: string) => {
      state.running += 1;
      state.most = Math.max(state.most, state.running);
      await promise;
      state.running -= 1;
      return hash === `hash of ${password}`;
    },
  };
  return { passwords, state, open };
}

describe('password attempts are limited before the password is verified', () => {
  const countOf = (statuses: readonly number[], status: number) => statuses.filter((each) => each === status).length;
  const statusFrom = async (address: string, user: Parameters<typeof trySignIn>[1]) => {
    hub.setClientAddress(address);
    return (await trySignIn(hub, user)).status;
  };

  test('of 60 concurrent attempts for one account from one address, ten are verified and the others get 429', async () => {
    const { passwords, open } = heldPasswords();
    await using hub = await startTestHub({ passwords });
    const user = await createUser(hub);
    let rejected = 0;
    const attempts = Array.from({ length: 60 }, async () => {
      const { status } = await guess(hub, user);
      if (status === 429) rejected += 1;
      if (rejected === 50) open();
      return status;
    });
    const statuses = await Promise.all(attempts);
    expect([countOf(statuses, 401), countOf(statuses, 429)]).toEqual([10, 50]);
  });

  test('once attempts are slowed, a concurrent attempt for the same account gets 429 and is not verified', async () => {
    const user = await createUser(hub);
    await guessOften(user);
    const slowed = guess(hub, user);
    await hub.clock.untilSleeping();
    const second = await trySignIn(hub, user);
    expect([outcomeOf(second), second.headers.get('retry-after')]).toEqual([
      ...['429 Another password for this account is being checked. Try again in 3 seconds.', '3'],
    ]);
    expect((await settleDelayed(hub.clock, slowed)).status).toBe(401);
    expect((await trySignIn(hub, user)).status).toBe(201);
  });

  test('after 20 failures in an hour from one address for one account, even the correct password gets 429 with the time left', async () => {
    const user = await createUser(hub);
    await countFailures(user, 20, '192.0.2.1');
    hub.clock.advance(600_500);
    const rejected = await trySignIn(hub, user);
    expect([outcomeOf(rejected), rejected.headers.get('retry-after')]).toEqual([
      ...['429 Too many failed attempts in the last hour. Try again in 50 minutes.', '3000'],
    ]);
    hub.clock.advance(2_999_499);
    expect((await trySignIn(hub, user)).status).toBe(429);
    hub.clock.advance(1);
    expect((await trySignIn(hub, user)).status).toBe(201);
  });

  test('after 100 failures in an hour from one address, only users who are signed in from there can sign in', async () => {
    const [known, unknown] = [await createUser(hub), await createUser(hub)];
    await signIn(hub, known);
    for (let n = 0; n < 99; n += 1) await countFailures({ email: `none-${n}@example.org` }, 1, '192.0.2.1');
    const last = { email: 'none@example.org', password: 'a wrong guess' };
    expect([await statusFrom('192.0.2.1', last), await statusFrom('192.0.2.1', last)]).toEqual([401, 429]);
    expect([await statusFrom('192.0.2.1', unknown), await statusFrom('192.0.2.1', known)]).toEqual([429, 201]);
    expect(await statusFrom('198.51.100.7', unknown)).toBe(201);
  });

  test('after 100 failures in an hour for one account, each address gets three attempts; after 1,000, its user can sign in only from networks where they are signed in', async () => {
    const user = await createUser(hub);
    hub.setClientAddress('2001:db8:1:2::7');
    await signIn(hub, user);
    await countFailures(user, 100);
    const wrong = { ...user, password: 'a wrong guess' };
    const statuses = [];
    for (let n = 0; n < 4; n += 1) statuses.push(await statusFrom('192.0.2.77', wrong));
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect(await statusFrom('198.51.100.7', user)).toBe(201);
    await countFailures(user, 897);
    expect([await statusFrom('198.51.100.8', user), await statusFrom('2001:db8:1:2::8', user)]).toEqual([429, 201]);
  });

  test('when changing the password: a session is slowed, and allowed 20 failures an hour, across all addresses', async () => {
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
    expect(await statusFrom('198.51.100.7', user)).toBe(201);
  });
});

test('two passwords are verified at a time, one for each network, and the last of the longest queue gets 503 when too many wait', async () => {
  const { passwords, state, open } = heldPasswords();
  await using hub = await startTestHub({ passwords });
  const user = await createUser(hub);
  hub.setClientAddress('10.0.0.1');
  const flood = Array.from({ length: 90 }, (_, n) => guess(hub, { email: `none-${n}@example.org` }));
  const rejected = await Promise.any(flood);
  expect([outcomeOf(rejected), rejected.headers.get('retry-after')]).toEqual([
    ...['503 The server is busy checking passwords. Try again in a few seconds.', '3'],
  ]);

  hub.setClientAddress('10.0.0.2');
  const other = trySignIn(hub, user);
  while (state.running < 2) await new Promise(setImmediate);
  open();
  expect((await settleDelayed(hub.clock, other)).status).toBe(201);
  const statuses = (await settleDelayed(hub.clock, Promise.all(flood))).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([401, 503]));
  expect(state.most).toBe(2);
});
