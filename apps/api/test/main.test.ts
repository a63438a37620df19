import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { openConnection, rawHead } from '@hub/testkit/http';
import { pemOf } from '@hub/testkit/in-process/certificates';
import { type ServerProcess, spawnServer } from '@hub/testkit/server-process';
import { testFolder } from '@hub/testkit/test-folder';

/** Starts a post without its last byte, and resolves once the server is handling it. */
async function beginPost(hub: ServerProcess) {
  const { url } = await hub.serving();
  const issued = await hub.admin.issueKey({ scopes: ['messages:create'] });
  const connection = await openConnection(url);
  const head = rawHead(
    'POST /api/public/v1/messages HTTP/1.1',
    'Host: hub.test',
    `Authorization: Bearer ${issued.key}`,
    'Content-Type: application/json',
    'Content-Length: 13',
  );
  await connection.write(`${head}{"text":"hi"`);
  while ((await hub.admin.showKey(issued.id)).requestCount === 0);
  return { finish: () => connection.write('}'), response: () => connection.response() };
}

test('a server with warnings logs each of them once, and still starts', async () => {
  const tls = { HUB_TLS_CERT_FILE: pemOf('first', 'cert'), HUB_TLS_KEY_FILE: pemOf('first', 'key') };
  await using secured = spawnServer({ env: { ...tls, HUB_BASE_URL: 'https://hub.example.org' } });
  await using hub = spawnServer({ env: { HUB_HOST: '0.0.0.0', HUB_PROT: '1', HUB_DRAIN_SECONDS: '1' } });
  await hub.serving();
  expect(await hub.admin.status()).toMatchObject({ plainHttpHost: '0.0.0.0' });
  hub.kill('SIGTERM');
  expect(await hub.ended()).toBe(0);
  const output = hub.stdout() + hub.stderr();
  expect(output.match(/HUB_PROT is not a server setting and is ignored; did you mean HUB_PORT\?/g)).toHaveLength(1);
  expect(output.match(/it uses plain HTTP/g)).toHaveLength(1);

  await secured.serving();
  const problem = expect.stringContaining('is not for hub.example.org');
  const expiresAt = '2126-10-28T04:25:06.000Z';
  expect((await secured.admin.status()).certificate).toEqual({ expiresAt, problem });
  const metrics = await secured.admin.fetch('/metrics');
  expect(await metrics.text()).toContain(`hub_tls_certificate_expires_seconds ${Date.parse(expiresAt) / 1_000}\n`);
  expect(secured.stdout().match(/is not for hub.example.org/g)).toHaveLength(1);
});

describe('a server', () => {
  test('prints its address and the next steps on stderr, and JSON logs on stdout; SIGTERM lets it complete posts that have begun, but accept no new ones, and leave no socket or log behind', async () => {
    // If npx started the tests, their own PATH would look as if npx had started the server.
    await using hub = spawnServer({ env: { PATH: '/usr/bin:/bin' } });
    const { url } = await hub.serving();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await fetch(`${url}/readyz`, { method: 'HEAD' })).status).toBe(200);
    const running = await beginPost(hub);
    hub.kill('SIGTERM');
    await hub.logged('Stopping');
    expect((await hub.admin.fetch('/readyz')).status).toBe(503);
    await expect(fetch(`${url}/readyz`)).rejects.toThrow();
    await running.finish();
    expect((await running.response()).status).toBe(201);
    expect(await hub.ended()).toBe(0);
    // Neither its socket nor its database log is left behind.
    const names = readdirSync(hub.dataDir);
    expect(names).toContain('hub.db');
    expect(names.filter((name) => /sock|-wal|-shm|-journal/.test(name))).toEqual([]);
    expect(hub.stderr()).toContain(` is running at ${url}\n`);
    expect(hub.stderr()).toContain(`HUB_DATA_DIR=${hub.dataDir} bun run hubctl hubs create "My Hub"\n`);
    for (const line of hub.stdout().trimEnd().split('\n')) expect(() => JSON.parse(line)).not.toThrow();

    await using next = spawnServer({ dataDir: hub.dataDir });
    await next.serving();
    expect(await next.admin.status()).toMatchObject({ items: 1, keys: 1 });
  });

  test('with a stop signal serves for HUB_DRAIN_SECONDS while it is not ready, closes each connection after its response, and exits immediately on a second signal', async () => {
    await using hub = spawnServer({ env: { HUB_DRAIN_SECONDS: '60' } });
    await beginPost(hub);
    const { url } = await hub.serving();
    hub.kill('SIGTERM');
    await hub.logged('Stopping');
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
    const served = await fetch(`${url}/api/v1`);
    expect([served.status, served.headers.get('connection')]).toEqual([200, 'close']);
    // A signal right after the first one counts as the same.
    const repeated = setInterval(() => hub.kill('SIGTERM'), 50);
    expect(await hub.ended()).toBe(1);
    clearInterval(repeated);
    expect(await hub.logged('Second stop signal: exiting immediately')).toMatchObject({ level: 'warn' });
  });
});

const failsWith = async (exitCode: number, message: RegExp, options: Parameters<typeof spawnServer>[0]) => {
  await using hub = spawnServer(options);
  expect(await hub.ended()).toBe(exitCode);
  expect(hub.stderr()).toMatch(message);
  expect(hub.stderr()).not.toMatch(/^\s+at /m);
  expect(hub.stderr().trimEnd().split('\n').length).toBeLessThanOrEqual(4);
  return hub.stderr();
};

test('a server that cannot start prints the reason and exits with 2 if the configuration is invalid, listing every error', async () => {
  const stderr = await failsWith(2, /HUB_PORT must be/, { env: { HUB_PORT: 'x', HUB_LOG_LEVEL: 'loud' } });
  expect(stderr).toContain('HUB_LOG_LEVEL must be');
});

test('a server that cannot start prints the reason and exits with 1 if another server uses the data directory, which has files for its user only, whatever the umask; once that was killed, one starts despite its lock and socket', async () => {
  const dataDir = testFolder('hub-main-');
  const env = { HUB_DATA_DIR: relative(process.cwd(), dataDir) };
  const first = spawnServer({ dataDir, cwd: process.cwd(), env });
  const { url } = await first.serving();
  // Before the workspace is set up, too.
  await first.admin.createHub('Releases');
  expect((await first.admin.status()).dataDir).toBe(dataDir);
  for (const name of readdirSync(dataDir)) {
    expect([name, statSync(join(dataDir, name)).mode & 0o777]).toEqual([name, 0o600]);
  }
  await failsWith(1, /^Another Hub server is running on /, { dataDir });
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  first.kill('SIGKILL');
  await first.ended();
  expect(existsSync(first.adminSocket)).toBe(true);
  await using next = spawnServer({ dataDir });
  expect((await fetch(`${(await next.serving()).url}/readyz`)).status).toBe(200);
  next.kill('SIGTERM');
  expect(await next.ended()).toBe(0);
  rmSync(dataDir, { recursive: true });
});
