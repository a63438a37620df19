import { describe, expect, test } from 'bun:test';
import type { PersonalToken } from '@hub/contract';
import { buildToken, KEY_PREFIX } from '@hub/contract/key-token';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { createUser, newTokenOf, signIn, type UserCaller } from '@hub/testkit/in-process/users';
import { startScriptedServer } from '@hub/testkit/scripted-server';
import type { RunOptions } from '../../../test/run-hubctl.ts';
import { temporaryHome } from '../../../test/temporary-home.ts';

const hub = shared(startTestHub);

const deciding = (user: UserCaller, isApproved: boolean) => (userCode: string) =>
  user.call('POST', '/device-logins/decision', { userCode, isApproved });

const refused = () => Promise.reject(Object.assign(new TypeError('no'), { code: 'ECONNREFUSED' }));

/** Returns a user's tokens, as stored on the server. */
async function tokensOf(user: Awaited<ReturnType<typeof createUser>>) {
  const caller = await signIn(hub, user);
  return (await caller.json<{ items: PersonalToken[] }>('GET', '/me/tokens')).body.items;
}

type Decision = (userCode: string) => Promise<unknown>;

/** Runs `hubctl login` as a user at a terminal would, who decides in the browser while hubctl waits. */
async function loginInBrowser(decide: Decision, options: RunOptions = {}, on = hub, home = temporaryHome()) {
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
  return { ran, pages, waited, home, profile: home.profiles().profiles.get('p') };
}

describe('login', () => {
  test('in a terminal asks the user to confirm a code in the browser, and saves the token', async () => {
    const ada = await signIn(hub, await createUser(hub));
    const { ran, pages, waited, profile, home } = await loginInBrowser(deciding(ada, true));
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining(`as ${ada.user.name} (${ada.user.email}).`) });
    expect([pages, waited, ran.asked]).toEqual([[`${hub.url}/settings/device`], [5000, 5000], []]);
    expect(ran.stderr).toContain(`Enter it on this page, where you are signed in:\n  ${hub.url}/settings/device\n`);
    expect(await tokensOf(ada.user)).toMatchObject([{ id: profile?.tokenId, name: 'hubctl on test-machine' }]);
    expect(ran.stdout + ran.stderr).not.toContain(profile?.token ?? 'hub_pat_');
    expect(home.profiles().current).toBe('p');
  });

  test('in the browser that is denied or left alone saves nothing', async () => {
    const ada = await signIn(hub, await createUser(hub));
    for (const [decide, message] of [
      [deciding(ada, false), 'error: The login was denied.\n'],
      [async () => hub.clock.advance(600_000), 'error: The code has expired.\nStart again: hubctl login '],
    ] as const) {
      const { ran, profile } = await loginInBrowser(decide);
      expect([ran.code, profile, await tokensOf(ada.user)]).toEqual([1, undefined, []]);
      expect(ran.stderr).toContain(message);
    }
  });

  test('in the browser survives a restart of the server, and opens the address that the user knows', async () => {
    await using proxied = await startTestHub({ baseUrl: 'https://hub.example.org' });
    const ada = await signIn(proxied, await createUser(proxied));
    let polls = 0;
    const restarting: RunOptions['fetch'] = (url, init) =>
      url.endsWith('/poll') && ++polls === 2 ? refused() : fetch(url, init);
    const { ran, pages } = await loginInBrowser(deciding(ada, true), { fetch: restarting }, proxied);
    expect([ran.code, polls, pages]).toEqual([0, 3, [`${proxied.url}/settings/device`]]);
  });

  test('accepts a personal access token, prints the profile as JSON without it, and leaves it valid', async () => {
    using home = temporaryHome();
    const user = await createUser(hub);
    const token = await newTokenOf(hub, user);
    const argv = ['login', `${hub.url}/api/v1`, '--profile', 'work', '--with-token', '--json'];
    const ran = await home.hubctl(argv, { stdin: `${token}\n` });
    const { id, name, email } = user;
    expect(ran.json()).toEqual({ profile: 'work', url: hub.url, user: { id, name, email } });
    expect(home.profiles().profiles.get('work')).toMatchObject({ token, tokenId: null });
    expect((await home.hubctl(['whoami', '--json'])).json()).toMatchObject({ kind: 'user', profile: 'work' });
    // It is the user's, so logging out does not revoke it.
    expect((await home.hubctl(['logout'])).stderr).toContain('is still valid');
    expect(await tokensOf(user)).toHaveLength(1);
  });

  test('revokes the previous token when run again for the same server', async () => {
    const ada = await signIn(hub, await createUser(hub));
    const { home } = await loginInBrowser(deciding(ada, true));
    const { profile } = await loginInBrowser(deciding(ada, true), {}, hub, home);
    expect((await tokensOf(ada.user)).map(({ id }) => id)).toEqual([profile?.tokenId ?? '?']);
    const ran = await home.hubctl(['logout', '--json']);
    expect(ran.json()).toEqual({ profile: 'p', url: hub.url, tokenRevoked: true });
    expect(home.profiles()).toEqual({ current: null, profiles: new Map() });
    expect(await tokensOf(ada.user)).toEqual([]);
  });

  test('sends nothing without a terminal if options are missing, or the secret is of another kind', async () => {
    using home = temporaryHome();
    await using server = startScriptedServer();
    for (const [line, code, message] of [
      ['', 2, 'hubctl login URL'],
      [server.url, 2, '--with-token'],
      [`${server.url} --profile a/b --with-token`, 2, 'letters'],
      [`${server.url} --local`, 2, '--local'],
      [`${server.url} --with-token`, 4, 'The input is not a personal access token'],
    ] as const) {
      const stdin = buildToken(KEY_PREFIX, 'k7'.repeat(17));
      const ran = await home.hubctl(['login', ...line.split(' ').filter(Boolean), '--json'], { stdin });
      expect([ran.code, ran.stdout]).toEqual([code, expect.stringContaining(message)]);
    }
    expect(server.requests).toHaveLength(0);
  });

  test('warns that the token is sent unencrypted over plain http to another machine', async () => {
    using home = temporaryHome();
    const { code, stderr } = await home.hubctl(['login', 'http://hub.example.com'], { responses: [], fetch: refused });
    const warning = 'warning: Your token is sent to hub.example.com unencrypted';
    expect([code, stderr]).toEqual([3, expect.stringContaining(warning)]);
  });
});

test('logout removes the profile if the server is unreachable, and warns that the token is still valid', async () => {
  using home = temporaryHome();
  home.give('gone', { url: 'http://127.0.0.1:1', tokenId: 'pat_1' });
  const stderr = expect.stringContaining('warning: The token could not be revoked and is still valid');
  expect(await home.hubctl(['logout', '--profile', 'gone'])).toMatchObject({ code: 0, stderr });
  expect(home.profiles().profiles.size).toBe(0);
});
