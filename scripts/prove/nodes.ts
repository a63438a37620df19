/**
 * Promise: several nodes on one PostgreSQL keep every promise of one server. Every acknowledged post is there once, and
 * reaches every live view once and in order, whatever is killed. A key gets 60 requests in 60 seconds through any mix of
 * nodes, and none after the response to its revocation. A node without its database answers 503 within 2 s, closes its
 * live connections within 5 s, and recovers by itself.
 *
 * Proof: three nodes, each behind a proxy to a PostgreSQL in a temporary folder. Short form: `bun run prove:nodes`.
 * Long form: `--interruptions 40 --readers 300 --keys 200 --revocations 500`.
 */
import { join } from 'node:path';
import {
  createUser,
  findPostgres,
  HubServer,
  PostgresServer,
  type Proof,
  pick,
  proofOptions,
  runProof,
  seeded,
  until,
  withConcurrency,
} from '@hub/testkit';
import { SQL } from 'bun';
import { DatabaseProxy } from './nodes/database-proxy.ts';
import { LiveReader } from './nodes/live-reader.ts';

const options = proofOptions({ interruptions: 4, readers: 12, keys: 3, revocations: 5, seed: 1 });
const NODES = 3;
const POST_KEYS = 40;
/** How long the nodes may take to notice and to catch up after the last interruption. */
const SETTLE_MS = 20_000;

interface Node {
  server: HubServer;
  proxy: DatabaseProxy;
}

interface Cluster {
  postgres: PostgresServer;
  database: string;
  nodes: readonly Node[];
}

interface InterruptionContext {
  postgres: PostgresServer;
  database: string;
  node: Node;
}

const INTERRUPTIONS: readonly { name: string; cause: (context: InterruptionContext) => Promise<unknown> }[] = [
  { name: 'node killed', cause: ({ node }) => node.server.restart('SIGKILL') },
  {
    name: 'LISTEN cut',
    cause: async ({ database }) => {
      const client = new SQL(database, { max: 1 });
      await client`select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%'`;
      await client.close();
    },
  },
  { name: 'PostgreSQL restarted', cause: ({ postgres }) => postgres.restart() },
  {
    name: 'PostgreSQL crashed',
    cause: async ({ postgres }) => {
      await postgres.crash();
      await postgres.restart();
    },
  },
];

const { interruptions, readers, keys, revocations } = options;
const random = seeded(options.seed);

await runProof({ limitSeconds: 180 + interruptions * 15 + keys + revocations }, async (proof) => {
  if (findPostgres() === null) throw new Error('PostgreSQL is not installed');
  const cluster = await startCluster(proof.folder);
  await limitsOverNodes(proof, cluster);
  await revocationsOverNodes(proof, cluster);
  await interruptionsUnderLoad(proof, cluster);
  await partition(proof, cluster);
  for (const { server, proxy } of cluster.nodes) {
    await server.stop();
    proxy.close();
  }
  await cluster.postgres.dispose();
});

async function startCluster(folder: string): Promise<Cluster> {
  const postgres = await PostgresServer.start();
  const database = await postgres.createDatabase();
  const nodes = Array.from({ length: NODES }, (_, index) => {
    const proxy = new DatabaseProxy(postgres.port);
    const url = new URL(database);
    url.port = String(proxy.port);
    const server = new HubServer(join(folder, `node-${index}`), { env: { HUB_DATABASE_URL: url.href } });
    return { server, proxy };
  });
  await Promise.all(nodes.map(({ server }) => server.start()));
  return { postgres, database, nodes };
}

function firstOf({ nodes }: Cluster): HubServer {
  return (nodes[0] as Node).server;
}

/** Returns the status of a post through a node, and the id if it was accepted; 0 if the connection failed. */
async function post(port: number, key: string, text = 'Hello'): Promise<{ status: number; id: string }> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/public/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
      signal: AbortSignal.timeout(10_000),
    });
    const { data } = (await response.json()) as { data?: { id: string } };
    return { status: response.status, id: data?.id ?? '' };
  } catch {
    return { status: 0, id: '' };
  }
}

async function limitsOverNodes(proof: Proof, cluster: Cluster): Promise<void> {
  const { admin } = firstOf(cluster);
  const issued = await admin.issueKeys(await admin.createHubs(1), keys);
  const wrong: string[] = [];
  for (const { key, id } of issued) {
    const sent = await withConcurrency(
      Array.from({ length: 70 }, () => pick(random, cluster.nodes)),
      ({ server }) => post(server.port, key),
      16,
    );
    const count = (wanted: number) => sent.filter(({ status }) => status === wanted).length;
    if (count(201) === 60 && count(403) === 10) continue;
    wrong.push(
      `${id}: ${sent
        .map(({ status }) => status)
        .sort()
        .join(' ')}`,
    );
  }
  proof.none(`each of ${keys} keys gets exactly 60 requests through ${NODES} nodes`, wrong);
}

async function revocationsOverNodes(proof: Proof, cluster: Cluster): Promise<void> {
  const issued = await firstOf(cluster).admin.issueKeys(await firstOf(cluster).admin.createHubs(1), revocations);
  const accepted: string[] = [];
  let before = 0;
  await withConcurrency(
    issued,
    async ({ key, id }) => {
      const earlier = await Promise.all(cluster.nodes.map(({ server }) => post(server.port, key)));
      before += earlier.filter(({ status }) => status === 201).length;
      const underway = cluster.nodes.map(({ server }) => post(server.port, key));
      await pick(random, cluster.nodes).server.admin.call('POST', `/keys/${id}/revocation`);
      const late = await Promise.all(cluster.nodes.map(({ server }) => post(server.port, key)));
      for (const { status } of late) if (status !== 401) accepted.push(`${id}: ${status}`);
      await Promise.all(underway);
    },
    4,
  );
  const detail = `${before} accepted before`;
  proof.none(`none of ${revocations} revoked keys is accepted by any node after the response`, accepted, detail);
}

async function interruptionsUnderLoad(proof: Proof, cluster: Cluster): Promise<void> {
  const { postgres, database, nodes } = cluster;
  const { admin, url } = firstOf(cluster);
  const [hubId = ''] = await admin.createHubs(1);
  const posting = await admin.issueKeys([hubId], POST_KEYS);
  const { token } = await createUser({ admin, url }, { name: 'Reader', hubIds: [hubId] });
  const ports = nodes.map(({ server }) => server.port);
  const views = Array.from({ length: readers }, (_, n) => new LiveReader({ ports, hubId, token }, n));

  const acknowledged: string[] = [];
  let isOver = false;
  const senders = posting.slice(0, 4).map(async (_, sender) => {
    for (let n = sender; !isOver; n += 4) {
      const { status, id } = await post(pick(random, ports), posting[n % POST_KEYS]?.key ?? '', `Post ${n}`);
      if (status === 201) acknowledged.push(id);
      await Bun.sleep(status === 201 ? 20 : 100);
    }
  });

  const done: string[] = [];
  for (let n = 0; n < interruptions; n += 1) {
    await Bun.sleep(500 + random() * 1_000);
    const interruption = INTERRUPTIONS[n % INTERRUPTIONS.length] as (typeof INTERRUPTIONS)[number];
    done.push(interruption.name);
    await interruption.cause({ postgres, database, node: pick(random, nodes) });
  }
  await Bun.sleep(1_000);
  isOver = true;
  await Promise.all(senders);

  const stored = await idsIn(cluster, hubId);
  const seq = Math.max(...stored.map((item) => item.seq));
  const [ids, unique] = [stored.map(({ id }) => id), new Set(stored.map(({ id }) => id))];
  const lost = acknowledged.filter((id) => !unique.has(id));
  proof.none(
    `every acknowledged post is there once after ${done.length} interruptions`,
    [...lost, ...(ids.length === unique.size ? [] : ['an item is listed twice'])],
    `${acknowledged.length} posts; ${[...new Set(done)].join(', ')}`,
  );
  const isComplete = await until(SETTLE_MS, () => views.every(({ last }) => last >= seq));
  const missed = views.flatMap(({ received }) => ids.filter((id) => !received.has(id)));
  proof.check(
    `no event is missed by any of ${readers} live views`,
    isComplete && missed.length === 0,
    `${missed.length} missed`,
  );
  proof.none(
    'no event comes twice or out of order',
    views.flatMap(({ problems }) => problems),
  );
  for (const view of views) view.stop();
}

/** Returns all messages of a Hub, with the numbers of their events. */
async function idsIn(cluster: Cluster, hubId: string): Promise<{ id: string; seq: number }[]> {
  const client = new SQL(cluster.database, { max: 1 });
  const rows: { id: string; seq: number }[] = await client`select id, seq::int as seq from items
    where hub_number = (select number from hubs where id = ${hubId})`;
  await client.close();
  return rows;
}

async function partition(proof: Proof, cluster: Cluster): Promise<void> {
  const { server, proxy } = cluster.nodes[2] as Node;
  const { admin, url } = firstOf(cluster);
  const [hubId = ''] = await admin.createHubs(1);
  const { key } = await admin.issueKey(hubId, 'partition');
  const { token } = await createUser({ admin, url }, { name: 'Cut off', hubIds: [hubId] });
  const view = new LiveReader({ ports: [server.port], hubId, token }, 0);
  const first = await post(server.port, key);
  proof.check('a live view of the node is up to date', await until(5_000, () => view.received.has(first.id)));

  const cutAt = performance.now();
  proxy.isCut = true;
  const { status } = await post(server.port, key);
  const tookMs = performance.now() - cutAt;
  proof.check(
    'a node cut off from its database answers 503 within 2 s',
    status === 503 && tookMs < 2_100,
    `${status} after ${Math.round(tookMs)} ms`,
  );
  await until(6_000, () => view.closedAt > cutAt);
  const closedMs = view.closedAt - cutAt;
  proof.check('its live connections are closed within 5 s', closedMs < 5_000, `${Math.round(closedMs)} ms`);
  proof.check('it is not ready', (await fetch(`${server.url}/readyz`)).status === 503);

  const meanwhile = await post(firstOf(cluster).port, key, 'Meanwhile');
  proxy.heal();
  const isBack = await untilTrue(15_000, async () => (await post(server.port, key)).status === 201);
  proof.check(
    'the other nodes serve, and it recovers by itself',
    meanwhile.status === 201 && isBack,
    `${meanwhile.status}`,
  );
  const isComplete = await until(10_000, () => view.received.has(meanwhile.id));
  proof.check('its live view has all events in order', isComplete && view.problems.length === 0);
  view.stop();
}

async function untilTrue(limitMs: number, holds: () => Promise<boolean>): Promise<boolean> {
  for (const end = performance.now() + limitMs; performance.now() < end; await Bun.sleep(200))
    if (await holds()) return true;
  return false;
}
