import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pemOf } from '@hub/testkit/in-process/certificates';
import { type ServerProcess, spawnServer } from '@hub/testkit/server-process';
import { testFolder } from '@hub/testkit/test-folder';
import type { Environment } from '../platform/config.ts';
import { StartError } from '../platform/errors.ts';
import { hubctlCommand, type StartedBy, startedBy } from './announce.ts';
import { openFolderWarning, prepareDataDir } from './data-dir.ts';

/** Stops a server once it is ready, and returns the setup link that it printed, or `undefined`. */
async function linkPrintedBy(server: ServerProcess): Promise<string | undefined> {
  await server.serving();
  server.kill('SIGTERM');
  await server.ended();
  return /^ {2}(\S+\/setup#hub_lnk_\w{40})$/m.exec(server.stderr())?.[1];
}

test('a server without an owner prints a new setup link on each start, outside of the log, until it is set up', async () => {
  const dataDir = testFolder('hub-first-start-');
  const env = { HUB_LOG_LEVEL: 'debug', HUB_BASE_URL: 'https://hub.example.org' };
  await using first = spawnServer({ dataDir, env });
  const former = await linkPrintedBy(first);
  expect(former).toStartWith('https://hub.example.org/setup#hub_lnk_');
  expect(first.stderr()).toContain('hubctl setup-link\n');
  expect(first.stdout()).toContain('"Serving"');
  expect(first.stdout()).not.toContain('hub_lnk_');

  await using second = spawnServer({ dataDir, env });
  const { url } = await second.serving();
  const { link } = await second.admin.request('POST /setup-link');
  const response = await fetch(`${url}/api/v1/links/redemption`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...OWNER, token: link.split('#')[1] }),
  });
  const cookie = expect.stringMatching(/^__Host-hub_session=hub_ses_/);
  expect([response.status, response.headers.get('set-cookie')]).toEqual([201, cookie]);
  expect(await linkPrintedBy(second)).not.toBe(former);
  expect(second.stderr()).toContain('/setup#hub_lnk_');

  await using again = spawnServer({ dataDir, env });
  expect(await linkPrintedBy(again)).toBeUndefined();
  expect(again.stderr()).not.toContain('setup');
  rmSync(dataDir, { recursive: true });
});

const OWNER = { email: 'ada@example.org', name: 'Ada', password: 'a good password' };
const defaults = { dataDir: './data', adminSocket: 'data/admin.sock' };

test.each<[Environment, boolean, StartedBy]>([
  [{ PATH: '/home/a/.npm/_npx/3f2a/node_modules/.bin:/usr/bin' }, false, 'npx'],
  [{ PATH: '/usr/bin', npm_config_user_agent: 'npm/11.19.1 node/v20.20.2 linux x64' }, false, 'npx'],
  [{ PATH: '/usr/bin', npm_config_user_agent: 'bun/1.4.5 npm/? node/v26.3.0 linux x64' }, false, 'bun'],
  [{ PATH: '/usr/bin' }, false, 'bun'],
  [{}, false, 'bun'],
  [{ PATH: '/home/a/.npm/_npx/3f2a/node_modules/.bin' }, true, 'binary'],
])('startedBy(%p), compiled %p, returns %s', (env, isCompiled, by) => {
  expect(startedBy(env, isCompiled)).toBe(by);
});

test('the hubctl line is for the way in which the server was started, and quoted for the shell', async () => {
  const lines = (['npx', 'bun', 'binary'] as const).map((by) => hubctlCommand(by, defaults, 'data/admin.sock'));
  expect(lines).toEqual(['npx --yes --allow-scripts=bun bun@1.4.5 run hubctl', 'bun run hubctl', 'hubctl']);
  const path = `/tmp/it's "a" $HOME`;
  const line = hubctlCommand('bun', { dataDir: path, adminSocket: 'x' }, 'x').replace('bun run hubctl', 'env');
  expect(Bun.spawnSync(['sh', '-c', line]).stdout.toString()).toContain(`HUB_DATA_DIR=${path}\n`);
});

const MAIN = resolve(import.meta.dir, '../main.ts');

test.each([
  [['--port', '80'], '--port'],
  [['check', 'foo'], 'foo'],
])('a process with an unknown argument exits with 2, serves nothing and creates nothing: %j', async (args, unknown) => {
  const cwd = resolve(import.meta.dir);
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, MAIN, ...args], { cwd, env: {} });
  expect({ exitCode, stdout: stdout.toString() }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr.toString()).toContain(`The server does not know the argument "${unknown}".`);
  expect(await Bun.file(resolve(cwd, 'data/hub.db')).exists()).toBe(false);
});

const TLS = { HUB_TLS_CERT_FILE: pemOf('first', 'cert'), HUB_TLS_KEY_FILE: pemOf('first', 'key') };

test.each([
  [{}, 0, 'The settings are valid.'],
  [{ ...TLS, HUB_BASE_URL: 'https://hub.example.org' }, 0, 'Warning: The certificate (HUB_TLS_CERT_FILE) is not for'],
  [{ HUB_DATA_DIR: import.meta.path }, 2, '(HUB_DATA_DIR) is a file'],
  [{ HUB_TLS_CERT_FILE: '/missing.pem', HUB_TLS_KEY_FILE: '/missing.key' }, 2, 'Cannot read /missing.pem'],
])('hub check says whether the settings %j are valid, and serves nothing', (env, exitCode, text) => {
  const ran = Bun.spawnSync([process.execPath, MAIN, 'check'], { env, stderr: 'pipe' });
  expect([ran.exitCode, ran.stderr.toString()]).toEqual([exitCode, expect.stringContaining(text)]);
});

describe('data dir', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hub-data-dir-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs a function without root privileges. */
  function unprivileged(run: () => void): void {
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      run();
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  }

  test('a missing directory is created with its parents, for its user only', () => {
    const path = join(folder, 'a/b');
    prepareDataDir(path, 1000);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  test('a missing directory whose parent the user cannot enter or write to fails with its path and what to do', () => {
    const locked = join(folder, 'locked');
    mkdirSync(locked);
    chmodSync(folder, 0o755);
    for (const mode of [0o600, 0o500]) {
      chmodSync(locked, mode);
      unprivileged(() => {
        expect(() => prepareDataDir(join(locked, 'data'), 1000)).toThrow(StartError);
        expect(() => prepareDataDir(join(locked, 'data'), 1000)).toThrow(
          /locked\/data \(HUB_DATA_DIR\) cannot be created by user 1000.*set HUB_DATA_DIR to another directory/,
        );
      });
    }
  });

  test('a file at its path is rejected', () => {
    const path = join(folder, 'file');
    writeFileSync(path, '');
    expect(() => prepareDataDir(path, 1000)).toThrow(/is a file.*set HUB_DATA_DIR to a directory/);
    expect(() => prepareDataDir(join(path, 'data'), 1000)).toThrow(/is inside one/);
  });

  test('a directory that others can write to causes a warning that says what to do', () => {
    const isWarned = [0o700, 0o755, 0o775, 0o777].map((mode) => {
      chmodSync(folder, mode);
      return openFolderWarning(folder) !== null;
    });
    expect(isWarned).toEqual([false, false, true, true]);
    expect(openFolderWarning(folder)).toContain(`chmod go-w ${folder}`);
  });
});
