/**
 * Promise: several nodes on one PostgreSQL keep every promise of one server. Every acknowledged post is there once, and
 * reaches every live view once and in order, whatever is killed. A key gets 60 requests in 60 seconds through any mix of
 * nodes, and none after the response to its revocation. A node without its database answers 503 within 2 s, closes its
 * live connections within 5 s, and recovers by itself.
 *
 * Proof: three nodes, each behind a proxy to a PostgreSQL in a temporary folder. Short form: `bun run prove:nodes`.
 * Long form: `--interruptions 45 --readers 1000 --hubs 20 --rate 200 --keys 200 --revocations 500`, where `--rate` is
 * posts per second. Six of nine interruptions kill a node.
 */
import {
  createUser,
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
import { type Cluster, firstOf, type Node, post, proveLoad, startCluster } from './nodes/cluster.ts';
import { LiveReader } from './nodes/live-reader.ts';

const options = proofOptions({ interruptions: 4, readers: 12, hubs: 1, rate: 40, keys: 3, revocations: 5, seed: 1 });

interface InterruptionContext {
  postgres: PostgresServer;
  database: string;
  node: Node;
}

interface Interruption {
  readonly name: string;
  readonly cause: (context: InterruptionContext) => Promise<unknown>;
}

const killNode: Interruption = { name: 'node killed', cause: ({ node }) => node.server.restart('SIGKILL') };
const INTERRUPTIONS: readonly Interruption[] = [
  killNode,
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
  ...Array<Interruption>(5).fill(killNode),
];

const { interruptions, readers, hubs, rate, keys, revocations } = options;
const random = seeded(options.seed);

const POSTGRES = 'apps/api/src/storage/postgres';
const counterProof = [
  // A node admits half of the requests over the limit.
  {
    change: {
      file: `${POSTGRES}/nodes/shared-limiter.ts`,
      find: 'if (admitted === null) return null;',
      replace: 'if (admitted === null) return null; admitted ||= Math.random() < 0.5;',
    },
    fails: 'gets exactly 60 requests',
  },
  // Only the node that revokes a key knows of it.
  {
    change: {
      file: 'apps/api/src/workspace/keys/change-key.ts',
      find: 'return revoke(tx, key,',
      replace: 'deps.revocations.add({ id: keyId, at, save: async () => {} }); return key; revoke(tx, key,',
    },
    fails: 'revoked keys is accepted',
  },
  // A node publishes its own posts although it has not yet published those of other nodes before them.
  {
    change: {
      file: 'apps/api/src/live/hub-feed.ts',
      find: 'post.seq === this.#published + 1',
      replace: 'post.seq > this.#published',
    },
    fails: 'no event is missed',
  },
  // A node waits for its database for four seconds.
  {
    change: { file: `${POSTGRES}/engine/database.ts`, find: 'TIMEOUT_MS = 1_800', replace: 'TIMEOUT_MS = 4_000' },
    fails: 'answers 503 within 2 s',
  },
];

await runProof({ limitSeconds: 180 + interruptions * 15 + keys + revocations, counterProof }, async (proof) => {
  const postgres = await PostgresServer.start();
  const cluster = await startCluster(proof.folder, postgres);
  await limitsOverNodes(proof, cluster);
  await revocationsOverNodes(proof, cluster);
  await proveLoad(proof, cluster, {
    readers,
    hubs,
    rate,
    random,
    interrupt: () => interruptAtRandom(cluster, postgres),
  });
  await partition(proof, cluster);
  await cluster.stop();
  await postgres.dispose();
});

async function interruptAtRandom({ database, nodes }: Cluster, postgres: PostgresServer): Promise<string[]> {
  const done: string[] = [];
  for (let n = 0; n < interruptions; n += 1) {
    await Bun.sleep(500 + random() * 1_000);
    const interruption = INTERRUPTIONS[n % INTERRUPTIONS.length] as Interruption;
    done.push(interruption.name);
    await interruption.cause({ postgres, database, node: pick(random, nodes) });
  }
  return done;
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
  proof.none(`each of ${keys} keys gets exactly 60 requests through ${cluster.nodes.length} nodes`, wrong);
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

async function partition(proof: Proof, cluster: Cluster): Promise<void> {
  const { server, proxy } = cluster.nodes[2] as Node;
  const { admin, url } = firstOf(cluster);
  const [hubId = ''] = await admin.createHubs(1);
  const { key } = await admin.issueKey({ hubId, name: 'partition' });
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
  const isBack = await until(15_000, async () => (await post(server.port, key)).status === 201, 200);
  proof.check(
    'the other nodes serve, and it recovers by itself',
    meanwhile.status === 201 && isBack,
    `${meanwhile.status}`,
  );
  const isComplete = await until(10_000, () => view.received.has(meanwhile.id));
  proof.check('its live view has all events in order', isComplete && view.problems.length === 0);
  view.stop();
}
