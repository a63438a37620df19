import { describe, expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import type { ApiKey, IssuedKey } from '@hub/contract';
import { buildToken, hasTokenFormat, KEY_PREFIX } from '@hub/contract/key-token';
import { post, startTestHub } from '@hub/testkit/in-process/test-hub';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { sharedHubctl } from '../../../test/hubctl-on-hub.ts';
import { errorOf, type RunOptions, runHubctl } from '../../../test/run-hubctl.ts';

const DAY = 86_400_000;

const on = sharedHubctl();

const stateOf = async ({ id }: { id: string }) => (await on.hub.admin.showKey(id)).state;

describe('keys rotate, replace and revoke', () => {
  test('rotate by name rotates the latest key, and prints the successor and when the old key stops working', async () => {
    const first = await on.issue('chain', '--expires-in', '90d');
    const ran = await on.hubctl(['keys', 'rotate', 'chain']);
    expect(hasTokenFormat(KEY_PREFIX, ran.stdout.trimEnd())).toBe(true);
    expect(ran.stderr).toContain('works until 2026-03-02 09:30 UTC');
    expect(await stateOf(first)).toBe('rotated');
    expect((await on.hubctl(['keys', 'rotate', 'chain', '--json'])).json()).toMatchObject({ generation: 3 });
    const again = errorOf(await on.hubctl(['keys', 'rotate', first.id, '--json']));
    expect(again).toMatchObject({ code: 'conflict', statusCode: 409, exitCode: 1 });
  });

  test('replace asks only at a terminal, and warns about an older key that still works, or revokes it if asked to', async () => {
    const first = await on.issue('leaked again');
    const second = await on.hub.admin.rotateKey(first.id);
    expect((await on.hubctl(['keys', 'replace', second.id], { responses: [false] })).code).toBe(1);
    const kept = await on.hubctl(['keys', 'replace', 'leaked again', '--json']);
    expect(kept.json()).toMatchObject({ predecessorId: second.id, state: 'active' });
    expect(kept.stderr).toContain(`The older key ${first.hint} still works until 2026-03-02 09:30 UTC`);
    expect(kept.stderr).toContain(`  hubctl keys revoke ${first.id}\n`);
    expect(kept.stderr).not.toContain(`revoke ${second.id}`);
    expect(await stateOf(first)).toBe('rotated');
    const ran = await on.hubctl(['keys', 'replace', 'leaked again', '--with-older'], { responses: [true] });
    expect(ran.asked[0]).toEndWith(`immediately. The older key ${first.hint} is revoked, too.`);
    expect(ran.stderr).toContain(`The older key ${first.hint}, which still worked, was revoked, too.`);
    expect(await stateOf(first)).toBe('revoked');
    expect((await on.hubctl(['keys', 'replace', 'leaked again'])).stderr).not.toContain('older key');
  });

  test('a name that two live keys share causes an error that lists both, but not the keys they were rotated from', async () => {
    const [first, old] = [await on.issue('both'), await on.issue('both')];
    const successor = await on.hub.admin.rotateKey(old.id);
    const ran = await on.hubctl(['keys', 'revoke', 'both', '--yes']);
    const rows = [successor, first].map(({ id, hint }) => `  ${id}  both, Releases, ${hint}, active\n`).join('');
    const stderr = `error: 2 keys match "both".\nUse the ID instead:\n${rows}`;
    expect(ran).toMatchObject({ code: 1, stderr });
  });

  test('revoke by name means the newest key, and names the older ones that still work', async () => {
    const first = await on.issue('family');
    const second = await on.hub.admin.rotateKey(first.id);
    expect((await on.hubctl(['keys', 'revoke', 'family'], { responses: ['no'] })).code).toBe(1);
    expect(await stateOf(second)).toBe('active');
    const yes = await on.hubctl(['keys', 'revoke', 'family'], { responses: ['family'] });
    expect(yes.stdout).toBe(`Revoked key family ${second.id}\n`);
    expect(yes.stderr).toContain(`  hubctl keys revoke ${first.id}\n`);
    expect([await stateOf(first), await stateOf(second)]).toEqual(['rotated', 'revoked']);
  });

  test.each(['', '…', '...', 'hub_live_…', 'hub_live_...'])('a key is found by its hint %sWXYZ', async (start) => {
    const key = await on.issue(`hinted by ${start}`);
    const end = key.key.slice(-4);
    const ran = await on.hubctl(['keys', 'show', `${start}${end}`, '--json']);
    expect(ran.json()).toMatchObject({ id: key.id });
    const unknown = await on.hubctl(['keys', 'show', `${start}${end}x`]);
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no key') });
  });

  test('--key-stdin finds the key itself, piped or typed, and sends only its hash', async () => {
    const key = await on.issue('found');
    const requests: string[] = [];
    const keys = (argv: string, options: RunOptions) => {
      const watched: RunOptions['fetch'] = (url, init) => {
        requests.push(`${url} ${init.body ?? ''}`);
        return fetch(url, init);
      };
      return on.hubctl(['keys', ...argv.split(' '), '--key-stdin'], { fetch: watched, ...options });
    };
    const stdin = `${key.key}\n`;
    expect((await keys('show --json', { stdin })).json()).toMatchObject({ id: key.id });
    expect((await keys('show', { responses: [key.key] })).stdout).toContain(key.id);
    const replaced = (await keys('replace --json', { stdin })).json<IssuedKey>();
    expect(replaced).toMatchObject({ predecessorId: key.id });
    const revoked = await keys('revoke --yes --json', { stdin: replaced.key });
    expect(revoked.json()).toMatchObject({ id: replaced.id, state: 'revoked' });
    expect(requests.join('\n')).not.toContain(key.key.slice(9));
    expect(requests.join('\n')).toContain('sha256=');
  });

  test('--key-stdin reports a key of another server, another secret, and a key that is also an argument', async () => {
    const foreign = buildToken(KEY_PREFIX, 'k7'.repeat(17));
    const unknown = await on.hubctl(['keys', 'show', '--key-stdin'], { stdin: foreign });
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('This server has no such key') });
    const secret = await on.hubctl(['keys', 'revoke', '--key-stdin', '--yes'], { stdin: 'hunter2' });
    expect(secret).toMatchObject({ code: 4, stderr: expect.stringContaining('is not an API key. Nothing was sent.') });
    expect((await on.hubctl(['keys', 'revoke', 'ci', '--key-stdin'], { stdin: foreign })).code).toBe(2);
    for (const verb of ['show', 'revoke', 'replace']) {
      const { code, stderr } = await on.hubctl(['keys', verb, foreign]);
      expect([code, stderr.includes(foreign)]).toEqual([2, false]);
      expect(stderr).toMatch(/the shell keeps them in its history[\s\S]*hubctl keys replace --key-stdin/);
    }
  });
});

describe('keys issue', () => {
  test('prints ID, key, Hub and full scopes as JSON', async () => {
    const argv = ['keys', 'issue', '--hub', on.releases.id, '--name', 'ci', '--scopes', 'todos, messages:create,todos'];
    const ran = await on.hubctl([...argv, '--json']);
    const { key, ...issued } = ran.json<IssuedKey>();
    const scopes = ['messages:create', 'todos:create'];
    expect(issued).toMatchObject({ hubId: on.releases.id, scopes, expiresAt: null });
    expect([hasTokenFormat(KEY_PREFIX, key), ran.stderr]).toEqual([true, '']);
  });

  test('prints only the key on standard output; the warning and the hint go to standard error', async () => {
    const ran = await on.hubctl('keys issue --hub Releases --name for-reading --scopes messages,notes'.split(' '));
    expect(hasTokenFormat(KEY_PREFIX, ran.stdout.trimEnd())).toBe(true);
    const hint = "hubctl post --key-stdin 'Hello'";
    for (const text of ["You won't see it again", hint, 'messages, notes. The key never expires'])
      expect(ran.stderr).toContain(text);
    expect(ran.stderr).not.toContain(ran.stdout.trimEnd());
  });

  test('warns about another active key of the same name in the Hub, and issues the key', async () => {
    const { id: hubId } = await on.hub.admin.createHub('Namesakes');
    const argv = ['keys', 'issue', '--scopes', 'messages', '--name'];
    const issue = (name: string, hub = hubId) => on.hubctl([...argv, name, '--hub', hub, '--json']);
    const { id, hint } = (await issue('deploys')).json<IssuedKey>();
    expect((await issue('deploys', on.releases.id)).stderr).toBe('');
    const second = await issue(' deploys ');
    expect(second.json()).toMatchObject({ name: 'deploys', hubId });
    expect(second.stderr).toContain(`warning: Another active key in Namesakes is also named deploys: ${hint}.`);
    expect(second.stderr).toContain(`  hubctl keys revoke ${id}\n`);
    // A rotated key is on its way out, and shares its name with its successor.
    await on.hub.admin.revokeKey(id);
    await on.hub.admin.revokeKey((await on.hub.admin.rotateKey(second.json<IssuedKey>().id)).id);
    expect((await issue('deploys')).stderr).toBe('');
  });

  test('accepts a lifetime or an expiry time', async () => {
    const now = on.hub.clock.now();
    const expiry = async (flags: string) => Date.parse((await on.issue('x', ...flags.split(' '))).expiresAt ?? '');
    expect(await expiry('--expires-in 90d')).toBe(now + 90 * DAY);
    expect(await expiry('--expires-in +12h')).toBe(now + DAY / 2);
    expect(await expiry('--expires-at 2027-01-31T09:00+01:00')).toBe(Date.parse('2027-01-31T08:00:00Z'));
    expect(await expiry('--expires-at 2027-01-31')).toBe(Date.parse('2027-01-31T00:00:00Z'));
  });

  test.each([
    ['--expires-in 5y', 'Invalid --expires-in "5y".\nUse a duration: 90s, 15m, 12h, 3d or 2w.'],
    ['--expires-in 0d', '--expires-in must be more than 0.'],
    ['--expires-in 99999999d', '--expires-in 99999999d is more than 100 years'],
    ['--expires-at 2027-02-31', 'Use a day (2027-01-31, at 00:00 UTC)'],
    ['--expires-in 1d --expires-at 2027-01-31T00:00Z', 'cannot be used with'],
    ['--expires-in 1d --never-expires', 'cannot be used with'],
    ['--scopes messages,foo', 'Unknown scope "foo".'],
    ['--scopes ,', 'messages, notes or todos'],
  ])('exits with 2 and issues no key for %s', async (flags, message) => {
    const line = `keys issue --hub Releases --name refused --scopes messages ${flags}`;
    const ran = await on.hubctl(line.split(' '));
    expect([ran.code, ran.stdout + ran.stderr]).toEqual([2, expect.stringContaining(message)]);
    expect((await on.hubctl(['keys', 'show', 'refused'])).code).toBe(1);
  });

  test('prompts for everything at a terminal, including the expiry', async () => {
    const responses = ['Releases', 'asked', ['Notes'], 'In 30 days'];
    const ran = await on.hubctl(['keys', 'issue'], { responses });
    expect(ran.asked).toHaveLength(4);
    const expiresAt = new Date(on.hub.clock.now() + 30 * DAY).toISOString();
    const asked = (await on.hubctl(['keys', 'show', 'asked', '--json'])).json();
    expect(asked).toMatchObject({ hubId: on.releases.id, scopes: ['notes:create'], expiresAt });
  });
});

test('--out writes the key only to a new file that only its owner can read; if it exists, no key is issued', async () => {
  using folder = temporaryFolder();
  const out = folder.file('key');
  const issue = (name: string) =>
    on.hubctl(['keys', 'issue', '--hub', 'Releases', '--name', name, '--scopes', 'messages', '--json', '--out', out]);
  const document = (await issue('filed')).json();
  expect(document).toMatchObject({ keyFile: out, name: 'filed' });
  expect(document.key).toBeUndefined();
  const key = await Bun.file(out).text();
  expect(hasTokenFormat(KEY_PREFIX, key.trimEnd())).toBe(true);
  expect(statSync(out).mode & 0o777).toBe(0o600);
  expect((await issue('over')).code).toBe(2);
  expect(await Bun.file(out).text()).toBe(key);
  expect((await on.hubctl(['keys', 'show', 'over'])).code).toBe(1);
});

test('a lifetime above the limit of the workspace is rejected with an error that names the flags to use', async () => {
  const old = await on.issue('permanent');
  await on.hub.admin.raw('PATCH', '/workspace', { longestKeyLifetimeDays: 90 });
  const issue = ['keys', 'issue', '--hub', 'Releases', '--name', 'ci', '--scopes', 'messages', '--json'];
  for (const argv of [issue, [...issue, '--expires-in', '91d'], ['keys', 'rotate', old.id, '--json']]) {
    const error = errorOf(await on.hubctl(argv));
    expect(error).toMatchObject({ exitCode: 1, statusCode: 400 });
    const fix = 'set --expires-at to 2026-05-30T09:30:00.000Z or earlier, or --expires-in to 90 days or less.';
    expect(error.message).toContain(`can last at most 90 days: ${fix}`);
  }
  const replaced = await on.hubctl(['keys', 'replace', old.id, '--yes', '--expires-in', '90d', '--json']);
  expect(replaced.json()).toMatchObject({ expiresAt: '2026-05-30T09:30:00.000Z' });
  expect((await on.hubctl([...issue, '--expires-in', '30d'])).code).toBe(0);
  await on.hub.admin.raw('PATCH', '/workspace', { longestKeyLifetimeDays: null });
});

describe('keys list and show', () => {
  test('list shows name, Hub, hint, scopes, state, expiry, last use and address', async () => {
    const key = await on.issue('columns', '--expires-in', '90d');
    on.hub.setClientAddress('203.0.113.9');
    expect((await post(on.hub, 'messages', key.key, { text: 'x' })).status).toBe(201);
    const line = (await on.hubctl(['keys', 'list'])).stdout.split('\n').find((row) => row.startsWith('columns'));
    const texts = ['Releases', ` …${key.key.slice(-4)} `, 'messages', 'active', 'in 90 days', 'just now'];
    for (const text of [...texts, '203.0.113.9', key.id]) expect(line).toContain(text);
  });

  test('list leaves out keys that ended, unless they are asked for, or a program reads it', async () => {
    await using hub = await startTestHub();
    const { id: hubId } = await hub.admin.createHub('Releases');
    const revoked = await hub.admin.issueKey({ hubId, name: 'revoked' });
    await hub.admin.revokeKey(revoked.id);
    const list = (...flags: string[]) =>
      runHubctl(['keys', 'list', ...flags], { env: { HUB_ADMIN_SOCKET: hub.socketPath }, now: hub.clock.now() });
    const hidden = 'No matching keys.\nNot shown: 1 key that ended. Add --all.\n';
    expect(await list()).toMatchObject({ stdout: '', stderr: hidden });
    await hub.admin.issueKey({ hubId, name: 'expired', lifetimeSeconds: 60 });
    hub.clock.advance(60_000);
    const rotated = await hub.admin.issueKey({ hubId, name: 'rotated' });
    await hub.admin.rotateKey(rotated.id);
    const namesIn = ({ stdout }: { stdout: string }) => stdout.match(/^[a-z]+/gm);
    const { stderr, ...listed } = await list();
    expect(namesIn(listed)).toEqual(['rotated', 'rotated']);
    expect(stderr).toContain('Not shown: 2 keys that ended. Add --all.\n');
    const all = await list('--all');
    expect(namesIn(all)).toEqual(['rotated', 'rotated', 'expired', 'revoked']);
    expect(all.stderr).not.toContain('Not shown');
    expect(namesIn(await list('--state', 'revoked'))).toEqual(['revoked']);
    expect((await list('--json')).json<{ items: ApiKey[] }>().items).toHaveLength(4);
    expect((await list('--all', '--state', 'revoked')).code).toBe(2);
  });

  test('edit changes the description and the link, which show prints', async () => {
    const { id } = await on.issue('described', '--description', 'Builds', '--link', 'https://example.org/ci');
    expect((await on.hubctl(['keys', 'edit', id, '--description', 'Tests'])).stdout).toContain('Changed key described');
    const { stdout } = await on.hubctl(['keys', 'show', id]);
    for (const text of ['Tests', 'https://example.org/ci']) expect(stdout).toContain(text);
    const edited = async (flag: string) => (await on.hubctl(['keys', 'edit', id, flag, '--json'])).json();
    expect(await edited('--no-link')).toMatchObject({ description: 'Tests', link: null });
    expect(await edited('--no-description')).toMatchObject({ description: null });
    expect((await on.hubctl(['keys', 'edit', id, '--name', 'renamed'])).stdout).toBe(`Changed key renamed ${id}\n`);
    expect((await on.hubctl(['keys', 'edit', id])).code).toBe(2);
  });

  test('mark a key whose Hub was deleted, and warn only about what can be fixed', async () => {
    const { hub, hubctl } = on;
    const { id: hubId } = await hub.admin.createHub('Attic');
    const { id } = await hub.admin.issueKey({ hubId, name: 'attic-key', lifetimeSeconds: 36 * 3600 });
    hub.clock.advance(DAY / 2);
    await hub.admin.deleteHub(hubId);
    const { stdout, stderr } = await hubctl(['keys', 'list']);
    expect(stdout).toMatch(/attic-key +Attic .* hub deleted /);
    expect(stderr).not.toContain('attic-key');
    const ran = await hubctl(['keys', 'show', id]);
    expect(ran.stdout).toContain('active, but its Hub was deleted: requests get 404');
    expect(ran.stderr).toContain(`hubctl hubs restore ${hubId}`);
  });
});
