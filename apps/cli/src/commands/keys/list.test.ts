import { describe, expect, test } from 'bun:test';
import type { ApiKey } from '@hub/contract';
import { sharedHubctl } from '@hub/testkit/cli/hubctl-on-hub';
import { runHubctl } from '@hub/testkit/cli/run-hubctl';
import { startTestHub } from '@hub/testkit/in-process/test-hub';

const DAY = 86_400_000;

const on = sharedHubctl();

describe('keys list and show', () => {
  test('list shows name, Hub, hint, scopes, state, expiry, last use and address', async () => {
    const key = await on.issue('columns', '--expires-in', '90d');
    on.hub.setClientAddress('203.0.113.9');
    const post = {
      method: 'POST',
      headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
      body: '{"text":"x"}',
    };
    expect((await on.hub.fetch('/api/public/v1/messages', post)).status).toBe(201);
    const line = (await on.hubctl(['keys', 'list'])).stdout.split('\n').find((row) => row.startsWith('columns'));
    for (const text of [
      'Releases',
      ` …${key.key.slice(-4)} `,
      'messages',
      'active',
      'in 90 days',
      'just now',
      '203.0.113.9',
      key.id,
    ]) {
      expect(line).toContain(text);
    }
  });

  test('list leaves out keys that ended, unless they are asked for, or a program reads it', async () => {
    await using hub = await startTestHub();
    const { id: hubId } = await hub.admin.createHub('Releases');
    const revoked = await hub.admin.issueKey({ hubId, name: 'revoked' });
    await hub.admin.revokeKey(revoked.id);
    const list = (...flags: string[]) =>
      runHubctl(['keys', 'list', ...flags], { env: { HUB_ADMIN_SOCKET: hub.socketPath }, now: hub.clock.now() });
    expect(await list()).toMatchObject({
      stdout: '',
      stderr: 'No matching keys.\nNot shown: 1 key that ended. Add --all.\n',
    });
    await hub.admin.issueKey({ hubId, name: 'expired', lifetimeSeconds: 60 });
    hub.clock.advance(60_000);
    const rotated = await hub.admin.issueKey({ hubId, name: 'rotated' });
    await hub.admin.raw('POST', `/keys/${rotated.id}/rotation`);
    const namesIn = ({ stdout }: { stdout: string }) =>
      stdout
        .split('\n')
        .slice(1, -1)
        .map((row) => row.split(' ')[0]);
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

  test('show prints the Hub, issuer, expiry and rotation, but not the key', async () => {
    const key = await on.issue('details');
    const stdout = (await on.hubctl(['keys', 'show', 'details'])).stdout;
    for (const text of [key.id, key.hint, `Releases (${on.releases.id})`, 'local admin', 'never', 'Requests']) {
      expect(stdout).toContain(text);
    }
    expect(stdout).not.toContain(key.key);
  });

  test('mark a key whose Hub was deleted, and warn only about what can be fixed', async () => {
    const { hub, hubctl } = on;
    const { id: hubId } = await hub.admin.createHub('Attic');
    const { id } = (
      await on.hubctl([
        ...'keys issue --hub'.split(' '),
        hubId,
        ...'--name attic-key --expires-in 36h --scopes notes --json'.split(' '),
      ])
    ).json<{ id: string }>();
    hub.clock.advance(DAY / 2);
    await hub.admin.deleteHub(hubId);
    const { stdout, stderr } = await hubctl(['keys', 'list']);
    expect(stdout).toMatch(/attic-key +Attic .* hub deleted /);
    expect(stderr).not.toContain('attic-key');
    const ran = await hubctl(['keys', 'show', id]);
    expect(ran.stdout).toContain('active, but its Hub was deleted: requests get 404');
    expect(ran.stderr).toContain(`hubctl hubs restore ${hubId}`);
    expect(
      (await hubctl(['keys', 'list', '--json'])).json<{ items: ApiKey[] }>().items.find((key) => key.id === id),
    ).toMatchObject({ state: 'active', isHubDeleted: true });
  });

  test('warn 14, 7 and 1 day before a key expires', async () => {
    const key = await on.issue('warned', '--expires-in', '15d');
    const at = (daysLeft: number, env = {}) =>
      on.hubctl(['keys', 'show', key.id], { now: Date.parse(key.expiresAt ?? '') - daysLeft * DAY, columns: 200, env });
    expect((await at(14.1)).stderr).toBe('');
    const warning = (await at(14)).stderr;
    expect(warning).toContain('warning: The key warned expires in 14 days.');
    expect(warning).toContain(`hubctl keys rotate ${key.id}`);
    expect((await at(7)).stderr).toContain('in 7 days');
    expect((await at(1)).stderr).toContain('in 24 hours');
    expect((await at(7, { NO_COLOR: '' })).stderr).toContain('\x1b[33mwarning: \x1b[39m');
    await on.hubctl(['keys', 'rotate', key.id]);
    expect((await at(7)).stderr).toBe('');
  });
});
