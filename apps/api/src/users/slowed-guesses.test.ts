import { describe, expect, test } from 'bun:test';
import { letSlowedPass } from '../testing/let-slowed-pass.ts';
import { startTestHub, type TestHub } from '../testing/start-test-hub.ts';
import { createUser, signIn, type TestUser, trySignIn } from '../testing/users.ts';

const guess = (hub: TestHub, { email }: { email: string }) => trySignIn(hub, { email, password: 'a wrong guess' });

/** Eleven failures: ten are free. */
async function guessOften(hub: TestHub, user: { email: string }, from: (round: number) => string): Promise<void> {
  for (let round = 0; round < 11; round += 1) {
    hub.comeFrom(from(round));
    await letSlowedPass(hub.clock, guess(hub, user));
  }
}

/** Whether the answer is held back, until the clock moves. */
async function isSlowed(hub: TestHub, ask: () => Promise<{ status: number }>): Promise<boolean> {
  const before = hub.clock.now();
  const { status } = await letSlowedPass(hub.clock, ask());
  expect(status).toBe(401);
  return hub.clock.now() > before;
}

describe('guessing a password is slowed', () => {
  test('from one address, whatever accounts are tried', async () => {
    await using hub = await startTestHub();
    for (let round = 0; round < 10; round += 1) {
      expect(await isSlowed(hub, () => guess(hub, { email: `none-${round}@example.org` }))).toBe(false);
    }
    expect(await isSlowed(hub, () => guess(hub, { email: 'another@example.org' }))).toBe(true);
    hub.comeFrom('198.51.100.1');
    expect(await isSlowed(hub, () => guess(hub, { email: 'one-more@example.org' }))).toBe(false);
  });

  test('at one account, whatever addresses the guesses come from, and whether or not there is such an account', async () => {
    await using hub = await startTestHub();
    for (const user of [await createUser(hub), { email: 'none@example.org' }]) {
      await guessOften(hub, user, (round) => `10.0.${round}.1`);
      hub.comeFrom('10.1.0.1');
      expect(await isSlowed(hub, () => guess(hub, { email: user.email.toUpperCase() }))).toBe(true);
      expect(await isSlowed(hub, () => guess(hub, { email: 'untouched@example.org' }))).toBe(false);
    }
  });

  test('and a right password is never: not from that address, not at that account', async () => {
    await using hub = await startTestHub();
    const user = await createUser(hub);
    await guessOften(hub, user, () => '10.0.0.1');
    const before = hub.clock.now();
    expect((await trySignIn(hub, user)).status).toBe(201);
    expect(hub.clock.now()).toBe(before);
  });

  test('and who shows nothing has guessed nothing: a browser that opens the way in is not held up, and holds nobody up', async () => {
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

  test('also where the present password is asked for a new one', async () => {
    await using hub = await startTestHub();
    const user = await createUser(hub);
    const session = await signIn(hub, user);
    await guessOften(hub, user, (round) => `10.0.${round}.1`);
    hub.comeFrom('10.1.0.1');
    const before = hub.clock.now();
    const body = { currentPassword: 'a wrong guess', newPassword: 'something new' };
    const { status } = await letSlowedPass(hub.clock, session.json('PUT', '/me/password', body));
    expect(status).toBe(400);
    expect(hub.clock.now()).toBeGreaterThan(before);
  });
});

describe('guesses are admitted before their password is looked at', () => {
  /** Sends all of them at the same time, and says how each ended. */
  async function guessTogether(hub: TestHub, emails: readonly string[]): Promise<number[]> {
    const responses = Promise.all(emails.map((email) => guess(hub, { email })));
    return (await letSlowedPass(hub.clock, responses)).map(({ status }) => status);
  }
  const countOf = (statuses: readonly number[], status: number) => statuses.filter((each) => each === status).length;

  test('of 60 at once at one account from one address, ten are looked at; the others get 429 with Retry-After', async () => {
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

  test('once a delay is owed, an attempt waits alone: another one at the same account meanwhile is 429 and not looked at', async () => {
    await using hub = await startTestHub();
    const user = await createUser(hub);
    await guessOften(hub, user, () => '10.0.0.1');
    const slowed = guess(hub, user);
    await hub.clock.slept(2);
    const second = await trySignIn(hub, user);
    expect(second.status).toBe(429);
    expect(second.headers.get('retry-after')).toBe('3');
    expect(second.body).toEqual({
      statusCode: 429,
      message: 'Another password for this account is being checked. Try again in 3 seconds.',
      timestamp: expect.any(String) as unknown as string,
      path: '/api/v1/session',
    });
    expect((await letSlowedPass(hub.clock, slowed)).status).toBe(401);
    expect((await trySignIn(hub, user)).status).toBe(201);
  });

  test('20 wrong ones an hour from one address at one account: then 429 with the time left, for the right password too', async () => {
    await using hub = await startTestHub();
    const user = await createUser(hub);
    for (let round = 0; round < 20; round += 1) {
      expect((await letSlowedPass(hub.clock, guess(hub, user))).status).toBe(401);
    }
    const rejected = await trySignIn(hub, user);
    expect(rejected.status).toBe(429);
    const seconds = Number(rejected.headers.get('retry-after'));
    expect(rejected.body.message).toBe(
      `Too many wrong passwords were tried from here within an hour. Try again in ${Math.ceil(seconds / 60)} minutes.`,
    );
    hub.clock.advance(seconds * 1000 - 1);
    expect((await trySignIn(hub, user)).status).toBe(429);
    hub.clock.advance(1);
    expect((await trySignIn(hub, user)).status).toBe(201);
  });

  test('100 wrong ones an hour from one address at whatever accounts, and it still lets in who is signed in from there', async () => {
    await using hub = await startTestHub();
    const [known, unknown] = [await createUser(hub), await createUser(hub)];
    await signIn(hub, known);
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1) {
      statuses.push(
        ...(await guessTogether(
          hub,
          Array.from({ length: 10 }, (_, i) => `none-${n}-${i}@example.org`),
        )),
      );
    }
    expect([countOf(statuses, 401), countOf(statuses, 429)]).toEqual([100, 10]);
    expect((await trySignIn(hub, unknown)).status).toBe(429);
    expect((await trySignIn(hub, known)).status).toBe(201);
    hub.comeFrom('198.51.100.7');
    expect((await trySignIn(hub, unknown)).status).toBe(201);
  });

  test('100 wrong ones an hour at one account leave three to each address, so that its owner still gets in from any', async () => {
    await using hub = await startTestHub();
    const user = await createUser(hub);
    for (let n = 0; n < 100; n += 1) {
      hub.comeFrom(`10.0.${n >> 4}.1`);
      await letSlowedPass(hub.clock, guess(hub, user));
    }
    const responses: number[] = [];
    hub.comeFrom('10.1.0.1');
    for (let n = 0; n < 4; n += 1) responses.push((await letSlowedPass(hub.clock, guess(hub, user))).status);
    expect(responses).toEqual([401, 401, 401, 429]);
    hub.comeFrom('198.51.100.7');
    expect((await trySignIn(hub, user)).status).toBe(201);
  });

  test('1,000 wrong ones an hour at one account leave it to those addresses from which its owner is signed in', async () => {
    await using hub = await startTestHub();
    const user = await createUser(hub);
    hub.comeFrom('2001:db8:1:2::7');
    await signIn(hub, user);
    for (let n = 0; n < 1_000; n += 1) {
      hub.comeFrom(`10.${n >> 8}.${n & 255}.1`);
      await letSlowedPass(hub.clock, guess(hub, user));
    }
    hub.comeFrom('198.51.100.7');
    expect((await trySignIn(hub, user)).status).toBe(429);
    hub.comeFrom('2001:db8:1:2::8');
    expect((await trySignIn(hub, user)).status).toBe(201);
  });

  test('and where the present password is asked for in a session, 20 an hour, whatever addresses it comes from', async () => {
    await using hub = await startTestHub();
    const user = await createUser(hub);
    const session = await signIn(hub, user);
    const body = { currentPassword: 'a wrong guess', newPassword: 'something new' };
    const statuses: number[] = [];
    for (let n = 0; n < 21; n += 1) {
      hub.comeFrom(`10.0.${n}.1`);
      statuses.push((await letSlowedPass(hub.clock, session.json('PUT', '/me/password', body))).status);
    }
    expect([countOf(statuses, 400), statuses[20]]).toEqual([20, 429]);
    hub.comeFrom('198.51.100.7');
    expect((await trySignIn(hub, user)).status).toBe(201);
  });
});

describe('hashing takes a core, so that', () => {
  test('two passwords are looked at at a time, and with too many waiting the last of the longest line is told to come again', async () => {
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
    hub.comeFrom('10.0.0.1');
    const flood = Array.from({ length: 90 }, (_, n) => guess(hub, { email: `none-${n}@example.org` }));
    const notified = await Promise.any(flood.map((each) => each.then((response) => response)));
    expect(notified.status).toBe(503);
    expect(notified.headers.get('retry-after')).toBe('3');
    expect(notified.body.message).toBe(
      'Too many passwords are being checked at the moment. Try again in a few seconds.',
    );

    hub.comeFrom('10.0.0.2');
    const other = trySignIn(hub, user);
    while (hub.deps.passwords.waiting < 64) await new Promise(setImmediate);
    gate.resolve();
    expect((await letSlowedPass(hub.clock, other)).status).toBe(201);
    const statuses = (await letSlowedPass(hub.clock, Promise.all(flood))).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401, 503]));
    expect(most).toBe(2);
  });
});
