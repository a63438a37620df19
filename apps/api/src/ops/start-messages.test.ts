import { describe, expect, test } from 'bun:test';
import type { Environment } from '../platform/config.ts';
import { greeting, hubctlCommand, nodeAddressWarning, type StartedBy, serviceAccount, startedBy } from './announce.ts';

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

test('serviceAccount returns the account of a service that systemd started directly, unless it is root', () => {
  const service = { SYSTEMD_EXEC_PID: '7', USER: 'hub' };
  expect(serviceAccount(service, 7)).toBe('hub');
  expect(serviceAccount(service, 8)).toBeNull();
  expect(serviceAccount({ ...service, USER: 'root' }, 7)).toBeNull();
  expect(serviceAccount({ SYSTEMD_EXEC_PID: '7' }, 7)).toBeNull();
  expect(serviceAccount({ USER: 'hub' }, 7)).toBeNull();
});

test('a node without HUB_BASE_URL warns that its links lead to it alone', () => {
  const databaseUrl = 'postgres://hub@db/hub';
  expect(nodeAddressWarning({ databaseUrl, baseUrl: null })).toContain('Set it to the same address on all nodes');
  expect(nodeAddressWarning({ databaseUrl, baseUrl: 'https://hub.example.org' })).toBeNull();
  expect(nodeAddressWarning({ databaseUrl: null, baseUrl: null })).toBeNull();
});

describe('the hubctl line', () => {
  test.each([
    ['npx', 'npx --yes --allow-scripts=bun bun@1.4.5 run hubctl'],
    ['bun', 'bun run hubctl'],
    ['binary', 'hubctl'],
  ] as const)('works for a server started by %s', (by, command) => {
    expect(hubctlCommand(by, defaults, 'data/admin.sock')).toBe(command);
  });
  test('includes a data directory that is not the default', () => {
    const config = { dataDir: '/var/lib/hub', adminSocket: '/var/lib/hub/admin.sock' };
    expect(hubctlCommand('bun', config, '/var/lib/hub/admin.sock')).toBe('HUB_DATA_DIR=/var/lib/hub bun run hubctl');
  });
  test('includes a socket that is not the default', () => {
    const config = { dataDir: '/var/lib/hub', adminSocket: '/run/hub.sock' };
    expect(hubctlCommand('bun', config, '/var/lib/hub/admin.sock')).toBe(
      'HUB_ADMIN_SOCKET=/run/hub.sock bun run hubctl',
    );
  });
  test('is quoted for the shell, whatever the path contains', async () => {
    const path = `/tmp/it's "a" $HOME`;
    const line = hubctlCommand('bun', { dataDir: path, adminSocket: 'x' }, 'x').replace('bun run hubctl', 'env');
    const child = Bun.spawn(['sh', '-c', line], { stdout: 'pipe' });
    expect(await new Response(child.stdout).text()).toContain(`HUB_DATA_DIR=${path}\n`);
  });
});

describe('the greeting', () => {
  const base = {
    version: '1.2.3',
    url: 'http://127.0.0.1:3000',
    localUrl: 'http://127.0.0.1:3000',
    setupLink: null,
    hubctl: 'hubctl',
  };

  test('shows the address and how to create the first Hub', () => {
    const text = greeting({ ...base, hasHubs: false });
    expect(text).toContain('Hub 1.2.3 is running at http://127.0.0.1:3000\n');
    expect(text).toContain('  hubctl hubs create "My Hub"\n');
  });
  test('shows the setup link on its own line, and how to get another', () => {
    const text = greeting({ ...base, hasHubs: true, setupLink: 'https://hub.example.org/setup#hub_lnk_x' });
    expect(text).toContain('\n  https://hub.example.org/setup#hub_lnk_x\n');
    expect(text).toContain('hubctl setup-link\n');
    expect(greeting({ ...base, hasHubs: true })).not.toContain('setup');
  });
  test('shows both addresses behind a proxy', () => {
    const text = greeting({ ...base, url: 'https://hub.example.org', hasHubs: true });
    expect(text).toBe('Hub 1.2.3 is running at https://hub.example.org (listening on http://127.0.0.1:3000)\n');
  });
});
