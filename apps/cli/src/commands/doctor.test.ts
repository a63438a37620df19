import { beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync } from 'node:fs';
import type { ApiKey, ServerStatus, User } from '@hub/contract';
import { testKey } from '@hub/contract/test-key.fixture';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { createUser, newTokenOf } from '@hub/testkit/in-process/users';
import { startScriptedServer } from '@hub/testkit/scripted-server';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { sharedHubctl } from '../../test/hubctl-on-hub.ts';
import { errorOf, runHubctl } from '../../test/run-hubctl.ts';
import { temporaryHome } from '../../test/temporary-home.ts';
import { type Examined, examine, type Finding } from './doctor.ts';

describe('doctor', () => {
  const on = sharedHubctl();

  test('doctor lists the problems of a new server with the commands that fix them', async () => {
    const { code, stdout, stderr } = await on.hubctl(['doctor']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('2 warnings found')]);
    for (const text of ['The workspace has no owner yet', 'hubctl setup-link', 'No backup yet'])
      expect(stdout).toContain(text);
  });

  test('doctor finds no problems if the workspace has an owner and a recent backup, and lists the checks', async () => {
    using folder = temporaryFolder();
    await createUser(on.hub, { role: 'owner' });
    await on.hubctl(['backup', folder.file('hub.db')]);
    const { items } = (await on.hubctl(['doctor', '--json'])).json<{ items: Finding[] }>();
    const checks = ['server', 'owner', 'address', 'data', 'backup', 'keys'].map((check) => `${check} ok`);
    expect(items.map(({ check, status }) => `${check} ${status}`)).toEqual(checks);
    expect((await on.hubctl(['doctor'])).stderr).toContain('No problems found.');
  });

  test('doctor exits with 1 if other users of the machine can read the data', async () => {
    const { dataDir } = await on.hub.admin.status();
    // Its group alone is enough.
    chmodSync(dataDir, 0o750);
    const error = errorOf(await on.hubctl(['doctor', '--json']));
    expect(error).toMatchObject({ code: 'unwell', exitCode: 1, findings: expect.any(Array) });
    const { stdout, stderr } = await on.hubctl(['doctor']);
    expect(stdout).toContain(`chmod 700 ${dataDir}`);
    expect(stderr).toContain('error: 1 problem found');
    chmodSync(dataDir, 0o700);
  });

  describe('doctor, with a data directory that it cannot check,', () => {
    const doctor = async (dataDir: string, flags: string[] = []) => {
      const status = await on.hub.admin.status();
      await using server = startScriptedServer(({ path }) =>
        Response.json(path === '/api/v1/status' ? { ...status, dataDir } : { items: [], next: null }),
      );
      return await runHubctl(['doctor', ...flags], { env: { HUB_ADMIN_SOCKET: server.socketPath } });
    };
    const unchecked = (why: string) => `Could not check the data directory: ${why}`;

    test.each([
      ['./data', 'the server reports the relative path ./data. Set HUB_DATA_DIR to an absolute path.'],
      ['/nonexistent/hub', '/nonexistent/hub does not exist on this machine.'],
      [`${import.meta.path}/data`, `${import.meta.path}/data does not exist on this machine.`],
    ])('reports %s as unchecked with the reason, in text and JSON', async (dataDir, why) => {
      const { stdout, stderr } = await doctor(dataDir);
      expect(stdout).toContain(`unchecked  data     ${unchecked(why)}`);
      expect(stderr).toContain('1 check could not run');
      expect(stderr).not.toContain('No problems found');
      const { items } = (await doctor(dataDir, ['--json'])).json<{ items: Finding[] }>();
      const finding: Finding = {
        check: 'data',
        status: 'unchecked',
        message: unchecked(why),
        remedy: expect.any(String),
      };
      expect(items).toContainEqual(finding);
    });

    test('reports the directory of a remote server as unchecked, and suggests --local', async () => {
      using home = temporaryHome();
      const token = await newTokenOf(on.hub, await createUser(on.hub, { role: 'admin' }));
      home.give('remote', { url: on.hub.url, token });
      const { stdout } = await home.hubctl(['doctor']);
      expect(stdout).toContain(unchecked('this needs the admin socket of the server.'));
      expect(stdout).toContain('Where the server runs (in its container), as the same user: hubctl doctor --local');
      const rows = (await home.hubctl(['doctor'], { columns: 80 })).stdout.split('\n');
      expect(rows.filter((row) => row.length > 80)).toEqual([]);
    });
  });

  const NOW_MS = Date.parse('2026-03-01T09:30:00.000Z');
  const MIB = 1024 * 1024;

  let status: ServerStatus;
  beforeAll(async () => {
    const sizes = { databaseBytes: 100 * MIB, walBytes: 0 };
    status = { ...(await on.hub.admin.status()), version: '1.0.0', dataDir: '/srv/hub', ...sizes };
  });

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
    const revoked = { state: 'revoked', revokedAt: '2026-02-01T00:00:00.000Z', isIssuerGone: true } as const;
    expect(ofKeys({}, revoked)).toEqual(['ok: 1 key in use.']);
    const blocked = { state: 'blocked', blockedUntil: '2026-03-01T09:31:00.000Z' } as const;
    const [problem, warning] = ofKeys({ id: 'key_2', isIssuerGone: true }, blocked);
    expect(problem).toMatch(/^problem: The key ci in Releases is blocked: .*: hubctl keys show key_1$/);
    expect(warning).toMatch(
      /^warning: .* issued by Mara Lindqvist, whose account is disabled.*: hubctl keys rotate key_2$/,
    );
  });

  test('a workspace whose only owner is disabled counts as having no owner', () => {
    expect(findingsOf('owner', {})).toEqual(['ok: Ada Lovelace']);
    const disabled = { ...owner, disabledAt: '2026-02-01T00:00:00.000Z' };
    const expected = ['warning: The workspace has no owner yet.: hubctl setup-link'];
    expect(findingsOf('owner', { users: [disabled] })).toEqual(expected);
  });

  test('a node whose clock differs from that of the database by more than two seconds causes a warning', () => {
    const ahead = (clockDifferenceMs: number) => {
      const node = { id: 'node_1', isLeader: true, clockDifferenceMs, nodes: 2, eventLag: 0, standbys: [] };
      return findingsOf('server', { status: { ...status, node } }).slice(1);
    };
    expect([ahead(2_000), ahead(-2_000)]).toEqual([[], []]);
    expect(ahead(-2_500)[0]).toStartWith('warning: The clock of this node is 2.5 s behind that of the database.: ');
    expect(ahead(2_500)[0]).toContain('2.5 s ahead of that of the database');
  });

  test('a provider that cannot be looked up, or whose clock differs by more than 30 seconds, is a problem', () => {
    const of = (problem: string | null, clockDifferenceMs: number | null) => {
      const provider = { issuer: 'https://id.example.org', redirectUrl: 'https://hub.example.org/sign-in/callback' };
      return findingsOf('sign-in', { status: { ...status, provider: { ...provider, problem, clockDifferenceMs } } });
    };
    const ok = 'ok: https://id.example.org, which sends users back to https://hub.example.org/sign-in/callback.';
    expect([of(null, null), of(null, -30_000)]).toEqual([[ok], [ok]]);
    const behind = 'problem: The clock of this server is 30.5 s behind that of https://id.example.org.: ';
    expect(of(null, -30_500)[0]).toStartWith(behind);
    expect(of('fetch failed', 60_000)[0]).toStartWith(
      'problem: https://id.example.org cannot be looked up: fetch failed',
    );
  });

  test('mail shows the sender, the queue and the last problem', () => {
    const server = { server: 'mail.example.org:587', from: 'hub@example.org' };
    const of = (mail: ServerStatus['mail']) => findingsOf('mail', { status: { ...status, mail } });
    expect(of(null)).toEqual([]);
    const fine = 'From hub@example.org through mail.example.org:587: 0 waiting, 0 failed.';
    expect(of({ ...server, waiting: 0, failed: 0, problem: null })).toEqual([`ok: ${fine}`]);
    const [finding] = of({ ...server, waiting: 2, failed: 1, problem: '535 no' });
    expect(finding).toStartWith('warning: From hub@example.org through mail.example.org:587: 2 waiting, 1 failed.');
    expect(finding).toContain('Last problem: 535 no.: Check HUB_SMTP_URL');
  });

  test('doctor --mail says that this server sends no mail', async () => {
    const { code, stderr } = await on.hubctl(['doctor', '--mail', 'ada@example.org']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('This server sends no mail. Set HUB_SMTP_URL')]);
  });

  test('a server that other machines can reach over plain http causes a warning, even if its base URL is local', () => {
    const baseUrl = 'http://127.0.0.1:3000';
    const [finding] = findingsOf('address', { status: { ...status, baseUrl, plainHttpHost: '0.0.0.0' } });
    expect(finding).toStartWith('warning: HUB_HOST is 0.0.0.0');
    expect(finding).toContain('HUB_TLS_CERT_FILE');
  });

  test('a certificate that clients reject is a problem once it has expired, else a warning', () => {
    const of = (days: number) => {
      const expiresAt = new Date(NOW_MS + days * 86_400_000).toISOString();
      return findingsOf('address', { status: { ...status, certificate: { expiresAt, problem: 'Renew it.' } } });
    };
    expect([of(0), of(1)]).toEqual([['problem: Renew it.'], ['warning: Renew it.']]);
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

  test('files that take 90 % of their limit cause a warning', () => {
    const of = (fileBytes: number, maxFileBytes: number) =>
      findingsOf('data', { status: { ...status, fileBytes, maxFileBytes } }).slice(1);
    expect([of(90 * MIB - 1, 100 * MIB), of(0, 0)]).toEqual([[], []]);
    expect(of(90 * MIB, 100 * MIB)[0]).toStartWith('warning: The files take 90.0 MiB of 100.0 MiB.');
  });
});

test('status shows version, address, uptime, counts and sizes', async () => {
  await using hub = await startTestHub();
  await hub.admin.issueKey({ hubId: (await hub.admin.createHub()).id });
  hub.clock.advance(3 * 3600 * 1000);
  const { stdout } = await runHubctl(['status'], { env: { HUB_ADMIN_SOCKET: hub.socketPath } });
  const texts = [
    '0.0.0-test',
    hub.url,
    '3 hours',
    'Hubs            1',
    'Keys in use     1',
    'Files           0 bytes of 10.0 GiB',
    'Last backup     none',
  ];
  for (const text of texts) expect(stdout).toContain(text);
});

test('status warns once the files take 90 % of their limit', async () => {
  await using hub = await startTestHub();
  const status = await hub.admin.status();
  await using server = startScriptedServer(() => Response.json({ ...status, fileBytes: 9, maxFileBytes: 10 }));
  const { stderr } = await runHubctl(['status'], { env: { HUB_ADMIN_SOCKET: server.socketPath } });
  expect(stderr).toContain('The files take 9 bytes of 10 bytes. Beyond that, uploads get 413.');
});

test('status shows the node, the lag of live views, and the standbys of PostgreSQL', async () => {
  await using hub = await startTestHub();
  const near = { name: 'near', isSynchronous: true, lagBytes: 2048 };
  const standbys = [near, { name: 'far', isSynchronous: null, lagBytes: null }];
  const node = { id: 'node_01KA3T8Q6V5M0G7ZB4W2N9RXEC', isLeader: true, nodes: 2, eventLag: 3, standbys };
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
