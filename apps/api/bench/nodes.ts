import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HubServer, PostgresServer, postRequest, sendOnce, userWithToken } from '@hub/testkit';
import { SQL } from 'bun';
import type { LoadResult } from './load.ts';
import { median, ms, quantile, table, thousands } from './statistics.ts';
import { runLoad } from './subject.ts';

const CONNECTIONS = [1, 64] as const;
const HUBS = 20;
/** So many that none reaches its limit within a measurement. */
const KEYS = 4_000;
/** Live events measured with each number of nodes, one at a time. */
const EVENTS = 100;
/** Below the limit of a key. */
const POSTS_PER_KEY = 50;
/** 0: the embedded storage. */
const NODES = [0, 1, 2, 3] as const;

/**
 * Measures posts per second through several nodes on one PostgreSQL, beside the embedded storage, and the time from a
 * post to a live view on another node. Everything shares one machine, so more nodes show their cost, not their gain.
 */
export async function measureNodes(workDir: string, scale: { rounds: number; seconds: number }): Promise<void> {
  const rows: string[][] = [];
  const postgres = await PostgresServer.start();
  for (const count of NODES) {
    const env = count === 0 ? {} : { HUB_DATABASE_URL: await postgres.createDatabase() };
    const servers = Array.from(
      { length: Math.max(1, count) },
      (_, n) => new HubServer(join(workDir, `nodes-${count}-${n}`), { env }),
    );
    await Promise.all(servers.map((server) => server.start()));
    const { admin } = servers[0] as HubServer;
    const hubIds = await admin.createHubs(HUBS);
    const keysFile = join(workDir, `nodes-${count}.txt`);
    writeFileSync(keysFile, (await admin.issueKeys(hubIds, KEYS)).map(({ key }) => key).join('\n'));
    const cells: string[] = [];
    for (const connections of CONNECTIONS) {
      const results: LoadResult[] = [];
      const flushes: number[] = [];
      for (let round = 0; round < scale.rounds; round += 1) {
        const before = await flushesOf(postgres);
        const plan = { connections: Math.ceil(connections / servers.length), seconds: scale.seconds, keysFile };
        const used = connections === 1 ? servers.slice(0, 1) : servers;
        const each = await Promise.all(used.map(({ port }) => runLoad({ ...plan, port })));
        const posts = each.reduce((sum, result) => sum + result.posts, 0);
        results.push({
          posts,
          failed: each.reduce((sum, result) => sum + result.failed, 0),
          perSecond: each.reduce((sum, result) => sum + result.perSecond, 0),
          p50Ms: Math.max(...each.map(({ p50Ms }) => p50Ms)),
          p99Ms: Math.max(...each.map(({ p99Ms }) => p99Ms)),
        });
        flushes.push(((await flushesOf(postgres)) - before) / posts);
      }
      const of = (column: keyof LoadResult) => median(results.map((result) => result[column]));
      cells.push(`${thousands(of('perSecond'))} (${ms(of('p99Ms'))})`, count === 0 ? '' : median(flushes).toFixed(2));
      const failed = results.reduce((sum, result) => sum + result.failed, 0);
      if (failed > 0) throw new Error(`${count} nodes, ${connections} connections: ${failed} posts failed`);
    }
    const live = await liveLatencies(servers, hubIds[0] ?? '');
    rows.push([
      count === 0 ? 'embedded' : `${count} node${count > 1 ? 's' : ''}`,
      ...cells,
      `${ms(quantile(live, 0.5))} / ${ms(quantile(live, 0.99))}`,
    ]);
    for (const server of servers) await server.stop();
  }
  await postgres.dispose();
  console.log('## Several nodes on PostgreSQL: posts per second (p99 in ms), flushes per post, live p50 / p99 in ms\n');
  console.log(
    table(
      ['', ...CONNECTIONS.flatMap((n) => [`${n} connection${n > 1 ? 's' : ''}`, 'flushes']), 'post to live view'],
      rows,
    ),
  );
}

/** Posts through the first node, and measures when a live view of the last one has the event. */
async function liveLatencies(servers: readonly HubServer[], hubId: string): Promise<number[]> {
  const [first, last] = [servers[0] as HubServer, servers.at(-1) as HubServer];
  const keys = await first.admin.issueKeys([hubId], Math.ceil(EVENTS / POSTS_PER_KEY));
  const { token } = await userWithToken(first, { name: 'Reader', hubIds: [hubId] });
  const socket = new WebSocket(`ws://127.0.0.1:${last.port}/api/v1/live`, {
    headers: { authorization: `Bearer ${token}` },
  } as unknown as string[]);
  socket.onopen = () => socket.send(JSON.stringify({ type: 'subscribe', hubId }));
  let arrived = Promise.withResolvers<void>();
  socket.onmessage = ({ data }) => {
    const { type } = JSON.parse(String(data)) as { type: string };
    if (type === 'event' || type === 'subscribed') arrived.resolve();
  };
  await arrived.promise;
  const took: number[] = [];
  for (let n = 0; n < EVENTS; n += 1) {
    arrived = Promise.withResolvers();
    const start = performance.now();
    await sendOnce(first.port, postRequest('messages', keys[Math.floor(n / POSTS_PER_KEY)]?.key ?? '', `Live ${n}`));
    await arrived.promise;
    took.push(performance.now() - start);
  }
  socket.close();
  return took;
}

/** Returns how often PostgreSQL has flushed its log so far. */
async function flushesOf(postgres: PostgresServer): Promise<number> {
  const client = new SQL(postgres.url(), { max: 1 });
  const [row] = await client`select wal_sync::int as flushes from pg_stat_wal`;
  await client.close();
  return row.flushes;
}
