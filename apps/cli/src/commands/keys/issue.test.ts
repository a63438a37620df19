import { describe, expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import type { IssuedKey } from '@hub/contract';
import { hasTokenFormat, KEY_PREFIX } from '@hub/contract/key-token';
import { temporaryFolder } from '@hub/testkit/cli/files';
import { sharedHubctl } from '@hub/testkit/cli/hubctl-on-hub';
import { errorOf } from '@hub/testkit/cli/run-hubctl';

const DAY = 86_400_000;

const on = sharedHubctl();

describe('keys issue', () => {
  test('prints ID, key, Hub and full scopes as JSON', async () => {
    const argv = ['keys', 'issue', '--hub', on.releases.id, '--name', 'ci', '--scopes', 'todos, messages:create,todos'];
    const ran = await on.hubctl([...argv, '--json']);
    expect(ran.code).toBe(0);
    const issued = ran.json<IssuedKey>();
    expect(issued).toMatchObject({
      hubId: on.releases.id,
      scopes: ['messages:create', 'todos:create'],
      expiresAt: null,
    });
    expect(hasTokenFormat(KEY_PREFIX, issued.key)).toBe(true);
    expect(ran.stderr).toBe('');
  });

  test('prints only the key on standard output; the warning and the hint go to standard error', async () => {
    const ran = await on.hubctl([...'keys issue --hub Releases --name for-reading --scopes messages,notes'.split(' ')]);
    expect(hasTokenFormat(KEY_PREFIX, ran.stdout.trimEnd())).toBe(true);
    expect(ran.stderr).toContain("You won't see it again");
    expect(ran.stderr).toContain("hubctl post --key-stdin 'Hello'");
    expect(ran.stderr).toContain('messages, notes. The key never expires');
    expect(ran.stderr).not.toContain(ran.stdout.trimEnd());
  });

  test('warns about another active key of the same name in the Hub, and issues the key', async () => {
    const { id: hubId } = await on.hub.admin.createHub('Namesakes');
    const argv = ['keys', 'issue', '--scopes', 'messages', '--name'];
    const issue = (name: string, hub = hubId) => on.hubctl([...argv, name, '--hub', hub, '--json']);
    const first = await issue('deploys');
    expect(first.stderr).toBe('');
    expect((await issue('deploys', on.releases.id)).stderr).toBe('');
    const second = await issue(' deploys ');
    expect(second.json()).toMatchObject({ name: 'deploys', hubId });
    const { id, hint } = first.json<IssuedKey>();
    expect(second.stderr).toContain(`warning: Another active key in Namesakes is also named deploys: ${hint}.`);
    expect(second.stderr).toContain(`  hubctl keys revoke ${id}\n`);
    // A rotated key is on its way out, and shares its name with its successor.
    await on.hub.admin.revokeKey(id);
    const successor = await on.hubctl(['keys', 'rotate', second.json<IssuedKey>().id, '--json']);
    await on.hub.admin.revokeKey(successor.json<IssuedKey>().id);
    expect((await issue('deploys')).stderr).toBe('');
  });

  test('accepts a lifetime in days or hours, or an expiry time', async () => {
    const now = on.hub.clock.now();
    const expiry = async (...flags: string[]) => Date.parse((await on.issue('expiring', ...flags)).expiresAt ?? '');
    expect(await expiry('--expires-in', '90d')).toBe(now + 90 * DAY);
    expect(await expiry('--expires-in', '12h')).toBe(now + DAY / 2);
    expect(await expiry('--expires-in', '+2w')).toBe(now + 14 * DAY);
    expect(await expiry('--expires-in', '90s')).toBe(now + 90_000);
    expect(await expiry('--expires-at', '2027-01-31T09:00+01:00')).toBe(Date.parse('2027-01-31T08:00:00Z'));
    expect(await expiry('--expires-at', '2027-01-31')).toBe(Date.parse('2027-01-31T00:00:00Z'));
  });

  for (const [flags, message] of [
    [['--expires-in', '5y'], 'Invalid --expires-in "5y".\nUse a duration: 90s, 15m, 12h, 3d or 2w.'],
    [['--expires-in', '0d'], '--expires-in must be more than 0.'],
    [['--expires-in', '99999999d'], '--expires-in 99999999d is more than 100 years'],
    [['--expires-at', '2027-02-31'], 'Use a day (2027-01-31, at 00:00 UTC)'],
    [['--expires-in', '1d', '--expires-at', '2027-01-31T00:00Z'], 'cannot be used with'],
    [['--expires-in', '1d', '--never-expires'], 'cannot be used with'],
    [['--scopes', 'messages,foo'], 'Unknown scope "foo".'],
    [['--scopes', ','], 'messages, notes or todos'],
  ] as const) {
    test(`exits with 2 and issues no key for ${flags.join(' ')}`, async () => {
      const argv = ['keys', 'issue', '--hub', on.releases.id, '--name', 'refused', '--scopes', 'messages', ...flags];
      const ran = await on.hubctl(argv);
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).toContain(message);
      expect((await on.hubctl(['keys', 'show', 'refused'])).code).toBe(1);
    });
  }

  test('prompts for everything at a terminal, including the expiry', async () => {
    const responses = ['Releases', 'asked', ['Notes'], 'In 30 days'];
    const ran = await on.hubctl(['keys', 'issue'], { responses });
    expect(ran.asked).toHaveLength(4);
    expect((await on.hubctl(['keys', 'show', 'asked', '--json'])).json()).toMatchObject({
      hubId: on.releases.id,
      scopes: ['notes:create'],
      expiresAt: new Date(on.hub.clock.now() + 30 * DAY).toISOString(),
    });
  });
});

describe('--out', () => {
  test('writes the key only to a new file that only its owner can read', async () => {
    using folder = temporaryFolder();
    const out = folder.file('key');
    const ran = await on.hubctl([
      ...'keys issue --hub Releases --name filed --scopes messages --out'.split(' '),
      out,
      '--json',
    ]);
    expect(ran.json()).toMatchObject({ keyFile: out, name: 'filed' });
    expect(ran.json().key).toBeUndefined();
    expect(hasTokenFormat(KEY_PREFIX, (await Bun.file(out).text()).trimEnd())).toBe(true);
    expect(statSync(out).mode & 0o777).toBe(0o600);
  });

  test('issues no key if the file exists', async () => {
    using folder = temporaryFolder();
    const out = folder.file('key');
    await Bun.write(out, 'precious');
    const ran = await on.hubctl([...'keys issue --hub Releases --name over --scopes messages --out'.split(' '), out]);
    expect(ran.code).toBe(2);
    expect(await Bun.file(out).text()).toBe('precious');
    expect((await on.hubctl(['keys', 'show', 'over'])).code).toBe(1);
  });
});

test('a lifetime above the limit of the workspace is rejected with an error that names the flags to use', async () => {
  const old = await on.issue('permanent');
  await on.hub.admin.raw('PATCH', '/workspace', { longestKeyLifetimeDays: 90 });
  const issue = ['keys', 'issue', '--hub', 'Releases', '--name', 'ci', '--scopes', 'messages', '--json'];
  for (const argv of [issue, [...issue, '--expires-in', '91d'], ['keys', 'rotate', old.id, '--json']]) {
    const ran = await on.hubctl(argv);
    expect(ran.code).toBe(1);
    expect(errorOf(ran)).toMatchObject({ statusCode: 400 });
    expect(errorOf(ran).message).toContain(
      'can last at most 90 days: set --expires-at to 2026-05-30T09:30:00.000Z or earlier, or --expires-in to 90 days or less.',
    );
  }
  const replaced = await on.hubctl(['keys', 'replace', old.id, '--yes', '--expires-in', '90d', '--json']);
  expect(replaced.json()).toMatchObject({ expiresAt: '2026-05-30T09:30:00.000Z' });
  expect((await on.hubctl([...issue, '--expires-in', '30d'])).code).toBe(0);
});
