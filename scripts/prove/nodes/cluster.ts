import { join } from 'node:path';
import { createUser, HubServer, type PostgresServer, type Proof, pick, until } from '@hub/testkit';
import { SQL } from 'bun';
import { DatabaseProxy } from './database-proxy.ts';
import { LiveReader } from './live-reader.ts';

const NODES = 3;
const POST_KEYS = 40;
const SENDERS = 4;
/** How long the nodes may take to notice and to catch up after the last interruption. */
const SETTLE_MS = 20_000;

export interface Node {
  server: HubServer;
  /** The network between this node and the database. */
  proxy: DatabaseProxy;
}

/** Several nodes on one database. */
export interface Cluster {
  /** The address of the database, as the proof reaches it. */
  database: string;
  nodes: readonly Node[];
  stop(): Promise<void>;
}

/** Starts three nodes, each behind a proxy to a new database. */
export async function startCluster(folder: string, postgres: PostgresServer): Promise<Cluster> {
  const database = await postgres.createDatabase();
  const nodes = Array.from({ length: NODES }, (_, index) => {
    const proxy = new DatabaseProxy(postgres.port);
    const url = new URL(database);
    url.port = String(proxy.port);
    const server = new HubServer(join(folder, `node-${index}`), { env: { HUB_DATABASE_URL: url.href } });
    return { server, proxy };
  });
  await Promise.all(nodes.map(({ server }) => server.start()));
  const stop = async (): Promise<void> => {
    for (const { server, proxy } of nodes) {
      await server.stop();
      proxy.close();
    }
  };
  return { database, nodes, stop };
}

export function firstOf({ nodes }: Cluster): HubServer {
  return (nodes[0] as Node).server;
}

/** Returns the status of a post through a node, and the id if it was accepted; 0 if the connection failed. */
export async function post(port: number, key: string, text = 'Hello'): Promise<{ status: number; id: string }> {
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

/**
 * Posts through all nodes and follows the Hub through them, while `interrupt` runs. Then checks that every acknowledged
 * post is stored once, and that each live view has every event once and in order. `interrupt` resolves with what it did.
 */
export async function proveLoad(
  proof: Proof,
  cluster: Cluster,
  { readers, random, interrupt }: { readers: number; random: () => number; interrupt: () => Promise<string[]> },
): Promise<void> {
  const { nodes } = cluster;
  const { admin, url } = firstOf(cluster);
  const [hubId = ''] = await admin.createHubs(1);
  const posting = await admin.issueKeys([hubId], POST_KEYS);
  const { token } = await createUser({ admin, url }, { name: 'Reader', hubIds: [hubId] });
  const ports = nodes.map(({ server }) => server.port);
  const views = Array.from({ length: readers }, (_, n) => new LiveReader({ ports, hubId, token }, n));

  const acknowledged: string[] = [];
  let isOver = false;
  const senders = Array.from({ length: SENDERS }, async (_, sender) => {
    for (let n = sender; !isOver; n += SENDERS) {
      const { status, id } = await post(pick(random, ports), posting[n % POST_KEYS]?.key ?? '', `Post ${n}`);
      if (status === 201) acknowledged.push(id);
      await Bun.sleep(status === 201 ? 20 : 100);
    }
  });
  const done = await interrupt();
  await Bun.sleep(1_000);
  isOver = true;
  await Promise.all(senders);

  const stored = await messagesIn(cluster, hubId);
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
async function messagesIn(cluster: Cluster, hubId: string): Promise<{ id: string; seq: number }[]> {
  const client = new SQL(cluster.database, { max: 1 });
  const rows: { id: string; seq: number }[] = await client`select id, seq::int as seq from items
    where hub_number = (select number from hubs where id = ${hubId})`;
  await client.close();
  return rows;
}

export async function untilTrue(limitMs: number, holds: () => Promise<boolean>): Promise<boolean> {
  for (const end = performance.now() + limitMs; performance.now() < end; await Bun.sleep(200))
    if (await holds()) return true;
  return false;
}
