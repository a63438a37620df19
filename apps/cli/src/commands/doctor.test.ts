import { beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync } from 'node:fs';
import type { ApiKey, ServerStatus, User } from '@hub/contract';
import { testKey } from '@hub/contract/test-key.fixture';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { createUser, newTokenOf } from '@hub/testkit/in-process/users';
import { startScriptedServer } from '@hub/testkit/scripted-server';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { sharedHubctl } from '../../test/hubctl-on-hub.ts';
import { errorOf, runHubctl } from '../../test/run-hubctl.ts';
import { temporaryHome } from '../../test/temporary-home.ts';
import { type Examined, examine, type Finding } from './doctor.ts';

const on = sharedHubctl();

test('doctor lists the problems of a new server with the commands that fix them', async () => {
  const { code, stdout, stderr } = await on.hubctl(['doctor']);
  expect([code, stderr]).toEqual([0, expect.stringContaining('2 warnings found')]);
  expect(stdout).toMatch(/The workspace has no owner yet.*hubctl setup-link.*No backup yet/s);
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
    const finding = { check: 'data', status: 'unchecked', message: unchecked(why), remedy: expect.any(String) };
    expect(items).toContainEqual(finding as Finding);
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
const owner = { name: 'Ada Lovelace', role: 'owner', disabledAt: null } as User;

let status: ServerStatus;
beforeAll(async () => {
  const sizes = { databaseBytes: 100 * MIB, walBytes: 0 };
  status = { ...(await on.hub.admin.status()), version: '1.0.0', dataDir: '/srv/hub', ...sizes };
});

/** Returns the findings of one check: status, message and remedy. */
function findingsOf(check: string, of: Partial<ServerStatus>, examined: Partial<Examined> = {}): string[] {
  const folder = { isOpen: false, freeBytes: 1024 * MIB };
  const all = { users: [owner], keys: { keys: [], maxDays: null }, folder, version: '1.0.0', nowMs: NOW_MS };
  const findings = examine({ ...all, status: { ...status, ...of }, ...examined });
  const ofCheck = findings.filter((finding) => finding.check === check);
  return ofCheck.map(({ status: how, message, remedy }) => [how, message, remedy].filter(Boolean).join(': '));
}

test('working keys are counted, and keys with problems are listed as by keys doctor', () => {
  const key = testKey({ hubName: 'Releases', name: 'ci', expiresAt: null });
  const ofKeys = (...keys: Partial<ApiKey>[]) =>
    findingsOf('keys', {}, { keys: { keys: keys.map((over) => ({ ...key, ...over })), maxDays: null } });
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
  const users = [{ ...owner, disabledAt: '2026-02-01T00:00:00.000Z' }];
  const expected = ['warning: The workspace has no owner yet.: hubctl setup-link'];
  expect(findingsOf('owner', {}, { users })).toEqual(expected);
});

const node = (clockDifferenceMs: number) => ({
  node: { id: 'node_1', isLeader: true, clockDifferenceMs, nodes: 2, eventLag: 0, standbys: [] },
});
const ISSUER = 'https://id.example.org';
const provider = (problem: string | null, clockDifferenceMs: number | null) => ({
  provider: { issuer: ISSUER, redirectUrl: 'https://hub.example.org/sign-in/callback', problem, clockDifferenceMs },
});
const mail = (waiting: number, failed: number, problem: string | null) => ({
  mail: { server: 'mail.example.org:587', from: 'hub@example.org', waiting, failed, problem },
});
const certificate = (days: number) => ({
  certificate: { expiresAt: new Date(NOW_MS + days * 86_400_000).toISOString(), problem: 'Renew it.' },
});
const from = 'From hub@example.org through mail.example.org:587:';
const isUsable = `ok: ${ISSUER}, which sends users back to https://hub.example.org/sign-in/callback.`;

test.each<[check: string, of: Partial<ServerStatus>, finding: string | undefined, more?: string]>([
  ['server', node(-2_500), 'warning: The clock of this node is 2.5 s behind that of the database.: '],
  ['server', node(2_500), 'warning: The clock of this node is 2.5 s ahead of that of the database.: '],
  ['sign-in', provider(null, null), isUsable],
  ['sign-in', provider(null, -30_000), isUsable],
  ['sign-in', provider(null, -30_500), `problem: The clock of this server is 30.5 s behind that of ${ISSUER}.: `],
  ['sign-in', provider('fetch failed', 60_000), `problem: ${ISSUER} cannot be looked up: fetch failed`],
  ['mail', mail(0, 0, null), `ok: ${from} 0 waiting, 0 failed.`],
  ['mail', mail(2, 1, '535 no'), `warning: ${from} 2 waiting, 1 failed.`, 'Last problem: 535 no.: Check HUB_SMTP_URL'],
  ['address', { plainHttpHost: '0.0.0.0' }, 'warning: HUB_HOST is 0.0.0.0', 'HUB_TLS_CERT_FILE'],
  ['address', certificate(0), 'problem: Renew it.'],
  ['address', certificate(1), 'warning: Renew it.'],
  ['data', { fileBytes: 90 * MIB, maxFileBytes: 100 * MIB }, 'warning: The files take 90.0 MiB of 100.0 MiB.'],
])('%s with %j: %s', (check, of, finding, more = '') => {
  // Two checks begin with the version of the server, and with the folder.
  const [found] = findingsOf(check, of).slice(['server', 'data'].includes(check) ? 1 : 0);
  if (finding === undefined) expect(found).toBeUndefined();
  else expect(found).toStartWith(finding);
  expect(found ?? '').toContain(more);
});

test('doctor --mail says that this server sends no mail', async () => {
  const { code, stderr } = await on.hubctl(['doctor', '--mail', 'ada@example.org']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('This server sends no mail. Set HUB_SMTP_URL')]);
});

test('the data folder must be private and have space left, and its path in the remedy is quoted for the shell', () => {
  const of = (isOpen: boolean, freeBytes: number, dataDir = '/srv/hub') =>
    findingsOf('data', { dataDir }, { folder: { isOpen, freeBytes } });
  expect(of(false, 356 * MIB)).toEqual(['ok: /srv/hub']);
  expect(of(false, 356 * MIB - 1)[0]).toStartWith('warning: The disk that holds /srv/hub is almost full.');
  const full = 'problem: The disk that holds /srv/hub is full: posts fail with 503.';
  expect(of(false, MIB - 1)).toEqual([`${full}: Free up disk space. Posting then resumes by itself.`]);
  const open = 'problem: Other users on this machine can read /srv/hub.: chmod 700 /srv/hub';
  expect(of(true, 356 * MIB)).toEqual([open]);
  expect(of(true, 0)).toHaveLength(2);
  expect(of(true, 0, "/srv/Ada's hub")[0]).toEndWith(`: chmod 700 '/srv/Ada'\\''s hub'`);
});

describe('status', () => {
  const hub = shared(startTestHub);
  /** Runs it on a server whose status has these fields, too. */
  const status = (fields: object = {}) =>
    runHubctl(['status'], {
      env: { HUB_ADMIN_SOCKET: hub.socketPath },
      fetch: async (url, init) => Response.json({ ...((await (await fetch(url, init)).json()) as object), ...fields }),
    });

  test('shows version, address, uptime, counts and sizes', async () => {
    await hub.admin.issueKey({ hubId: (await hub.admin.createHub()).id });
    hub.clock.advance(3 * 3600 * 1000);
    const { stdout } = await status();
    const counts = ['Hubs            1', 'Keys in use     1', 'Files           0 bytes of 10.0 GiB'];
    for (const text of ['0.0.0-test', hub.url, '3 hours', ...counts, 'Last backup     none'])
      expect(stdout).toContain(text);
  });

  test('warns once the files take 90 % of their limit', async () => {
    const { stderr } = await status({ fileBytes: 9, maxFileBytes: 10 });
    expect(stderr).toContain('The files take 9 bytes of 10 bytes. Beyond that, uploads get 413.');
  });
});
