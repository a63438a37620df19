import { expect, test } from 'bun:test';
import type { Fetch } from '../../runtime/deps.ts';
import { startTestHub } from '../../testing/hub.ts';
import { errorOf, runHubctl } from '../../testing/run-hubctl.ts';

test('setup-link prints a link for the first owner, and exits with 1 once there is an owner', async () => {
  await using fresh = await startTestHub();
  const env = { HUB_ADMIN_SOCKET: fresh.socketPath };
  const ran = await runHubctl(['setup-link'], { env });
  expect(ran.stdout).toMatch(/^http:\S+\/setup#hub_lnk_\w+\n$/);
  const token = new URL(ran.stdout.trim()).hash.slice(1);
  const body = { token, email: 'o@example.org', name: 'Olga', password: 'a good password' };
  const headers = { 'content-type': 'application/json' };
  const response = await fresh.fetch('/api/v1/links/redemption', {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect(await response.json()).toMatchObject({ role: 'owner' });
  const rejected = await runHubctl(['setup-link', '--json'], { env });
  expect(errorOf(rejected)).toMatchObject({
    code: 'conflict',
    exitCode: 1,
    // Each command has its own line, so that no terminal wraps it.
    hint: expect.stringContaining('\n  hubctl users reset-password OWNER\n'),
  });
});

test('setup-link --wait waits for a server that is starting, for up to a minute', async () => {
  await using fresh = await startTestHub();
  let failures = 0;
  const ended = Object.assign(new Error('no'), { code: 'ENOENT' });
  const fetch: Fetch = async (url, init) => {
    if (failures === 2) return await globalThis.fetch(url, init);
    failures += 1;
    throw ended;
  };
  const env = { HUB_ADMIN_SOCKET: fresh.socketPath };
  const ran = await runHubctl(['setup-link', '--wait'], { env, fetch });
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('/setup#hub_lnk_') });
  expect(failures).toBe(2);

  const fail = () => Promise.reject(ended);
  let now = 0;
  const late = await runHubctl(['setup-link', '--wait'], { env, fetch: fail, now: () => (now += 20_000) });
  expect(late).toMatchObject({ code: 3, stderr: expect.stringContaining('No server found') });
  expect(now).toBeGreaterThan(60_000);
  expect((await runHubctl(['setup-link'], { env, fetch: fail })).code).toBe(3);
});
