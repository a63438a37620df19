import { expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@hub/testkit/concurrency';
import { onlyOnPostgres, startTestHub } from '@hub/testkit/in-process/test-hub';
import { PostgresServer } from '@hub/testkit/postgres';
import { type ServerProcess, spawnServer } from '@hub/testkit/server-process';
import { SQL } from 'bun';

const metricsOf = async ({ admin }: ServerProcess): Promise<string> => (await admin.fetch('/metrics')).text();

/** Returns the list of nodes once it has this many: each has a second to respond, which a busy machine can exceed. */
async function nodesFrom({ admin }: ServerProcess, count: number) {
  let list = await admin.nodes();
  await until(60_000, async () => {
    list = await admin.nodes();
    return list.items.length >= count;
  });
  return list;
}

test('without PostgreSQL, the status has no node', async () => {
  await using hub = await startTestHub();
  expect(await hub.admin.status()).toMatchObject(
    hub.deps.node ? { storage: 'postgresql' } : { storage: 'sqlite', node: null },
  );
  expect((await hub.admin.nodes()).items).toHaveLength(hub.deps.node ? 1 : 0);
});

onlyOnPostgres.describe('on PostgreSQL', () => {
  test('nodes show one setup link, and the status and metrics the nodes and the lag of standbys that the account may see', async () => {
    const primary = await PostgresServer.start({ settings: { fsync: 'off' } });
    const standby = await primary.startStandby('standby1');
    const admin = new SQL(primary.url(), { max: 1 });
    await admin`CREATE ROLE app LOGIN`;
    await admin`CREATE DATABASE app OWNER app TEMPLATE template0`;
    const env = { HUB_DATABASE_URL: primary.url('app').replace('hub@', 'app@') };
    await using one = spawnServer({ env });
    await using two = spawnServer({ env });
    writeFileSync(join(two.dataDir, 'hub.db'), '');
    await Promise.all([one.serving(), two.serving()]);
    const greetings = () => [one, two].map((node) => node.stderr());
    await until(60_000, () => greetings().every((text) => text.includes('is running at')));
    for (const text of ['/setup#hub_lnk_', 'For a link to set it up'])
      expect([text, greetings().filter((greeting) => greeting.includes(text)).length]).toEqual([text, 1]);
    await two.logged('The workspace is in PostgreSQL, and hub.db in the data directory is not used');

    const [first, second] = [await one.admin.status(), await two.admin.status()];
    expect(first.storage).toBe('postgresql');
    expect([first.node?.isLeader, second.node?.isLeader].toSorted()).toEqual([false, true]);
    expect(first.node?.id).not.toBe(second.node?.id);
    expect(first.node).toMatchObject({
      clockDifferenceMs: expect.any(Number),
      nodes: 2,
      eventLag: 0,
      standbys: [{ name: 'standby1', isSynchronous: null, lagBytes: null }],
    });
    expect(await metricsOf(one)).not.toContain('hub_replication_lag_bytes{');

    const listed = await nodesFrom(two, 2);
    expect(listed.missing).toEqual([]);
    expect(listed.items.map(({ id, isLeader }) => [id, isLeader])).toEqual(
      expect.arrayContaining([first.node, second.node].map((node) => [node?.id, node?.isLeader])),
    );
    for (const node of listed.items) {
      expect(node).toMatchObject({ version: first.version, liveConnections: 0 });
      expect(Math.abs(node.clockDifferenceMs)).toBeLessThan(1_000);
    }
    two.kill('SIGSTOP');
    expect(await nodesFrom(one, 1)).toMatchObject({ items: [{ id: first.node?.id }], missing: [second.node?.id] });
    two.kill('SIGCONT');

    await admin`GRANT pg_monitor TO app`;
    await admin.close();
    expect((await two.admin.status()).node?.standbys).toEqual([
      { name: 'standby1', isSynchronous: false, lagBytes: expect.any(Number) },
    ]);
    let metrics = '';
    const usedPools = /hub_node_pool_use\{kind="\w+"\} [1-9]/;
    // Background work uses a connection now and then.
    await until(60_000, async () => {
      metrics = await metricsOf(one);
      return !usedPools.test(metrics);
    });
    for (const line of [`hub_node_info{node="${first.node?.id}"} 1`, 'hub_nodes 2', 'hub_live_lag_events 0'])
      expect(metrics).toContain(`${line}\n`);
    expect(metrics).toContain(`hub_node_leader ${Number(first.node?.isLeader)}\n`);
    expect(metrics).toMatch(/hub_replication_lag_bytes\{standby="standby1"\} \d+\n/);
    for (const kind of ['transactions', 'posts', 'reads', 'searches', 'keys'])
      expect(metrics).toMatch(new RegExp(`hub_node_pool_use\\{kind="${kind}"\\} 0`));

    const page = readFileSync(join(import.meta.dir, '../../../../../docs/postgresql.md'), 'utf8');
    const named = [...page.matchAll(/^\| `(hub_\w+)/gm)].map(([, name]) => name);
    const own = [...metrics.matchAll(/^# TYPE (hub_(?:node|nodes|live_lag|replication)\w*) /gm)].map(
      ([, name]) => name,
    );
    expect(named).toEqual(own);

    // Metrics must not depend on what they watch.
    await standby.dispose();
    await primary.dispose();
    const without = await metricsOf(one);
    expect(without).toContain('hub_live_sockets 0\n');
    expect(without).not.toMatch(/^hub_(nodes|live_lag_events|node_leader) /m);
  }, 180_000);
});
