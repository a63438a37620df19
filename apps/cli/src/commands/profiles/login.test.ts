import { describe, expect, test } from 'bun:test';
import type { PersonalToken } from '@hub/contract';
import { buildToken, KEY_PREFIX, PERSONAL_TOKEN_PREFIX } from '@hub/contract/key-token';
import { temporaryHome } from '@hub/testkit/cli/files';
import type { RunOptions } from '@hub/testkit/cli/run-hubctl';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { createUser, newTokenOf, signIn, type UserCaller } from '@hub/testkit/in-process/users';
import { errorResponse, startScriptedServer } from '@hub/testkit/scripted-server';

const hub = shared(startTestHub);

/** Returns a user's tokens and the number of their other sessions, as stored on the server. */
async function credentialsOf(user: Awaited<ReturnType<typeof createUser>>) {
  const caller = await signIn(hub, user);
  const list = async <T>(path: string) => (await caller.json<{ items: T[] }>('GET', path)).body.items;
  return { tokens: await list<PersonalToken>('/me/tokens'), others: (await list('/me/sessions')).length - 1 };
}

/** Runs `hubctl login` as a user at a terminal would, who decides in the browser while hubctl waits. */
async function loginInBrowser(decide: (userCode: string) => Promise<unknown>, options: RunOptions = {}, on = hub) {
  using home = temporaryHome();
  const [pages, waited]: [string[], number[]] = [[], []];
  let written = '';
  const ran = await home.hubctl(['login', on.url, '--profile', 'p'], {
    responses: [],
    now: () => on.clock.now(),
    onWrite: (_, text) => {
      written += text;
    },
    openPage: (page) => pages.push(page),
    sleep: async (ms) => {
      waited.push(ms);
      on.clock.advance(ms);
      if (waited.length === 2) await decide(/Your code: (\S+)/.exec(written)?.[1] ?? '');
    },
    ...options,
  });
  return { ran, pages, waited, profile: home.profiles().profiles.get('p') };
}

describe('login', () => {
  test('in a terminal asks the user to confirm a code in the browser, and saves the token', async () => {
    const ada = await signIn(hub, await createUser(hub));
    const { ran, pages, waited, profile } = await loginInBrowser((userCode) =>
      ada.call('POST', '/device-logins/decision', { userCode, isApproved: true }),
    );
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining(`as ${ada.user.name} (${ada.user.email}).`) });
    expect([pages, waited, ran.asked]).toEqual([[`${hub.url}/settings/device`], [5000, 5000], []]);
    expect(ran.stderr).toContain(`Enter it on this page, where you are signed in: ${hub.url}/settings/device\n`);
    const { tokens } = await credentialsOf(ada.user);
    expect(tokens).toMatchObject([{ id: profile?.tokenId, name: 'hubctl on test-machine' }]);
    expect(ran.stdout + ran.stderr).not.toContain(profile?.token ?? 'hub_pat_');
  });

  test.each<[how: string, decide: (userCode: string, ada: UserCaller) => Promise<unknown>, message: string]>([
    [
      'denied',
      (userCode, ada) => ada.call('POST', '/device-logins/decision', { userCode, isApproved: false }),
      'error: The login was denied.\n',
    ],
    ['left alone', async () => hub.clock.advance(600_000), 'error: The code has expired.\nStart again: hubctl login '],
  ])('in the browser that is %s saves nothing', async (_, decide, message) => {
    const ada = await signIn(hub, await createUser(hub));
    const { ran, profile } = await loginInBrowser((userCode) => decide(userCode, ada));
    expect([ran.code, profile, (await credentialsOf(ada.user)).tokens]).toEqual([1, undefined, []]);
    expect(ran.stderr).toContain(message);
  });

  test('in the browser survives a restart of the server, and opens the address that the user knows', async () => {
    await using proxied = await startTestHub({ baseUrl: 'https://hub.example.org' });
    const ada = await signIn(proxied, await createUser(proxied));
    let polls = 0;
    const { ran, pages } = await loginInBrowser(
      (userCode) => ada.call('POST', '/device-logins/decision', { userCode, isApproved: true }),
      {
        fetch: (url, init) => {
          const isDown = url.endsWith('/poll') && ++polls === 2;
          return isDown
            ? Promise.reject(Object.assign(new TypeError('no'), { code: 'ECONNREFUSED' }))
            : fetch(url, init);
        },
      },
      proxied,
    );
    expect([ran.code, polls, pages]).toEqual([0, 3, [`${proxied.url}/settings/device`]]);
  });

  test('asks for e-mail and password if the server is older', async () => {
    const { email, password } = await createUser(hub);
    const { ran } = await loginInBrowser(async () => {}, {
      responses: [email, password],
      fetch: (url, init) => (url.endsWith('/device-logins') ? Promise.resolve(errorResponse(404)) : fetch(url, init)),
    });
    expect([ran.code, ran.asked]).toEqual([0, [`E-mail at ${new URL(hub.url).host}:`, `Password of ${email}:`]]);
  });

  test('with --email prompts for the password, and saves a token named after this machine', async () => {
    using home = temporaryHome();
    const user = await createUser(hub, { role: 'admin' });
    const ran = await home.hubctl(['login', hub.url, '--email', user.email], { responses: [user.password] });
    expect(ran).toMatchObject({ code: 0, stdout: `Logged in to ${hub.url} as ${user.name} (${user.email}).\n` });
    expect(ran.asked).toEqual([`Password of ${user.email}:`]);

    const { current, profiles } = home.profiles();
    const profile = profiles.get(new URL(hub.url).host);
    expect(current).toBe(new URL(hub.url).host);
    expect(profile).toMatchObject({ url: hub.url, user: { id: user.id, name: user.name, email: user.email } });
    expect(profile?.token).toStartWith(PERSONAL_TOKEN_PREFIX);
    expect(await Bun.file(home.profileFile).text()).not.toContain(user.password);
    expect(home.modeOfFile()).toBe(0o600);

    const { tokens, others } = await credentialsOf(user);
    expect(tokens).toMatchObject([{ id: profile?.tokenId, name: 'hubctl on test-machine' }]);
    expect(others).toBe(0);
  });

  test('accepts everything as options, and prints the profile as JSON without the token', async () => {
    using home = temporaryHome();
    const user = await createUser(hub);
    const flags = `--email ${user.email} --profile work --password-stdin --json`.split(' ');
    const ran = await home.hubctl(['login', `${hub.url}/api/v1`, ...flags], { stdin: `${user.password}\n` });
    expect(ran.code).toBe(0);
    const { id, name, email } = user;
    expect(ran.json()).toEqual({ profile: 'work', url: hub.url, user: { id, name, email } });
    expect((await home.hubctl(['whoami', '--json'])).json()).toMatchObject({ kind: 'user', profile: 'work' });
  });

  test('accepts and saves a personal access token instead of a password', async () => {
    using home = temporaryHome();
    const user = await createUser(hub);
    const token = await newTokenOf(hub, user);
    const argv = ['login', hub.url, '--profile', 'p', '--with-token', '--json'];
    const ran = await home.hubctl(argv, { stdin: `${token}\n` });
    expect(ran.json()).toMatchObject({ user: { email: user.email } });
    expect(home.profiles().profiles.get('p')).toMatchObject({ token, tokenId: null });
    // It is the user's, so logging out does not revoke it.
    expect((await home.hubctl(['logout'])).stderr).toContain('is still valid');
    expect((await credentialsOf(user)).tokens).toHaveLength(1);
  });

  test('revokes the previous token when run again for the same server', async () => {
    using home = temporaryHome();
    const user = await createUser(hub);
    const login = () => home.hubctl(['login', hub.url, '--email', user.email], { responses: [user.password] });
    await login();
    await login();
    const { tokens } = await credentialsOf(user);
    expect(tokens).toHaveLength(1);
    expect(tokens[0]?.id).toBe(home.profiles().profiles.get(new URL(hub.url).host)?.tokenId ?? '?');
  });

  test('exits with 4 and saves nothing for a wrong password', async () => {
    using home = temporaryHome();
    const user = await createUser(hub);
    const ran = await home.hubctl(['login', hub.url, '--email', user.email], { responses: ['not it'] });
    expect(ran.code).toBe(4);
    expect(ran.stderr).toContain('Incorrect e-mail address or password');
    expect(home.profiles().profiles.size).toBe(0);
  });

  test('sends the origin that a server behind a proxy expects', async () => {
    using home = temporaryHome();
    await using proxied = await startTestHub({ baseUrl: 'https://hub.example.org' });
    const { email, password } = await createUser(proxied);
    const ran = await home.hubctl(['login', proxied.url, '--email', email], { responses: [password] });
    expect(ran).toMatchObject({ code: 0, stderr: expect.not.stringContaining('error') });
    expect((await home.hubctl(['whoami'])).code).toBe(0);
  });

  test('reports missing options without a terminal, and sends no request', async () => {
    using home = temporaryHome();
    await using server = startScriptedServer(() => errorResponse(500, 'Asked.'));
    for (const [line, missing] of [
      ['', 'hubctl login URL'],
      [server.url, '--password-stdin'],
      [`${server.url} --password-stdin`, '--email'],
      [`${server.url} --email a@b.c --with-token`, '--email'],
      [`${server.url} --password-stdin --with-token`, '--with-token'],
      [`${server.url} --profile a/b --with-token`, 'letters'],
      [`${server.url} --local`, '--local'],
    ] as const) {
      const ran = await home.hubctl(['login', ...line.split(' ').filter(Boolean), '--json'], { stdin: 'x' });
      expect([ran.code, ran.stdout]).toEqual([2, expect.stringContaining(missing)]);
    }
    expect(server.requests).toHaveLength(0);
  });

  test('does not send a secret of another kind, and rejects secrets as arguments', async () => {
    using home = temporaryHome();
    await using server = startScriptedServer(() => errorResponse(500, 'Asked.'));
    const key = buildToken(KEY_PREFIX, 'k7'.repeat(17));
    const token = buildToken(PERSONAL_TOKEN_PREFIX, 'k7'.repeat(17));
    const wrong = await home.hubctl(['login', server.url, '--with-token'], { stdin: key });
    expect(wrong).toMatchObject({ code: 4, stderr: expect.stringContaining('Not a personal access token') });
    expect((await home.hubctl(['login', server.url, token])).code).toBe(2);
    expect(server.requests).toHaveLength(0);
  });

  test('warns that the password is sent unencrypted over plain http to another machine', async () => {
    using home = temporaryHome();
    const reject = () => Promise.reject(Object.assign(new TypeError('no'), { code: 'ECONNREFUSED' }));
    const ran = await home.hubctl(['login', 'http://hub.example.com', '--email', 'a@b.c'], {
      responses: [],
      fetch: reject,
    });
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('warning: Your password is sent to hub.example.com unencrypted');
  });
});

describe('logout', () => {
  test('revokes the token and removes the profile', async () => {
    using home = temporaryHome();
    const user = await createUser(hub);
    await home.hubctl(['login', hub.url, '--profile', 'p', '--email', user.email], { responses: [user.password] });
    const ran = await home.hubctl(['logout', '--json']);
    expect(ran.json()).toEqual({ profile: 'p', url: hub.url, tokenRevoked: true });
    expect(home.profiles()).toEqual({ current: null, profiles: new Map() });
    expect((await credentialsOf(user)).tokens).toEqual([]);
  });

  test('removes the profile if the server is unreachable, and warns that the token is still valid', async () => {
    using home = temporaryHome();
    home.give('gone', { url: 'http://127.0.0.1:1', tokenId: 'pat_1' });
    const ran = await home.hubctl(['logout', '--profile', 'gone']);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('warning: The token could not be revoked and is still valid');
    expect(home.profiles().profiles.size).toBe(0);
  });
});
