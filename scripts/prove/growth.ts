/**
 * Proves that the server is as quick on a large workspace as its users may expect: the key check, every page of every list,
 * searches, starts. And that what it does beside them, such as pruning, stalls no post.
 *
 * The long form: `--keys 100000 --messages 1000000 --hubs 1000 --rounds 20 --posts 20000`. Everything is measured while the server
 * takes `--rate` posts a second, and in the long form, of more than one round, also while it is idle.
 */
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LoadProcess } from './backup/load-process.ts';
import { Caller } from './growth/caller.ts';
import { measureGate } from './growth/gate.ts';
import { listCases } from './growth/list-cases.ts';
import { measureLists } from './growth/lists.ts';
import { measureSearches } from './growth/searches.ts';
import { type Scene, seed } from './growth/seed.ts';
import { isDeletedHub } from './growth/seed-people.ts';
import { judgeStart, startAfterKill } from './growth/starts.ts';
import { catchUp, exportBig, listKeys, prune, setRetention } from './growth/upkeep.ts';
import { Life } from './live/life.ts';
import { type Proof, runProof } from './proof.ts';

const { values } = parseArgs({
  options: {
    keys: { type: 'string', default: '2000' },
    messages: { type: 'string', default: '20000' },
    hubs: { type: 'string', default: '100' },
    rate: { type: 'string', default: '50' },
    rounds: { type: 'string', default: '1' },
    posts: { type: 'string', default: '1000' },
  },
});
const [keys, messages, hubs, rate, rounds, posts] = [
  values.keys,
  values.messages,
  values.hubs,
  values.rate,
  values.rounds,
  values.posts,
].map(Number) as [number, number, number, number, number, number];

/** Requests of one kind at the gate for each round over the lists, which are hundreds. */
const GATE_ROUNDS = 300;
const POSTING_KEYS = 5_000;

await runProof({ limitSeconds: 110 + messages / 500 + rounds * 60 }, async (proof) => {
  const life = new Life(join(proof.folder, 'data'), Math.random, { HUB_TRUSTED_PROXIES: '127.0.0.1' });
  mkdirSync(life.dataDir);
  await life.start();
  await life.stop();
  const scene = seed(life.dataDir, { keys, messages, hubs });
  const megabytes = statSync(join(life.dataDir, 'hub.db')).size / 1e6;
  proof.say(`${keys} keys, ${scene.items.count} items, ${hubs} Hubs: a database of ${megabytes.toFixed(0)} MB`);
  const keysFile = join(proof.folder, 'keys.txt');
  const live = new Set(scene.hubIds.filter((_, n) => !isDeletedHub(n)));
  const posting = scene.keys.filter(({ state, hubId }) => state === 'active' && live.has(hubId)).slice(-POSTING_KEYS);
  writeFileSync(keysFile, posting.map(({ token }) => token).join('\n'), { mode: 0o600 });

  await life.start();
  judgeStart(proof, 'without a search index', life);
  const load = await LoadProcess.start({ port: life.port, keysFile, name: 'Beside' });
  await load.begin(rate);
  await catchUp(proof, { life, load, scene });
  await listKeys(proof, { life, load, scene });
  await exportBig(proof, { life, load, scene });
  await load.stop();
  proof.check('no post was refused', load.unexpected.length === 0, load.unexpected[0]);
  await measure(proof, { life, scene, keysFile });

  await setRetention(life, scene);
  await life.stop();
  await life.start();
  judgeStart(proof, 'with seven days of events and an index', life);
  const beside = await LoadProcess.start({ port: life.port, keysFile, name: 'Pruning' });
  await beside.begin(rate);
  await prune(proof, { life, load: beside, scene });
  await beside.stop();
  await startAfterKill(proof, life, { plan: { port: life.port, keysFile, name: 'Killed' }, posts });
  proof.check('the server stops with 0 in the end', (await life.stop()) === 0);
});

async function measure(
  proof: Proof,
  { life, scene, keysFile }: { life: Life; scene: Scene; keysFile: string },
): Promise<void> {
  const caller = new Caller(life.port);
  const document: unknown = JSON.parse((await caller.get('/api/openapi.json')).body);
  const lists = await listCases(caller, document, scene);
  const all = async (when: string): Promise<void> => {
    await measureGate(proof, { caller, scene, rounds: rounds * GATE_ROUNDS, when });
    await measureLists(proof, { caller, lists, rounds, when });
    await measureSearches(proof, { caller, scene, rounds: Math.ceil(rounds / 4), when });
    await measureMetrics(proof, life, when);
  };
  if (rounds > 1) await all('idle');
  const load = await LoadProcess.start({ port: life.port, keysFile, name: 'Measured' });
  await load.begin(rate);
  await all(`at ${rate} posts/s`);
  await load.stop();
}

async function measureMetrics(proof: Proof, { dataDir }: Life, when: string): Promise<void> {
  const start = performance.now();
  const text = await (await fetch('http://localhost/metrics', { unix: join(dataDir, 'admin.sock') })).text();
  proof.say(`/metrics: ${(text.length / 1000).toFixed(0)} KB in ${(performance.now() - start).toFixed(1)} ms, ${when}`);
}
