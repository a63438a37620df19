import { join } from 'node:path';
import {
  createUser,
  HubServer,
  LiveReader,
  type PostgresServer,
  type Proof,
  pick,
  type Random,
  TestProxy,
  until,
  withConcurrency,
} from '@hub/testkit';
import { SQL } from 'bun';

const NODES = 3;
/** Each sends a post, and waits for its response and for its turn. */
const POSTS_PER_SENDER = 5;
const VIEWS_PER_USER = 10;
/** How long the nodes may take to notice and to catch up after the last interruption. */
const SETTLE_MS = 20_000;

export interface Node {
  readonly server: HubServer;
  /** The network between this node and the database. */
  readonly proxy: TestProxy;
}

/** Several nodes on one database. */
export interface Cluster {
  /** The address of the database, as the proof reaches it. */
  database: string;
  readonly nodes: readonly [Node, ...Node[]];
  stop(): Promise<void>;
}

/** Starts three nodes, each behind a proxy to a new database. */
export async function startCluster(folder: string, postgres: PostgresServer): Promise<Cluster> {
  const database = await postgres.createDatabase();
  const nodes = Array.from({ length: NODES }, (_, index): Node => {
    const proxy = new TestProxy(postgres.port);
    const url = new URL(database);
    url.port = String(proxy.port);
    const dataDir = join(folder, `${url.pathname.slice(1)}-${postgres.port}-${index}`);
    return { server: new HubServer(dataDir, { env: { HUB_DATABASE_URL: url.href } }), proxy };
  }) as [Node, ...Node[]];
  await Promise.all(nodes.map(({ server }) => server.start()));
  const stop = async (): Promise<void> => {
    for (const { server, proxy } of nodes) {
      await server.stop();
      proxy.close();
    }
  };
  return { database, nodes, stop };
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
  readonly readers: number;
  readonly hubs: number;
  /** Posts per second, as far as the machine allows. */
  readonly rate: number;
  readonly random: Random;
  /** Resolves with what it did. */
  readonly interrupt: () => Promise<string[]>;
}

/**
 * Posts through all nodes and follows the Hubs through them, while `interrupt` runs. Then checks that every acknowledged
 * post is stored once, and that each live view has every event once and in order.
 */
export async function proveLoad(proof: Proof, cluster: Cluster, load: ClusterLoad): Promise<void> {
  const { readers, hubs, interrupt } = load;
  const { admin, url } = cluster.nodes[0].server;
  const hubIds = await admin.createHubs(hubs);
  const users = await withConcurrency(Array.from({ length: Math.ceil(readers / VIEWS_PER_USER) }), (_, n) =>
    createUser({ admin, url }, { name: `Reader ${n}`, hubIds }),
  );
  const ports = cluster.nodes.map(({ server }) => server.port);
  const views = Array.from({ length: readers }, (_, n) => {
    const { token = '' } = users[n % users.length] ?? {};
    const first = ports.slice(n % NODES).concat(ports.slice(0, n % NODES));
    const hubId = hubIds[n % hubs] as string;
    return new LiveReader({ name: `view ${n}`, token, hubIds: [hubId], ports: () => first, mayFail: true });
  });
  const keys = (await admin.issueKeys(hubIds, load.rate * 2)).map(({ key }) => key);
  const stopPosting = startPosting(load, ports, keys);
  const done = await interrupt();
  await Bun.sleep(1_000);
  const acknowledged = await stopPosting();

  const stored = await messagesIn(cluster);
  const unique = new Set(stored.map(({ id }) => id));
  proof.none(
    `every acknowledged post is there once after ${done.length} interruptions`,
    acknowledged
      .filter((id) => !unique.has(id))
      .concat(stored.length === unique.size ? [] : ['an item is there twice']),
    `${acknowledged.length} posts through ${ports.length} nodes; ${done.join(', ')}`,
  );
  const byHub = Map.groupBy(stored, ({ hubId }) => hubId);
  const hubOf = ({ hubIds: [hubId = ''] }: LiveReader): string => hubId;
  const messagesOf = (view: LiveReader): readonly StoredMessage[] => byHub.get(hubOf(view)) ?? [];
  const endedAt = performance.now();
  const isComplete = await until(SETTLE_MS, () =>
    views.every((view) => view.hasAll(hubOf(view), messagesOf(view).at(-1)?.seq ?? 0)),
  );
  proof.report(`all live views are complete ${Math.round(performance.now() - endedAt)} ms after the load`);
  const missed = views.flatMap((view) => messagesOf(view).filter(({ id }) => !view.createdIds.has(id)));
  const claim = `no event is missed by any of ${readers} live views`;
  proof.check(claim, isComplete && missed.length === 0, `${missed.length} missed`);
  proof.none(
    'no event comes twice or out of order',
    views.flatMap(({ problems }) => problems),
  );
  for (const view of views) view.stop();
}

/** Posts through random nodes, with all keys in turn. The returned function stops it and returns the acknowledged posts. */
function startPosting({ rate, random }: ClusterLoad, ports: readonly number[], keys: readonly string[]) {
  const acknowledged: string[] = [];
  let isOver = false;
  const senders = Math.ceil(rate / POSTS_PER_SENDER);
  const work = Array.from({ length: senders }, async (_, sender) => {
    for (let n = sender; !isOver; n += senders) {
      const start = performance.now();
      const { status, id } = await post(pick(random, ports), keys[n % keys.length] ?? '', `Post ${n}`);
      if (status === 201) acknowledged.push(id);
      // A key has 60 requests per minute, so rejected requests are paced, too.
      await Bun.sleep(Math.max(0, (senders * 1_000) / rate - (performance.now() - start)));
    }
  });
  return async (): Promise<string[]> => {
    isOver = true;
    await Promise.all(work);
    return acknowledged;
  };
}

interface StoredMessage {
  readonly id: string;
  readonly hubId: string;
  readonly seq: number;
}

/** Returns all messages of all Hubs in the order of their events, with the numbers of these. */
async function messagesIn({ database }: Cluster): Promise<StoredMessage[]> {
  const client = new SQL(database, { max: 1 });
  const rows: StoredMessage[] = await client`select items.id, hubs.id as "hubId", items.seq::int as seq
    from items join hubs on hubs.number = items.hub_number order by items.seq`;
  await client.close();
  return rows;
}
