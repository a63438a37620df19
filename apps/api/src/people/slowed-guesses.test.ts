import { describe, expect, test } from 'bun:test';
import { letSlowedPass } from '../testing/let-slowed-pass.ts';
import { createPerson, signIn, type TestPerson, trySignIn } from '../testing/people.ts';
import { startTestHub, type TestHub } from '../testing/start-test-hub.ts';

const guess = (hub: TestHub, { email }: { email: string }) => trySignIn(hub, { email, password: 'a wrong guess' });

/** Eleven failures: ten are free. */
async function guessOften(hub: TestHub, person: { email: string }, from: (round: number) => string): Promise<void> {
  for (let round = 0; round < 11; round += 1) {
    hub.comeFrom(from(round));
    await letSlowedPass(hub.clock, guess(hub, person));
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
    for (const person of [await createPerson(hub), { email: 'none@example.org' }]) {
      await guessOften(hub, person, (round) => `10.0.${round}.1`);
      hub.comeFrom('10.1.0.1');
      expect(await isSlowed(hub, () => guess(hub, { email: person.email.toUpperCase() }))).toBe(true);
      expect(await isSlowed(hub, () => guess(hub, { email: 'untouched@example.org' }))).toBe(false);
    }
  });

  test('and a right password is never: not from that address, not at that account', async () => {
    await using hub = await startTestHub();
    const person = await createPerson(hub);
    await guessOften(hub, person, () => '10.0.0.1');
    const before = hub.clock.now();
    expect((await trySignIn(hub, person)).status).toBe(201);
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
    const person = await createPerson(hub);
    const session = await signIn(hub, person);
    await guessOften(hub, person, (round) => `10.0.${round}.1`);
    hub.comeFrom('10.1.0.1');
    const before = hub.clock.now();
    const body = { currentPassword: 'a wrong guess', newPassword: 'something new' };
    const { status } = await letSlowedPass(hub.clock, session.json('PUT', '/me/password', body));
    expect(status).toBe(400);
    expect(hub.clock.now()).toBeGreaterThan(before);
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
    const person: TestPerson = await createPerson(hub);
    hub.comeFrom('10.0.0.1');
    const flood = Array.from({ length: 90 }, () => guess(hub, person));
    const told = await Promise.any(flood.map((each) => each.then((answer) => answer)));
    expect(told.status).toBe(503);
    expect(told.headers.get('retry-after')).toBe('3');
    expect(told.body.message).toBe('Too many passwords are being checked at the moment. Try again in a few seconds.');

    hub.comeFrom('10.0.0.2');
    const other = trySignIn(hub, person);
    while (hub.deps.passwords.waiting < 64) await new Promise(setImmediate);
    gate.resolve();
    expect((await letSlowedPass(hub.clock, other)).status).toBe(201);
    const statuses = (await letSlowedPass(hub.clock, Promise.all(flood))).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401, 503]));
    expect(most).toBe(2);
  });
});
