import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync } from 'node:fs';
import type { ServerStatus } from '@hub/contract';
import { temporaryHome } from '../testing/files.ts';
import { createUser, tokenOf } from '../testing/hub.ts';
import { type HubctlOnHub, startHubctl } from '../testing/hubctl-on-hub.ts';
import { errorOf, runHubctl } from '../testing/run-hubctl.ts';
import { startScriptedServer } from '../testing/scripted-server.ts';
import type { Finding } from './doctor.ts';

const DAY = 86_400_000;

let on: HubctlOnHub;
beforeAll(async () => {
  on = await startHubctl();
});
afterAll(() => on.stop());

const backUp = async () => {
  const response = await on.hub.admin.raw('POST', '/backups');
  await response.bytes();
  await on.hub.admin.raw('POST', `/backups/${response.headers.get('hub-backup-id')}/confirmation`);
};
const found = async () => (await on.hubctl(['doctor', '--json'])).json<{ items: Finding[] }>().items;
const worrying = async () => (await found()).filter(({ status }) => status !== 'ok');

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

test('doctor lists keys that expire soon, except for keys of deleted Hubs', async () => {
  const soon = await on.issue('soon', '--expires-in', '20d');
  const { id: atticId } = await on.hub.admin.createHub('Attic');
  await on.hubctl(['keys', 'issue', '--hub', atticId, '--name', 'attic', '--scopes', 'notes', '--expires-in', '20d']);
  await on.hub.admin.deleteHub(atticId);
  on.hub.clock.advance(9 * DAY);
  await backUp();
  expect(await worrying()).toEqual([
    {
      check: 'keys',
      status: 'warning',
      message: 'The key soon in Releases expires in 11 days.',
      remedy: `hubctl keys rotate ${soon.id}`,
    },
    {
      check: 'keys',
      status: 'warning',
      message: 'The key soon in Releases was issued 9 days ago and never used.',
      remedy: `hubctl keys revoke ${soon.id}`,
    },
  ]);
  on.hub.clock.advance(8 * DAY);
  expect((await worrying()).map(({ message }) => message)).toEqual([
    'The last backup was taken 2026-03-10 09:30 UTC (8 days ago).',
    'The key soon in Releases expires in 3 days.',
    'The key soon in Releases was issued 17 days ago and never used.',
  ]);
});

test('doctor exits with 1 if other users of the machine can read the data', async () => {
  const { dataDir } = (await on.hubctl(['status', '--json'])).json<ServerStatus>();
  chmodSync(dataDir, 0o755);
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
    expect(stdout).toContain('Run hubctl doctor --local where the server runs');
  });
});

test('doctor exits with 3 if there is no server', async () => {
  expect((await runHubctl(['doctor'], { env: { HUB_DATA_DIR: '/nonexistent' } })).code).toBe(3);
});
