import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Invitation, IssuedInvitation, IssuedLink } from '@hub/contract';
import { errorOf, type RunOptions, runHubctl } from '@hub/testkit/cli/run-hubctl';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { createUser, newTokenOf, signIn } from '@hub/testkit/in-process/users';

describe('users', () => {
  let hub: TestHub;
  beforeAll(async () => {
    hub = await startTestHub();
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  const hubctl = (argv: string[], options: RunOptions = {}) =>
    runHubctl(argv, { now: hub.clock.now(), ...options, env: { HUB_ADMIN_SOCKET: hub.socketPath, ...options.env } });

  let last = 0;
  /** Creates a user with a unique name and address. */
  async function newUser(name = `User ${++last}`) {
    return await createUser(hub, { name });
  }

  /** Redeems a link as the web app does. */
  async function redeem(link: string, body: object): Promise<Response> {
    const token = new URL(link).hash.slice(1);
    return await hub.fetch('/api/v1/links/redemption', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, ...body }),
    });
  }

  describe('users create', () => {
    test('creates a user who can sign in, and prints the user as JSON without the password', async () => {
      const argv = ['users', 'create', '--email', 'Grace@Example.org', '--name', 'Grace', '--role', 'admin'];
      const ran = await hubctl([...argv, '--password-stdin', '--json'], { stdin: 'a good password\n' });
      expect(ran.code).toBe(0);
      expect(ran.json()).toMatchObject({
        id: expect.stringMatching(/^usr_/),
        email: 'grace@example.org',
        role: 'admin',
      });
      expect(ran.stdout + ran.stderr).not.toContain('a good password');
      await signIn(hub, { id: '', name: '', email: 'grace@example.org', password: 'a good password' });
    });

    test('prompts for everything at a terminal, and repeats the password prompts until both entries match', async () => {
      const responses = [
        'asked@example.org',
        'Asked',
        'admin',
        'short',
        'the password',
        'another one',
        'the password',
        'the password',
      ];
      const ran = await hubctl(['users', 'create'], { responses });
      expect(ran.code).toBe(0);
      expect(ran.asked.map((question) => question.split(/[:?(]/)[0]?.trim())).toEqual([
        'E-mail address',
        'Name',
        'Which role',
        'Password',
        'Password',
        'Repeat password',
        'Password',
        'Repeat password',
      ]);
      await signIn(hub, { id: '', name: '', email: 'asked@example.org', password: 'the password' });
    });
  });

  describe('a user reference', () => {
    test('is an ID, an e-mail address in any case, or a unique name', async () => {
      const user = await newUser('Named Alone');
      for (const reference of [user.id, user.email, user.email.toUpperCase(), 'Named Alone']) {
        expect((await hubctl(['users', 'show', reference, '--json'])).json()).toMatchObject({ id: user.id });
      }
    });

    test('exits with 1 and suggests a similar user if there is no such user', async () => {
      const user = await newUser('Barbara Liskov');
      for (const near of ['barbara liskov', 'liskov', user.email.split('@')[0] ?? '?']) {
        const ran = await hubctl(['users', 'disable', near, '--yes']);
        expect(ran.code).toBe(1);
        expect(ran.stderr).toContain(`Did you mean Barbara Liskov (${user.email})?`);
      }
      expect((await hubctl(['users', 'show', 'nobody'])).stderr).toContain('hubctl users list');
      expect((await hubctl(['users', 'show', 'usr_01KA3T8Q6V5M0G7ZB4W2N9RXEC'])).code).toBe(1);
    });
  });

  describe('users invite', () => {
    test('prints only a link, which creates an account and adds it to the given Hubs', async () => {
      const made = await hub.admin.createHub('Invited into');
      const argv = ['users', 'invite', '--email', 'new@example.com', '--role', 'admin', '--hub', 'Invited into'];
      const ran = await hubctl(argv);
      expect(ran.stdout).toMatch(/^http:\S+\/join#hub_lnk_\w+\n$/);
      expect(ran.stderr).toContain('Invited new@example.com as admin to Invited into');
      const response = await redeem(ran.stdout.trim(), { name: 'New', password: 'a good password' });
      expect(response.status).toBe(201);
      expect(await response.json()).toMatchObject({ email: 'new@example.com', role: 'admin' });
      const members = (await hub.admin.raw('GET', `/hubs/${made.id}/members`)).json();
      expect(await members).toMatchObject({ items: [{ email: 'new@example.com' }] });
    });

    test('prints the invitation with its link as JSON, but lists invitations without links', async () => {
      const ran = await hubctl(['users', 'invite', '--email', 'listed@example.com', '--json']);
      const invited = ran.json<IssuedInvitation>();
      expect(invited).toMatchObject({ email: 'listed@example.com', role: 'member', hubIds: [] });
      const list = await hubctl(['users', 'invitations', '--json']);
      expect(list.json<{ items: Invitation[] }>().items).toContainEqual(expect.objectContaining({ id: invited.id }));
      expect(list.stdout).not.toContain('hub_lnk_');
    });

    test('prompts at a terminal for the address, the role and optional Hubs', async () => {
      await hub.admin.createHub('Chosen');
      const responses = ['chosen@example.com', 'admin', ['Chosen']];
      const ran = await hubctl(['users', 'invite'], { responses });
      expect(ran.asked).toEqual(['E-mail address:', 'Which role?', 'Add them to which Hubs? (optional)']);
      expect(ran.stderr).toContain('Invited chosen@example.com as admin to Chosen.');
      const given = ['users', 'invite', '--role', 'member', '--hub', 'Chosen'];
      expect((await hubctl(given, { responses: ['half@example.com'] })).asked).toEqual(['E-mail address:']);
      const nowhere = await hubctl(['users', 'invite'], { responses: ['nowhere@example.com', 'member', []] });
      expect(nowhere.stderr).toContain('Invited nowhere@example.com as member.');
    });
  });

  describe('users role, disable, enable and reset-password', () => {
    test('sign-out ends the sessions and tokens of a user, who stays enabled', async () => {
      const user = await newUser();
      const [session, token] = [await signIn(hub, user), await newTokenOf(hub, user)];
      const asked = await hubctl(['users', 'sign-out', user.email], { responses: [true] });
      expect(asked.stdout).toContain(`Signed out ${user.name} (${user.email}) everywhere ${user.id}`);
      expect(asked.asked).toEqual([
        `Sign out ${user.name} (${user.email})? All their sessions end and their tokens are revoked immediately.`,
      ]);
      const byToken = { headers: { authorization: `Bearer ${token}` } };
      expect((await session.fetch('/api/v1/me')).status).toBe(401);
      expect((await hub.fetch('/api/v1/me', byToken)).status).toBe(401);
      await signIn(hub, user);
    });

    test('reset-password prints a link that lets the user choose a new password', async () => {
      const user = await newUser();
      const ran = await hubctl(['users', 'reset-password', user.email]);
      expect(ran.stdout).toMatch(/^http:\S+\/reset#hub_lnk_\w+\n$/);
      expect((await redeem(ran.stdout.trim(), { password: 'quite another one' })).status).toBe(201);
      await signIn(hub, { ...user, password: 'quite another one' });
      const json = (await hubctl(['users', 'reset-password', user.email, '--json'])).json<IssuedLink>();
      expect(json).toMatchObject({ link: expect.any(String), expiresAt: expect.any(String) });
    });
  });
});

test('setup-link prints a link for the first owner, and exits with 1 once there is an owner', async () => {
  await using fresh = await startTestHub();
  const env = { HUB_ADMIN_SOCKET: fresh.socketPath };
  const ran = await runHubctl(['setup-link'], { env });
  expect(ran.stdout).toMatch(/^http:\S+\/setup#hub_lnk_\w+\n$/);
  const token = new URL(ran.stdout.trim()).hash.slice(1);
  const body = { token, email: 'o@example.org', name: 'Olga', password: 'a good password' };
  const headers = { 'content-type': 'application/json' };
  const response = await fresh.fetch('/api/v1/links/redemption', {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect(await response.json()).toMatchObject({ role: 'owner' });
  const rejected = await runHubctl(['setup-link', '--json'], { env });
  expect(errorOf(rejected)).toMatchObject({
    code: 'conflict',
    exitCode: 1,
    // Each command has its own line, so that no terminal wraps it.
    hint: expect.stringContaining('\n  hubctl users reset-password OWNER\n'),
  });
});
