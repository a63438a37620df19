/**
 * Promise: the server stays fast with a large workspace: key checks, every page of every list, searches and starts.
 * Background work, such as pruning, does not delay posts.
 *
 * Proof: fills a database, and measures everything while the server receives `--rate` posts per second, and if there is
 * more than one round, as in the long form, also while the server is idle.
 *
 * Short form: `bun run prove:growth`. Long form:
 * `--keys 100000 --messages 1000000 --hubs 1000 --rounds 20 --posts 20000`.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { HubServer, type LoadPlan, PacedLoad, type Proof, proofOptions, runProof } from '@hub/testkit';
import { Caller, listCases } from './growth/list-cases.ts';
import { measureGate, measureLists, measureSearches } from './growth/lists.ts';
import { type SeededData, seed } from './growth/seed.ts';
import { isDeletedHub } from './growth/seed-users.ts';
import { catchUp, checkStart, exportBig, listKeys, prune, setRetention, startAfterKill } from './growth/upkeep.ts';

const { keys, messages, hubs, rate, rounds, posts } = proofOptions(
  { keys: 2_000, messages: 10_000, hubs: 100, rate: 50, rounds: 1, posts: 1_000 },
  { keys: 40_000, messages: 2_000 },
);

/** The number of key check requests of each kind per round. A round also measures hundreds of lists. */
const GATE_ROUNDS = 150;
const POSTING_KEYS = 5_000;

/** Finds a key by reading all keys: SQLite uses no index for an expression. */
const counterProof = {
  change: {
    file: 'apps/api/src/storage/keys.ts',
    find: "eq(apiKeys.tokenHash, given('tokenHash'))",
    replace: "eq(sql.join([sql.raw('+'), apiKeys.tokenHash]), given('tokenHash'))",
  },
  fails: 'the key check adds under',
};

await runProof({ limitSeconds: 110 + messages / 500 + rounds * 60, counterProof }, async (proof) => {
  const run = new HubServer(join(proof.folder, 'data'), { env: { HUB_TRUSTED_PROXIES: '127.0.0.1' } });
  await run.start();
  await run.stop();
  const fixture = seed(run.dataDir, { keys, messages, hubs });
  const megabytes = statSync(join(run.dataDir, 'hub.db')).size / 1e6;
  proof.report(`${keys} keys, ${fixture.items.count} items, ${hubs} Hubs: a database of ${megabytes.toFixed(0)} MB`);
  const live = new Set(fixture.hubIds.filter((_, n) => !isDeletedHub(n)));
  const posting = fixture.keys.filter(({ state, hubId }) => state === 'active' && live.has(hubId)).slice(-POSTING_KEYS);
  const plan = { port: run.port, keys: posting.map(({ token }) => token) };

  await run.start();
  checkStart(proof, 'without a search index', run);
  const load = await PacedLoad.start({ ...plan, name: 'Beside' });
  await load.begin(rate);
  await catchUp(proof, { run, load, fixture });
  await listKeys(proof, { run, load, fixture });
  await exportBig(proof, { run, load, fixture });
  await load.stop();
  proof.none('no post was rejected', load.unexpected);
  await measure(proof, { run, fixture, plan });

  await setRetention(run, fixture);
  await run.stop();
  await run.start();
  checkStart(proof, 'with seven days of events and an index', run);
  const beside = await PacedLoad.start({ ...plan, name: 'Pruning' });
  await beside.begin(rate);
  await prune(proof, { run, load: beside, fixture });
  await beside.stop();
  await startAfterKill(proof, run, { plan: { ...plan, name: 'Killed' }, posts });
  proof.check('the server finally exits with 0', (await run.stop()) === 0);
});

async function measure(
  proof: Proof,
  { run, fixture, plan }: { run: HubServer; fixture: SeededData; plan: Omit<LoadPlan, 'name'> },
): Promise<void> {
  const caller = new Caller(run.port);
  const document: unknown = JSON.parse((await caller.get('/api/openapi.json')).body);
  const lists = await listCases(caller, document, fixture);
  const all = async (when: string): Promise<void> => {
    await measureGate(proof, { caller, fixture, rounds: rounds * GATE_ROUNDS, when });
    await measureLists(proof, { caller, lists, rounds, when });
    await measureSearches(proof, { caller, fixture, rounds: Math.ceil(rounds / 4), when });
    await measureMetrics(proof, run, when);
  };
  if (rounds > 1) await all('idle');
  const load = await PacedLoad.start({ ...plan, name: 'Measured' });
  await load.begin(rate);
  await all(`at ${rate} posts/s`);
  await load.stop();
}

async function measureMetrics(proof: Proof, { dataDir }: HubServer, when: string): Promise<void> {
  const start = performance.now();
  const text = await (await fetch('http://localhost/metrics', { unix: join(dataDir, 'admin.sock') })).text();
  proof.report(
    `/metrics: ${(text.length / 1000).toFixed(0)} KB in ${(performance.now() - start).toFixed(1)} ms, ${when}`,
  );
}
