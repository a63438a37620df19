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

describe('the hubctl line', () => {
  test.each([
    ['npx', 'npx --yes --allow-scripts=bun bun@1.4.5 run hubctl'],
    ['bun', 'bun run hubctl'],
    ['binary', 'hubctl'],
  ] as const)('works for a server started by %s', (by, command) => {
    expect(hubctlCommand(by, defaults, 'data/admin.sock')).toBe(command);
  });
  test('is quoted for the shell, whatever the path contains', async () => {
    const path = `/tmp/it's "a" $HOME`;
    const line = hubctlCommand('bun', { dataDir: path, adminSocket: 'x' }, 'x').replace('bun run hubctl', 'env');
    const child = Bun.spawn(['sh', '-c', line], { stdout: 'pipe' });
    expect(await new Response(child.stdout).text()).toContain(`HUB_DATA_DIR=${path}\n`);
  });
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
  expect({ exitCode: ran.exitCode, stderr: ran.stderr.toString() }).toEqual({
    exitCode,
    stderr: expect.stringContaining(text),
  });
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

  const modeOf = (path: string): number => statSync(path).mode & 0o777;

  test('a missing directory is created with its parents, for its user only', () => {
    const path = join(folder, 'a/b');
    prepareDataDir(path, 1000);
    expect(modeOf(path)).toBe(0o700);
  });

  describe('a data directory that cannot be used fails with its path and what to do:', () => {
    test.each([
      ['enter', 0o600],
      ['write to', 0o500],
    ])('a missing folder whose parent the user cannot %s', (_, mode) => {
      const locked = join(folder, 'locked');
      mkdirSync(locked);
      chmodSync(locked, mode);
      chmodSync(folder, 0o755);
      unprivileged(() => {
        expect(() => prepareDataDir(join(locked, 'data'), 1000)).toThrow(StartError);
        expect(() => prepareDataDir(join(locked, 'data'), 1000)).toThrow(
          /locked\/data \(HUB_DATA_DIR\) cannot be created by user 1000.*set HUB_DATA_DIR to another directory/,
        );
      });
    });
    test('a file at its path', () => {
      const path = join(folder, 'file');
      writeFileSync(path, '');
      expect(() => prepareDataDir(path, 1000)).toThrow(/is a file.*set HUB_DATA_DIR to a directory/);
      expect(() => prepareDataDir(join(path, 'data'), 1000)).toThrow(/is inside one/);
    });
  });

  test('a directory that others can write to causes a warning that says what to do', () => {
    for (const [mode, isWarned] of [
      [0o700, false],
      [0o755, false],
      [0o775, true],
      [0o777, true],
    ] as const) {
      chmodSync(folder, mode);
      expect(openFolderWarning(folder) !== null).toBe(isWarned);
    }
    expect(openFolderWarning(folder)).toContain(`chmod go-w ${folder}`);
  });
});
