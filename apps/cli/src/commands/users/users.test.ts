import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Invitation, IssuedInvitation, IssuedLink, User } from '@hub/contract';
import { temporaryHome } from '../../testing/files.ts';
import { createUser, newTokenOf, signIn, startTestHub, type TestHub } from '../../testing/hub.ts';
import { errorOf, type RunOptions, runHubctl } from '../../testing/run-hubctl.ts';
import { startScriptedServer } from '../../testing/scripted-server.ts';

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
    expect(ran.json()).toMatchObject({ id: expect.stringMatching(/^usr_/), email: 'grace@example.org', role: 'admin' });
    expect(ran.stdout + ran.stderr).not.toContain('a good password');
    await signIn(hub, { id: '', name: '', email: 'grace@example.org', password: 'a good password' });
  });

  test('creates a member by default, and prints the next step', async () => {
    const argv = ['users', 'create', '--email', 'm@example.org', '--name', 'Mel', '--password-stdin'];
    const ran = await hubctl(argv, { stdin: 'a good password' });
    expect(ran.stdout).toMatch(/^Created member Mel \(m@example\.org\) usr_\w{26}\n$/);
    expect(ran.stderr).toContain('hubctl hubs members add HUB m@example.org');
  });

  test('exits with 1 and the reason if the name looks like that of another user', async () => {
    await newUser('Looks Alike');
    const argv = ['users', 'create', '--email', 'l@example.org', '--name', 'Lооks Alike', '--password-stdin'];
    const ran = await hubctl(argv, { stdin: 'a good password' });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('The name “Lооks Alike” is too similar to “Looks Alike”. Choose another one');
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

  test('prompts at a terminal only for missing options', async () => {
    const argv = ['users', 'create', '--email', 'only@example.org', '--name', 'Only'];
    const ran = await hubctl(argv, { responses: ['the password', 'the password'] });
    expect(ran.asked).toHaveLength(2);
    expect(ran.stdout).toContain('Created member Only');
  });

  test('reports the first missing flag without a terminal', async () => {
    const complete = ['--email', 'x@example.org', '--name', 'X', '--password-stdin'];
    for (const [index, flag] of [
      [0, '--email'],
      [2, '--name'],
      [4, '--password-stdin'],
    ] as const) {
      const ran = await hubctl(['users', 'create', ...complete.slice(0, index), '--json']);
      expect(ran.code).toBe(2);
      expect(errorOf(ran).message).toContain(flag);
    }
    const unlike = ['--email', 'ada', '--name', 'Ada', '--password-stdin'];
    expect((await hubctl(['users', 'create', ...unlike], { stdin: 'a good password' })).code).toBe(2);
    expect((await hubctl(['users', 'create', ...complete, '--role', 'boss'], { stdin: 'x' })).code).toBe(2);
  });

  test("exits with 1 and the server's error for a taken address or a short password", async () => {
    const { email } = await newUser();
    const create = (address: string, stdin: string) =>
      hubctl(['users', 'create', '--email', address, '--name', 'X', '--password-stdin', '--json'], { stdin });
    expect(errorOf(await create(email, 'a good password'))).toMatchObject({ code: 'conflict', exitCode: 1 });
    expect(errorOf(await create('new@example.org', 'short'))).toMatchObject({ code: 'invalid', exitCode: 1 });
  });
});

describe('users list and show', () => {
  test('list fetches all pages and filters by state', async () => {
    await using many = await startTestHub();
    for (let index = 0; index < 101; index += 1) await createUser(many, { name: `User ${index}` });
    const env = { HUB_ADMIN_SOCKET: many.socketPath };
    const list = async (...flags: string[]) =>
      (await runHubctl(['users', 'list', '--json', ...flags], { env })).json<{ items: User[] }>().items;
    const all = await list();
    expect(new Set(all.map(({ name }) => name)).size).toBe(101);
    await many.admin.raw('POST', `/users/${all[0]?.id}/deactivation`);
    expect(await list('--state', 'enabled')).toHaveLength(100);
    expect((await list('--state', 'disabled')).map(({ id }) => id)).toEqual([all[0]?.id ?? '?']);
  });

  test('list hides the ID at 80 columns', async () => {
    const { email } = await newUser();
    const { stdout, stderr } = await hubctl(['users', 'list'], { columns: 80 });
    const [head = ''] = stdout.split('\n');
    expect(head.split(/ {2,}/)).toEqual(['NAME', 'E-MAIL', 'ROLE', 'STATE', 'LAST SEEN']);
    expect(stdout).toContain(email);
    expect(stderr).toContain('Hidden columns (terminal too narrow): ID');
  });

  test('list shortens a very long e-mail address at 80 columns and keeps the state', async () => {
    await using hub = await startTestHub();
    const email = `${'engineering.on.call.rotation'.padEnd(60, '-x')}@example.org`;
    await createUser(hub, { name: 'Ada Lovelace', email });
    const env = { HUB_ADMIN_SOCKET: hub.socketPath };
    const { stdout } = await runHubctl(['users', 'list'], { env, columns: 80 });
    expect(stdout).toMatch(/^NAME +E-MAIL +ROLE +STATE.*\nAda Lovelace +engineering\.on\.call\S+… +member +enabled/);
    expect((await runHubctl(['users', 'list'], { env })).stdout).toContain(email);
  });

  test('show prints all fields of a user', async () => {
    const user = await newUser();
    const ran = await hubctl(['users', 'show', user.email]);
    for (const text of [user.name, user.email, user.id, 'member', 'enabled', 'never'])
      expect(ran.stdout).toContain(text);
  });

  test('strip terminal escapes from names', async () => {
    const name = 'a\x1b]52;c;eA==\x07\u202eb';
    const item = { id: 'usr_1', name, email: 'a@b', role: 'member', disabledAt: null, lastSeenAt: null };
    await using server = startScriptedServer(() => Response.json({ items: [item], next: null }));
    expect((await runHubctl(['users', 'list', '--data-dir', server.dataDir])).stdout).toContain('\nab    a@b');
    const unknown = await runHubctl(['users', 'show', 'a', '--data-dir', server.dataDir]);
    expect(unknown.stderr).toContain('Did you mean ab (a@b)?');
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

  test('may be omitted at a terminal, which offers a list of users', async () => {
    const user = await newUser('Chosen One');
    const responses = [`Chosen One (${user.email}), member`, 'admin'];
    expect((await hubctl(['users', 'role'], { responses })).stdout).toContain('Chosen One is now admin (was member)');
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

  test('creates a link that stops working when the invitation is withdrawn by address or ID', async () => {
    const invite = async () =>
      (await hubctl(['users', 'invite', '--email', 'gone@example.com', '--json'])).json<IssuedInvitation>();
    for (const reference of ['Gone@example.com', 'id'] as const) {
      const { link, id } = await invite();
      const withdrawn = await hubctl(['users', 'invitations', '--withdraw', reference === 'id' ? id : reference]);
      expect(withdrawn.stdout).toContain('Withdrew the invitation for gone@example.com');
      expect((await redeem(link, { name: 'X', password: 'a good password' })).status).toBe(404);
    }
    expect((await hubctl(['users', 'invitations', '--withdraw', 'gone@example.com'])).code).toBe(1);
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

  test('creates no invitation if the address is missing or the Hub does not exist', async () => {
    expect((await hubctl(['users', 'invite', '--json'])).code).toBe(2);
    expect((await hubctl(['users', 'invite', '--email', 'lost', '--hub', 'Nowhere'])).code).toBe(2);
    const ran = await hubctl(['users', 'invite', '--email', 'lost@example.com', '--hub', 'Nowhere']);
    expect(ran.code).toBe(1);
    expect((await hubctl(['users', 'invitations', '--json'])).stdout).not.toContain('lost@example.com');
  });
});

describe('users role, disable, enable and reset-password', () => {
  test('role changes the role of a user', async () => {
    const user = await newUser();
    const ran = await hubctl(['users', 'role', user.email, 'admin', '--json']);
    expect(ran.json()).toMatchObject({ id: user.id, role: 'admin' });
    expect((await hubctl(['users', 'role', user.email])).code).toBe(2);
    expect((await hubctl(['users', 'role', user.email, 'boss'])).code).toBe(2);
  });

  test('disable asks at a terminal, and needs --yes elsewhere', async () => {
    const user = await newUser();
    const rejected = await hubctl(['users', 'disable', user.email, '--json']);
    expect(errorOf(rejected)).toMatchObject({ exitCode: 2, message: expect.stringContaining('--yes') });
    expect(await hubctl(['users', 'disable', user.email], { responses: [false] })).toMatchObject({
      code: 1,
      stdout: '',
    });
    expect((await hubctl(['users', 'show', user.id, '--json'])).json()).toMatchObject({ disabledAt: null });
    expect((await hubctl(['users', 'disable', user.email], { responses: [true] })).code).toBe(0);
  });

  test('disable ends the sessions of a user, and enable allows signing in again', async () => {
    const user = await newUser();
    const session = await signIn(hub, user);
    const disabled = await hubctl(['users', 'disable', user.email, '--yes', '--json']);
    expect(disabled.json()).toMatchObject({ id: user.id, disabledAt: expect.any(String) });
    expect((await session.fetch('/api/v1/me')).status).toBe(401);
    expect((await hubctl(['users', 'enable', user.email, '--json'])).json()).toMatchObject({ disabledAt: null });
    await signIn(hub, user);
  });

  test('sign-out asks, then ends the sessions and tokens of a user, who stays enabled', async () => {
    const user = await newUser();
    const [session, token] = [await signIn(hub, user), await newTokenOf(hub, user)];
    const statuses = async () => [
      (await session.fetch('/api/v1/me')).status,
      (await hub.fetch('/api/v1/me', { headers: { authorization: `Bearer ${token}` } })).status,
    ];
    const rejected = await hubctl(['users', 'sign-out', user.email, '--json']);
    expect(errorOf(rejected)).toMatchObject({ exitCode: 2, message: expect.stringContaining('--yes') });
    expect((await hubctl(['users', 'sign-out', user.email], { responses: [false] })).code).toBe(1);
    expect(await statuses()).toEqual([200, 200]);
    const asked = await hubctl(['users', 'sign-out', user.email], { responses: [true] });
    expect(asked.stdout).toContain(`Signed out ${user.name} (${user.email}) everywhere ${user.id}`);
    expect(asked.asked).toEqual([
      `Sign out ${user.name} (${user.email})? All their sessions end and their tokens are revoked immediately.`,
    ]);
    expect(await statuses()).toEqual([401, 401]);
    const again = await hubctl(['users', 'sign-out', user.email, '--yes', '--json']);
    expect(again.json()).toMatchObject({ id: user.id, disabledAt: null });
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

test('a member gets exit code 4 from commands that manage users', async () => {
  using home = temporaryHome();
  const user = await newUser();
  await home.hubctl(['login', hub.url], { responses: [user.email, user.password] });
  for (const argv of [
    ['users', 'invite', '--email', 'x@example.org'],
    ['users', 'disable', user.id, '--yes'],
    ['setup-link'],
  ]) {
    expect((await home.hubctl(argv)).code).toBe(4);
  }
  // Members do not get the last-seen times; showing "never" would be wrong.
  expect((await home.hubctl(['users', 'list'])).stdout).not.toMatch(/LAST SEEN|never/);
});

test('a command that takes no arguments refers to its help if it is given one', async () => {
  const { code, stderr } = await runHubctl(['users', 'invite', 'b@example.org']);
  expect([code, stderr.includes('hubctl users invite --help'), stderr.includes('quotes')]).toEqual([2, true, false]);
});
