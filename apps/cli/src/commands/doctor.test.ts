import { describe, expect, test } from 'bun:test';
import { chmodSync } from 'node:fs';
import type { ApiKey, ServerStatus, User } from '@hub/contract';
import { testKey } from '@hub/contract/test-key.fixture';
import { temporaryHome } from '@hub/testkit/cli/files';
import { sharedHubctl } from '@hub/testkit/cli/hubctl-on-hub';
import { errorOf, runHubctl } from '@hub/testkit/cli/run-hubctl';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { createUser, tokenOf } from '@hub/testkit/in-process/users';
import { startScriptedServer } from '@hub/testkit/scripted-server';
import { type Examined, examine, type Finding } from './doctor.ts';

describe('doctor', () => {
  const on = sharedHubctl();

  const backUp = async () => {
    const response = await on.hub.admin.raw('POST', '/backups');
    await response.bytes();
    await on.hub.admin.raw('POST', `/backups/${response.headers.get('hub-backup-id')}/confirmation`);
  };
  const found = async () => (await on.hubctl(['doctor', '--json'])).json<{ items: Finding[] }>().items;

  test('doctor lists the problems of a new server with the commands that fix them', async () => {
    const { code, stdout, stderr } = await on.hubctl(['doctor']);
    expect(code).toBe(0);
    expect(stdout).toContain('The workspace has no owner yet');
    expect(stdout).toContain('hubctl setup-link');
    expect(stdout).toContain('No backup yet');
    expect(stderr).toContain('2 warnings found');
  });

  test('doctor finds no problems if the workspace has an owner and a recent backup, and lists the checks', async () => {
    await createUser(on.hub, { role: 'owner' });
    await backUp();
    expect((await found()).map(({ check, status }) => `${check} ${status}`)).toEqual([
      'server ok',
      'owner ok',
      'address ok',
      'data ok',
      'backup ok',
      'keys ok',
    ]);
    expect((await on.hubctl(['doctor'])).stderr).toContain('No problems found.');
  });

  test('doctor exits with 1 if other users of the machine can read the data', async () => {
    const { dataDir } = (await on.hubctl(['status', '--json'])).json<ServerStatus>();
    // Its group alone is enough.
    chmodSync(dataDir, 0o750);
    const ran = await on.hubctl(['doctor', '--json']);
    expect(ran.code).toBe(1);
    expect(errorOf(ran)).toMatchObject({ code: 'unwell', findings: expect.any(Array) });
    const { code, stdout, stderr } = await on.hubctl(['doctor']);
    expect([code, stdout.includes(`chmod 700 ${dataDir}`), stderr.includes('error: 1 problem found')]).toEqual([
      1,
      true,
      true,
    ]);
    chmodSync(dataDir, 0o700);
  });

  describe('doctor, with a data directory that it cannot check,', () => {
    const doctor = async (dataDir: string, flags: string[] = []) => {
      const status = (await on.hubctl(['status', '--json'])).json<ServerStatus>();
      const responseOf = (path: string) =>
        path === '/api/v1/status' ? { ...status, dataDir } : { items: [], next: null, longestKeyLifetimeDays: null };
      await using server = startScriptedServer(({ url }) => Response.json(responseOf(new URL(url).pathname)));
      return await runHubctl(['doctor', ...flags], { env: { HUB_ADMIN_SOCKET: server.socketPath } });
    };
    const unchecked = (why: string) => `Could not check the data directory: ${why}`;

    test.each([
      ['./data', 'the server reports the relative path ./data. Set HUB_DATA_DIR to an absolute path.'],
      ['/nonexistent/hub', '/nonexistent/hub does not exist on this machine.'],
      [`${import.meta.path}/data`, `${import.meta.path}/data does not exist on this machine.`],
    ])('reports %s as unchecked with the reason, in text and JSON', async (dataDir, why) => {
      const { code, stdout, stderr } = await doctor(dataDir);
      expect(code).toBe(0);
      expect(stdout).toContain(`unchecked  data     ${unchecked(why)}`);
      expect(stderr).toContain('1 check could not run');
      expect(stderr).not.toContain('No problems found');
      const { items } = (await doctor(dataDir, ['--json'])).json<{ items: Finding[] }>();
      expect(items).toContainEqual({
        check: 'data',
        status: 'unchecked',
        message: unchecked(why),
        remedy: expect.any(String),
      });
    });

    test('reports the directory of a remote server as unchecked, and suggests --local', async () => {
      using home = temporaryHome();
      const { headers } = await tokenOf(on.hub, await createUser(on.hub, { role: 'admin' }));
      const token = headers.authorization?.replace('Bearer ', '') ?? '';
      await runHubctl(['login', on.hub.url, '--token-stdin'], { env: home.env, stdin: token });
      const { code, stdout } = await runHubctl(['doctor'], { env: home.env });
      expect([code, stdout]).toEqual([
        0,
        expect.stringContaining(unchecked('this needs the admin socket of the server.')),
      ]);
      expect(stdout).toContain('Where the server runs (in its container), as the same user: hubctl doctor --local');
      const rows = (await runHubctl(['doctor'], { env: home.env, columns: 80 })).stdout.split('\n');
      expect(rows.filter((row) => row.length > 80)).toEqual([]);
    });
  });

  test('doctor exits with 3 if there is no server', async () => {
    expect((await runHubctl(['doctor'], { env: { HUB_DATA_DIR: '/nonexistent' } })).code).toBe(3);
  });

  const NOW_MS = Date.parse('2026-03-01T09:30:00.000Z');
  const MIB = 1024 * 1024;

  const status: ServerStatus = {
    version: '1.0.0',
    baseUrl: 'https://hub.example.org',
    plainHttpHost: null,
    startedAt: '2026-03-01T08:30:00.000Z',
    uptimeSeconds: 3_600,
    dataDir: '/srv/hub',
    storage: 'sqlite',
    node: null,
    databaseBytes: 100 * MIB,
    walBytes: 0,
    hubs: 1,
    keys: 1,
    items: 1,
    lastBackup: null,
    pushProblem: null,
  };

  const key = testKey({ hubName: 'Releases', name: 'ci', expiresAt: null });

  const FOLDER = { isOpen: false, freeBytes: 1024 * MIB };

  const owner = { name: 'Ada Lovelace', role: 'owner', disabledAt: null } as User;

  /** Returns the findings of one check: status, message and remedy. */
  function findingsOf(check: string, examined: Partial<Examined>): string[] {
    const keys = { keys: [], maxDays: null };
    const all = { status, users: [owner], keys, folder: FOLDER, version: '1.0.0', nowMs: NOW_MS, ...examined };
    const findings = examine(all).filter((finding) => finding.check === check);
    return findings.map(({ status: how, message, remedy }) => [how, message, remedy].filter(Boolean).join(': '));
  }
  const ofKeys = (...keys: Partial<ApiKey>[]) =>
    findingsOf('keys', { keys: { keys: keys.map((over) => ({ ...key, ...over })), maxDays: null } });

  test('working keys are counted, and keys with problems are listed as by keys doctor', () => {
    expect(ofKeys()).toEqual(['ok: 0 keys in use.']);
    expect(ofKeys({}, { state: 'revoked', revokedAt: '2026-02-01T00:00:00.000Z', isIssuerGone: true })).toEqual([
      'ok: 1 key in use.',
    ]);
    const blockedUntil = '2026-03-01T09:31:00.000Z';
    expect(ofKeys({ id: 'key_2', isIssuerGone: true }, { state: 'blocked', blockedUntil })).toEqual([
      'problem: The key ci in Releases is blocked: it sent more than 60 requests in 60 seconds.: ' +
        'hubctl keys show key_1 --usage',
      'warning: The key ci in Releases was issued by Mara Lindqvist, whose account is disabled. Rotate it to take it over.: ' +
        'hubctl keys rotate key_2',
    ]);
  });

  test('a workspace whose only owner is disabled counts as having no owner', () => {
    expect(findingsOf('owner', {})).toEqual(['ok: Ada Lovelace']);
    const disabled = { ...owner, disabledAt: '2026-02-01T00:00:00.000Z' };
    expect(findingsOf('owner', { users: [disabled] })).toEqual([
      'warning: The workspace has no owner yet.: hubctl setup-link',
    ]);
  });

  test('a server that other machines can reach over plain http causes a warning, even if its base URL is local', () => {
    const baseUrl = 'http://127.0.0.1:3000';
    const [finding] = findingsOf('address', { status: { ...status, baseUrl, plainHttpHost: '0.0.0.0' } });
    expect(finding).toStartWith('warning: HUB_HOST is 0.0.0.0');
    expect(finding).toContain('HUB_TLS_CERT_FILE');
  });

  test('the data folder must be private and have space left, and its path in the remedy is quoted for the shell', () => {
    const of = (isOpen: boolean, freeBytes: number, dataDir = '/srv/hub') =>
      findingsOf('data', { status: { ...status, dataDir }, folder: { isOpen, freeBytes } });
    expect(of(false, 356 * MIB)).toEqual(['ok: /srv/hub']);
    expect(of(false, 356 * MIB - 1)[0]).toStartWith('warning: The disk that holds /srv/hub is almost full.');
    expect(of(false, MIB - 1)).toEqual([
      'problem: The disk that holds /srv/hub is full: posts fail with 503.: Free up disk space. Posting then resumes by itself.',
    ]);
    expect(of(true, 356 * MIB)).toEqual([
      'problem: Other users on this machine can read /srv/hub.: chmod 700 /srv/hub',
    ]);
    expect(of(true, 0)).toHaveLength(2);
    expect(of(true, 0, "/srv/Ada's hub")[0]).toEndWith(`: chmod 700 '/srv/Ada'\\''s hub'`);
  });
});

test('status shows version, address, uptime, counts and sizes', async () => {
  await using hub = await startTestHub();
  const { id } = await hub.admin.createHub();
  await hub.admin.issueKey({ hubId: id });
  hub.clock.advance(3 * 3600 * 1000);
  const env = { HUB_ADMIN_SOCKET: hub.socketPath };
  const { stdout } = await runHubctl(['status'], { env });
  const shown = ['0.0.0-test', hub.url, '3 hours', 'Hubs            1', 'Keys in use     1', 'Last backup     none'];
  for (const text of shown) expect(stdout).toContain(text);
  const status = { version: '0.0.0-test', baseUrl: hub.url, uptimeSeconds: 10_800, hubs: 1, keys: 1, lastBackup: null };
  expect((await runHubctl(['status', '--json'], { env })).json()).toMatchObject(status);
});

test('status shows the node, the lag of live views, and the standbys of PostgreSQL', async () => {
  await using hub = await startTestHub();
  const node = {
    id: 'node_01KA3T8Q6V5M0G7ZB4W2N9RXEC',
    isLeader: true,
    nodes: 2,
    eventLag: 3,
    standbys: [
      { name: 'near', isSynchronous: true, lagBytes: 2048 },
      { name: 'far', isSynchronous: null, lagBytes: null },
    ],
  };
  const { stdout } = await runHubctl(['status'], {
    env: { HUB_ADMIN_SOCKET: hub.socketPath },
    fetch: async (url, init) => {
      const status = (await (await fetch(url, init)).json()) as object;
      return Response.json({ ...status, storage: 'postgresql', node });
    },
  });
  for (const text of [
    /Database +.* in PostgreSQL\n/,
    /Node +node_01KA3T8Q6V5M0G7ZB4W2N9RXEC \(leader\), one of 2\n/,
    /Live lag +3 events\n/,
    /Standby +near \(synchronous\): 2\.0 KiB behind\n/,
    /Standby +far: lag unknown \(grant pg_monitor to see it\)\n/,
    /Backups +with pg_dump or base backups, not with hubctl\n/,
  ]) {
    expect(stdout).toMatch(text);
  }
  expect(stdout).not.toContain('Last backup');
});
