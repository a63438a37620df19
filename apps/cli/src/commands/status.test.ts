import { expect, test } from 'bun:test';
import { startTestHub } from '@hub/testkit/cli/hub';
import { runHubctl } from '@hub/testkit/cli/run-hubctl';

test('status shows version, address, uptime, counts and sizes', async () => {
  await using hub = await startTestHub();
  const { id } = await hub.admin.createHub();
  await hub.admin.issueKey({ hubId: id });
  hub.clock.advance(3 * 3600 * 1000);
  const env = { HUB_ADMIN_SOCKET: hub.socketPath };
  const users = await runHubctl(['status'], { env });
  expect(users.code).toBe(0);
  for (const text of [
    '0.0.0-test',
    hub.url,
    '3 hours',
    'Hubs            1',
    'Keys in use     1',
    'KiB',
    'Last backup     none',
  ]) {
    expect(users.stdout).toContain(text);
  }
  const program = await runHubctl(['status', '--json'], { env });
  expect(program.json()).toMatchObject({
    version: '0.0.0-test',
    baseUrl: hub.url,
    uptimeSeconds: 10_800,
    hubs: 1,
    keys: 1,
    lastBackup: null,
  });
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
