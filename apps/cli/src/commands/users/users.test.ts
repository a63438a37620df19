import { describe, expect, test } from 'bun:test';
import { addApp } from '@hub/testkit/in-process/factors';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { createUser, newTokenOf, redeem, signIn } from '@hub/testkit/in-process/users';
import { errorOf, type RunOptions, runHubctl } from '../../../test/run-hubctl.ts';

const hub = shared(startTestHub);

const hubctl = (argv: string[], options: RunOptions = {}) =>
  runHubctl(argv, { now: hub.clock.now(), ...options, env: { HUB_ADMIN_SOCKET: hub.socketPath, ...options.env } });
/** Returns the secret of a printed link. */
const tokenIn = ({ stdout }: { stdout: string }) => new URL(stdout.trim()).hash.slice(1);

describe('users create', () => {
  const password = 'a good password';

  test('creates a user who can sign in, and prints the user as JSON without the password', async () => {
    const argv = 'users create --email Grace@Example.org --name Grace --role admin --password-stdin --json';
    const ran = await hubctl(argv.split(' '), { stdin: `${password}\n` });
    const id = expect.stringMatching(/^usr_/);
    expect(ran.json()).toMatchObject({ id, email: 'grace@example.org', role: 'admin' });
    expect(ran.stdout + ran.stderr).not.toContain(password);
    await signIn(hub, { id: '', name: '', email: 'grace@example.org', password });
  });

  test('prompts for everything at a terminal, and repeats the password prompts until both entries match', async () => {
    const passwords = ['short', password, 'another one', password, password];
    const ran = await hubctl(['users', 'create'], { responses: ['asked@example.org', 'Asked', 'admin', ...passwords] });
    expect(ran.asked.map((question) => question.split(/[:?(]/)[0]?.trim())).toEqual([
      ...['E-mail address', 'Name', 'Which role'],
      ...['Password', 'Password', 'Repeat password', 'Password', 'Repeat password'],
    ]);
    await signIn(hub, { id: '', name: '', email: 'asked@example.org', password });
  });
});

test('a user is named by ID, e-mail address in any case, or unique name', async () => {
  const user = await createUser(hub, { name: 'Named Alone' });
  for (const reference of [user.id, user.email, user.email.toUpperCase(), 'Named Alone'])
    expect((await hubctl(['users', 'show', reference, '--json'])).json()).toMatchObject({ id: user.id });
  expect((await hubctl(['users', 'show', 'nobody'])).stderr).toContain('hubctl users list');
});

describe('users invite', () => {
  test('prints only a link, which creates an account and adds it to the given Hubs', async () => {
    const { id: hubId } = await hub.admin.createHub('Invited into');
    const argv = ['users', 'invite', '--email', 'new@example.com', '--role', 'admin', '--hub', 'Invited into'];
    const ran = await hubctl(argv);
    expect(ran.stdout).toMatch(/^http:\S+\/join#hub_lnk_\w+\n$/);
    expect(ran.stderr).toContain('Invited new@example.com as admin to Invited into');
    const list = await hubctl(['users', 'invitations', '--json']);
    expect(list.json()).toMatchObject({ items: [{ email: 'new@example.com', role: 'admin', hubIds: [hubId] }] });
    expect(list.stdout).not.toContain('hub_lnk_');
    const response = await redeem(hub, { token: tokenIn(ran), name: 'New', password: 'a good password' });
    expect(response).toMatchObject({ status: 201, body: { email: 'new@example.com', role: 'admin' } });
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

test('sign-out ends the sessions and tokens of a user, who stays enabled', async () => {
  const user = await createUser(hub);
  const [session, token] = [await signIn(hub, user), await newTokenOf(hub, user)];
  const named = `${user.name} (${user.email})`;
  const ran = await hubctl(['users', 'sign-out', user.email], { responses: [true] });
  expect(ran.stdout).toContain(`Signed out everywhere: ${named} ${user.id}`);
  const question = `Sign out ${named}? All their sessions end and their tokens are revoked immediately.`;
  expect(ran.asked).toEqual([question]);
  expect((await session.fetch('/api/v1/me')).status).toBe(401);
  const byToken = { headers: { authorization: `Bearer ${token}` } };
  expect((await hub.fetch('/api/v1/me', byToken)).status).toBe(401);
  await signIn(hub, user);
});

test('disable says first how many keys of the user keep working', async () => {
  const { id: hubId } = await hub.admin.createHub('Kept');
  const user = await createUser(hub, { role: 'admin', name: 'Issuer' });
  const session = await signIn(hub, user);
  for (const name of ['a', 'b', 'c']) {
    const { id } = await session.request('POST /keys', { body: { name, hubId, scopes: ['messages:create'] } });
    if (name === 'c') await hub.admin.revokeKey(id);
  }
  const ran = await hubctl(['users', 'disable', user.email], { responses: [false] });
  expect(ran.stderr).toStartWith('2 keys issued by Issuer: they keep working and are flagged.\n');
  expect((await hubctl(['users', 'disable', (await createUser(hub)).id, '--yes'])).stderr).not.toContain('key');
});

test('reset-factors lets the password alone sign in again', async () => {
  const user = await createUser(hub);
  await addApp(await signIn(hub, user), hub.clock.now());
  const ran = await hubctl(['users', 'reset-factors', user.email], { responses: [true] });
  expect(ran.stdout).toContain(`Removed the second factors of ${user.name}`);
  await signIn(hub, user);
});

test('reset-password prints a link that lets the user choose a new password', async () => {
  const user = await createUser(hub);
  const ran = await hubctl(['users', 'reset-password', user.email]);
  expect(ran.stdout).toMatch(/^http:\S+\/reset#hub_lnk_\w+\n$/);
  expect((await redeem(hub, { token: tokenIn(ran), password: 'quite another one' })).status).toBe(201);
  await signIn(hub, { ...user, password: 'quite another one' });
  const { json } = await hubctl(['users', 'reset-password', user.email, '--json']);
  expect(json()).toMatchObject({ link: expect.any(String), expiresAt: expect.any(String) });
});

test('setup-link prints a link for the first owner, and exits with 1 once there is an owner', async () => {
  const ran = await hubctl(['setup-link']);
  expect(ran.stdout).toMatch(/^http:\S+\/setup#hub_lnk_\w+\n$/);
  const olga = { email: 'o@example.org', name: 'Olga', password: 'a good password' };
  expect(await redeem(hub, { token: tokenIn(ran), ...olga })).toMatchObject({ body: { role: 'owner' } });
  // Each command has its own line, so that no terminal wraps it.
  const hint = expect.stringContaining('\n  hubctl users reset-password OWNER\n');
  expect(errorOf(await hubctl(['setup-link', '--json']))).toMatchObject({ code: 'conflict', exitCode: 1, hint });
});
