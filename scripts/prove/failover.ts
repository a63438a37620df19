/**
 * Promise: with a synchronous standby, no acknowledged post is lost when the primary dies, and the nodes follow to the
 * new primary by themselves. Without the standby's confirmation, no post is acknowledged.
 *
 * Proof: three nodes on a primary with a synchronous standby. Under load, the connection between the two databases is
 * cut for three seconds, the primary dies, and the standby is promoted, as Patroni or a managed service would do it.
 * Short form: `bun run prove:failover`. Long form:
 * `--readers 300 --hubs 10 --rate 100`, where `--rate` is posts per second.
 */
import { PostgresServer, proofOptions, runProof, seeded, until } from '@hub/testkit';
import { SQL } from 'bun';
import { firstOf, post, proveLoad, startCluster } from './nodes/cluster.ts';
import { DatabaseProxy } from './nodes/database-proxy.ts';

const { readers, hubs, rate, seed } = proofOptions({ readers: 12, hubs: 1, rate: 40, seed: 1 });
const CUT_MS = 3_000;

/** Acknowledges posts that are only on the disk of the primary. */
const counterProof = {
  change: {
    file: 'apps/api/src/storage/postgres/engine/pool.ts',
    find: "synchronous_commit: 'on'",
    replace: "synchronous_commit: 'local'",
  },
  fails: 'every acknowledged post is there once',
};

await runProof({ limitSeconds: 120, counterProof }, async (proof) => {
  const primary = await PostgresServer.start();
  const replication = new DatabaseProxy(primary.port);
  const standby = await primary.startStandby('standby', replication.port);
  await primary.reconfigure({ synchronous_standby_names: 'standby' });
  const isSynchronous = await until(10_000, async () => (await syncStateOf(primary)) === 'sync', 200);
  proof.check('the standby is synchronous', isSynchronous);
  const cluster = await startCluster(proof.folder, primary);
  const { admin } = firstOf(cluster);
  const { key } = await admin.issueKey({ hubId: (await admin.createHubs(1))[0] ?? '', name: 'after' });

  const failOver = async (): Promise<string[]> => {
    await Bun.sleep(2_000);
    replication.isCut = true;
    await Bun.sleep(CUT_MS);
    await primary.crash();
    await standby.promote();
    for (const { proxy } of cluster.nodes) {
      proxy.databasePort = standby.port;
      proxy.heal();
    }
    cluster.database = standby.url(new URL(cluster.database).pathname.slice(1));
    const diedAt = performance.now();
    const isAccepted = async () => (await post(firstOf(cluster).port, key)).status === 201;
    const isBack = await until(15_000, isAccepted, 200);
    const tookMs = performance.now() - diedAt;
    proof.check('posts are accepted again within 10 s', isBack && tookMs < 10_000, `${Math.round(tookMs)} ms`);
    await Bun.sleep(2_000);
    return ['primary died'];
  };
  await proveLoad(proof, cluster, { readers, hubs, rate, random: seeded(seed), interrupt: failOver });
  await cluster.stop();
  replication.close();
  await standby.dispose();
  await primary.dispose();
});

async function syncStateOf(primary: PostgresServer): Promise<string | undefined> {
  const client = new SQL(primary.url(), { max: 1 });
  const [row] = await client`select sync_state from pg_stat_replication`;
  await client.close();
  return row?.sync_state;
}
