import { expect, test } from 'bun:test';
import { startTestHub } from '../testing/hub.ts';
import { runHubctl } from '../testing/run-hubctl.ts';

test('status shows version, address, uptime, counts and sizes', async () => {
  await using hub = await startTestHub();
  const { id } = await hub.admin.createHub();
  await hub.admin.issueKey({ hubId: id });
  hub.clock.advance(3 * 3600 * 1000);
  const env = { HUB_ADMIN_SOCKET: hub.socketPath };
  const people = await runHubctl(['status'], { env });
  expect(people.code).toBe(0);
  for (const text of ['0.0.0-test', hub.url, '3 hours', 'Hubs            1', 'Keys in use     1', 'KiB']) {
    expect(people.stdout).toContain(text);
  }
  const program = await runHubctl(['status', '--json'], { env });
  expect(program.json()).toMatchObject({
    version: '0.0.0-test',
    baseUrl: hub.url,
    uptimeSeconds: 10_800,
    hubs: 1,
    keys: 1,
  });
});
