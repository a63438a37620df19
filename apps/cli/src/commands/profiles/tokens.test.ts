import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { buildToken, PERSONAL_TOKEN_PREFIX } from '@hub/contract/key-token';
import { temporaryHome } from '@hub/testkit/cli/files';
import { createUser, newTokenOf, type TestUser } from '@hub/testkit/cli/hub';
import { type HubctlOnHub, startHubctl } from '@hub/testkit/cli/hubctl-on-hub';
import { errorOf, type RunOptions } from '@hub/testkit/cli/run-hubctl';

let on: HubctlOnHub;
let ada: TestUser;
let env: Record<string, string>;
const home = temporaryHome();
beforeAll(async () => {
  on = await startHubctl();
  ada = await createUser(on.hub, { role: 'admin' });
  env = { ...home.env, HUB_ADMIN_SOCKET: '', HUB_URL: on.hub.url, HUB_TOKEN: await newTokenOf(on.hub, ada) };
});
afterAll(() => {
  home[Symbol.dispose]();
  return on.stop();
});
const hubctl = (argv: string[], options: RunOptions = {}) =>
  on.hubctl(argv, { ...options, env: { ...env, ...options.env } });

describe('HUB_TOKEN', () => {
  test('is the login of a script: commands run as its user, without a profile', async () => {
    const { stdout, code } = await hubctl(['whoami']);
    expect(code).toBe(0);
    expect(stdout).toContain(ada.email);
    expect(stdout).toContain('from HUB_TOKEN');
    expect((await hubctl(['whoami', '--json'])).json()).toMatchObject({ profile: null, user: { email: ada.email } });
  });

  test('needs HUB_URL, gives way to --local, and takes precedence over HUB_PROFILE', async () => {
    const missing = await hubctl(['hubs', 'list', '--json'], { env: { HUB_URL: '' } });
    expect(errorOf(missing)).toMatchObject({ exitCode: 2, message: expect.stringContaining('HUB_URL is not') });
    expect((await hubctl(['hubs', 'list', '--local', '--data-dir', '/nonexistent'])).code).toBe(3);
    expect((await hubctl(['hubs', 'list'], { env: { HUB_PROFILE: 'nowhere' } })).code).toBe(0);
  });

  test('that is malformed, revoked or unknown causes exit code 4, and never appears in the output', async () => {
    for (const token of ['hub_live_secret', buildToken(PERSONAL_TOKEN_PREFIX, 'k7'.repeat(17))]) {
      const ran = await hubctl(['hubs', 'list', '--json'], { env: { HUB_TOKEN: token } });
      expect(errorOf(ran)).toMatchObject({
        exitCode: 4,
        hint: expect.stringContaining(`Unset HUB_TOKEN, log in with hubctl login ${on.hub.url}`),
      });
      expect(ran.stdout + ran.stderr).not.toContain(token);
    }
  });
});

describe('tokens', () => {
  const create = (...flags: string[]) =>
    hubctl(['tokens', 'create', '--email', ada.email, '--password-stdin', ...flags], { stdin: ada.password });

  test('create prints a new token that works', async () => {
    const { stdout } = await create('--name', 'backup job', '--expires-in', '90d');
    expect(stdout).toMatch(/^hub_pat_\w{40}\n$/);
    const token = stdout.trim();
    expect((await hubctl(['whoami'], { env: { HUB_TOKEN: token } })).code).toBe(0);
    const listed = (await hubctl(['tokens', 'list', '--json'])).json<{ items: { name: string }[] }>();
    expect(listed.items.map(({ name }) => name)).toContain('backup job');
    expect(JSON.stringify(listed)).not.toContain(token);
  });

  test('create asks for the password of the login at a terminal, and rejects a wrong one with exit code 4', async () => {
    const ran = await hubctl(['tokens', 'create'], { responses: ['laptop', ada.email, ada.password] });
    expect(ran).toMatchObject({
      code: 0,
      asked: ['Name of the token:', expect.any(String), `Password of ${ada.email}:`],
    });
    const wrong = await hubctl(['tokens', 'create', '--name', 'x', '--email', ada.email, '--password-stdin'], {
      stdin: 'not the password',
    });
    expect(wrong.code).toBe(4);
  });

  test('revoke asks for the name and the password, and ends the token', async () => {
    const token = (await create('--name', 'leaked')).stdout.trim();
    const { email, password } = ada;
    expect((await hubctl(['tokens', 'revoke', 'leaked'])).code).toBe(2);
    expect(await hubctl(['tokens', 'revoke', 'leaked', '--yes', '--email', email])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--password-stdin'),
    });
    expect((await hubctl(['tokens', 'revoke', 'leaked'], { responses: ['leak'] })).code).toBe(1);
    const wrong = await hubctl(['tokens', 'revoke', 'leaked'], { responses: ['leaked', email, 'not the password'] });
    expect(wrong.code).toBe(4);
    expect((await hubctl(['whoami'], { env: { HUB_TOKEN: token } })).code).toBe(0);
    const ran = await hubctl(['tokens', 'revoke', 'leaked'], { responses: ['leaked', email, password] });
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Revoked token leaked pat_/) });
    expect((await hubctl(['whoami'], { env: { HUB_TOKEN: token } })).code).toBe(4);
    expect((await hubctl(['tokens', 'revoke', 'unknown', '--yes'])).code).toBe(1);
  });
});

describe('audit', () => {
  test('lists entries, newest first, with filters', async () => {
    const key = await on.issue('audited');
    await on.hub.admin.revokeKey(key.id);
    const actions = async (...flags: string[]) =>
      (await hubctl(['audit', '--json', ...flags])).json<{ items: { action: string }[] }>().items.map((e) => e.action);
    expect(await actions('--target', key.id)).toEqual(['key.revoked', 'key.issued']);
    expect(await actions('--target', key.id, '-n', '1')).toEqual(['key.revoked']);
    expect(await actions('--target', key.id, '--limit', '1')).toEqual(['key.revoked']);
    expect(await actions('--action', 'key.issued', '--target', key.id)).toEqual(['key.issued']);
    expect(await actions('--since', '2090-01-01T00:00Z')).toEqual([]);
    expect((await actions('--all', '--since', '1h')).length).toBeGreaterThan(2);
    const ran = await hubctl(['audit', '-n', '1', '--target', key.id]);
    expect(ran.stdout).toContain('key.revoked');
    expect(ran.stderr).toContain('add --all or --limit COUNT');
  });

  test('causes exit code 2 for invalid options, and exit code 4 for members', async () => {
    for (const flags of [
      ['-n', '0'],
      ['--since', 'soon'],
      ['--action', 'key.borrowed'],
    ]) {
      expect((await hubctl(['audit', ...flags])).code).toBe(2);
    }
    expect((await hubctl(['audit', '--action', 'key.borrowed'])).stderr).toMatch(/^error: --action .* key\.issued/);
    expect((await hubctl(['audit', '--action', 'key.isued'])).stderr).toEndWith('\nDid you mean key.issued?\n');
    const member = await newTokenOf(on.hub, await createUser(on.hub, { role: 'member' }));
    expect((await hubctl(['audit'], { env: { HUB_TOKEN: member } })).code).toBe(4);
  });
});
