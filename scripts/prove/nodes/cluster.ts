import { join } from 'node:path';
import { createUser, HubServer, type PostgresServer, type Proof, pick, until, withConcurrency } from '@hub/testkit';
import { SQL } from 'bun';
import { DatabaseProxy } from './database-proxy.ts';
import { LiveReader } from './live-reader.ts';

const NODES = 3;
/** Each sends a post, and waits for its response and for its turn. */
const POSTS_PER_SENDER = 5;
/** Each user can open 20 live views on a node, and send 1,200 requests per minute, by default. */
const VIEWS_PER_USER = 10;
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

interface ClusterLoad {
  readers: number;
  hubs: number;
  /** Posts per second, as far as the machine allows. */
  rate: number;
  random: () => number;
  /** Resolves with what it did. */
  interrupt: () => Promise<string[]>;
}

/**
 * Posts through all nodes and follows the Hubs through them, while `interrupt` runs. Then checks that every acknowledged
 * post is stored once, and that each live view has every event once and in order.
 */
export async function proveLoad(proof: Proof, cluster: Cluster, load: ClusterLoad): Promise<void> {
  const { readers, hubs, interrupt } = load;
  const { admin, url } = firstOf(cluster);
  const hubIds = await admin.createHubs(hubs);
  const users = await withConcurrency(Array.from({ length: Math.ceil(readers / VIEWS_PER_USER) }), (_, n) =>
    createUser({ admin, url }, { name: `Reader ${n}`, hubIds }),
  );
  const ports = cluster.nodes.map(({ server }) => server.port);
  const views = Array.from({ length: readers }, (_, n) => {
    const hubId = hubIds[n % hubs] as string;
    const { token = '' } = users[n % users.length] ?? {};
    return { hubId, reader: new LiveReader({ ports, hubId, token }, n) };
  });
  const posting = await startPosting({ ...load, ports, keys: await admin.issueKeys(hubIds, load.rate * 2) });
  const done = await interrupt();
  await Bun.sleep(1_000);
  const { acknowledged, perSecond } = await posting.stop();
  proof.report(`${hubs} Hubs, ${readers} live views, ${perSecond.toFixed(0)} acknowledged posts per second`);

  const stored = new Map<string, { id: string; seq: number }[]>();
  for (const hubId of hubIds) stored.set(hubId, await messagesIn(cluster, hubId));
  const ids = [...stored.values()].flat().map(({ id }) => id);
  const unique = new Set(ids);
  const lost = acknowledged.filter((id) => !unique.has(id));
  proof.none(
    `every acknowledged post is there once after ${done.length} interruptions`,
    [...lost, ...(ids.length === unique.size ? [] : ['an item is listed twice'])],
    `${acknowledged.length} posts; ${summaryOf(done)}`,
  );
  const postsOf = (hubId: string) => stored.get(hubId) ?? [];
  const endedAt = performance.now();
  const isComplete = await until(SETTLE_MS, () =>
    views.every(({ hubId, reader }) => reader.last >= (postsOf(hubId).at(-1)?.seq ?? 0)),
  );
  proof.report(`all live views are complete ${Math.round(performance.now() - endedAt)} ms after the load`);
  const missed = views.flatMap(({ hubId, reader }) => postsOf(hubId).filter(({ id }) => !reader.received.has(id)));
  proof.check(
    `no event is missed by any of ${readers} live views`,
    isComplete && missed.length === 0,
    `${missed.length} missed`,
  );
  proof.none(
    'no event comes twice or out of order',
    views.flatMap(({ reader }) => reader.problems),
  );
  for (const { reader } of views) reader.stop();
}

/** Posts through random nodes, with all keys in turn. */
async function startPosting({
  ports,
  keys,
  rate,
  random,
}: Pick<ClusterLoad, 'rate' | 'random'> & { ports: readonly number[]; keys: readonly { key: string }[] }) {
  const acknowledged: string[] = [];
  const startedAt = performance.now();
  let isOver = false;
  const senders = Math.ceil(rate / POSTS_PER_SENDER);
  const work = Array.from({ length: senders }, async (_, sender) => {
    for (let n = sender; !isOver; n += senders) {
      const start = performance.now();
      const { status, id } = await post(pick(random, ports), keys[n % keys.length]?.key ?? '', `Post ${n}`);
      if (status === 201) acknowledged.push(id);
      // A key has 60 requests per minute, so rejected requests are paced, too.
      await Bun.sleep(Math.max(0, (senders * 1_000) / rate - (performance.now() - start)));
    }
  });
  return {
    stop: async () => {
      isOver = true;
      const seconds = (performance.now() - startedAt) / 1_000;
      await Promise.all(work);
      return { acknowledged, perSecond: acknowledged.length / seconds };
    },
  };
}

function summaryOf(done: readonly string[]): string {
  const counts = Map.groupBy(done, (each) => each);
  return [...counts].map(([name, { length }]) => (length === 1 ? name : `${name} ${length} times`)).join(', ');
}

/** Returns all messages of a Hub in the order of their events, with the numbers of these. */
async function messagesIn(cluster: Cluster, hubId: string): Promise<{ id: string; seq: number }[]> {
  const client = new SQL(cluster.database, { max: 1 });
  const rows: { id: string; seq: number }[] = await client`select id, seq::int as seq from items
    where hub_number = (select number from hubs where id = ${hubId}) order by items.seq`;
  await client.close();
  return rows;
}
