/**
 * Proves that no input, however odd, makes the server fail: mutated bodies, headers, paths and methods to every operation of
 * both APIs, over TCP and the admin socket, by everybody, and mutated frames of live views; and that nothing is done that
 * another reading of the rules refuses. The long form: `--mutations 100000`. `--seed` repeats the mutations of a run,
 * and `--only` with it a single one.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkStored } from './fuzz/check-stored.ts';
import { fuzzFrames } from './fuzz/fuzz-frames.ts';
import { type Acknowledged, fuzzPublic } from './fuzz/fuzz-public.ts';
import { fuzzWorkspace } from './fuzz/fuzz-workspace.ts';
import { readOperations } from './fuzz/operations.ts';
import { Outcomes } from './fuzz/outcomes.ts';
import { Props } from './fuzz/props.ts';
import { type FuzzStage, KeyPool, setFuzzStage } from './fuzz/stage.ts';
import { Wire } from './fuzz/wire.ts';
import { seeded } from './live/random.ts';
import { type Proof, runProof } from './proof.ts';
import { residentMiB } from './sockets/connections.ts';
import { spawnServer, stopServer } from './start-server.ts';

const { values } = parseArgs({
  options: { mutations: { type: 'string', default: '6000' }, seed: { type: 'string' }, only: { type: 'string' } },
});
const mutations = Number(values.mutations);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const only = values.only === undefined ? null : Number(values.only);

const LANES = 8;
const BESIDE_MS = 100;
const BESIDE = 'beside the fuzz';
/** What the process may grow after a quarter of the mutations: caches that have a bound, and what was not yet collected. */
const MOST_MIB = 96;

await runProof({ limitSeconds: 60 + mutations / 100 }, async (proof) => {
  proof.say(`${mutations} mutations, --seed ${seed}`);
  const dataDir = join(proof.folder, 'data');
  mkdirSync(dataDir);
  const env = { HUB_LOG_LEVEL: 'warn', HUB_TRUSTED_PROXIES: '127.0.0.1' };
  const server = spawnServer({ dataDir, env });
  const stage = await setFuzzStage(server, await server.serving());
  const outcomes = new Outcomes();
  const acknowledged: Acknowledged = new Map();
  const beside = postBeside(stage);
  const memory = await fuzz(stage, outcomes, acknowledged);
  const refused = await beside();

  proof.say(outcomes.summary);
  for (const fault of outcomes.faults) proof.say(fault);
  proof.check(
    'every answer has its form, and nothing is done that must be refused',
    outcomes.faultCount === 0,
    `${outcomes.faultCount} faults`,
  );
  proof.check('normal posts beside it are answered with 201', refused.length === 0, refused.slice(0, 3).join('; '));
  if (only === null) await checkStored(proof, stage, acknowledged, (item) => 'text' in item && item.text === BESIDE);
  proof.say(`memory ${memory.map((mib) => mib.toFixed(0)).join(', ')} MiB after each quarter`);
  const growth = (memory.at(-1) ?? 0) - (memory[0] ?? 0);
  proof.check(
    `memory grows by less than ${MOST_MIB} MiB after the first quarter`,
    growth < MOST_MIB,
    `${growth.toFixed(0)} MiB`,
  );
  checkLog(proof, server.stdout());
  proof.check('the server stops with 0 in the end', (await stopServer(server)) === 0);
});

/** Each mutation has random numbers of its own, so that it can be repeated alone. Returns the memory after each quarter. */
async function fuzz(stage: FuzzStage, outcomes: Outcomes, acknowledged: Acknowledged): Promise<number[]> {
  const operations = await readOperations(stage.url);
  const props = new Props(stage);
  const keys = new KeyPool(stage.admin, stage.posts.id);
  const memory: number[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    const open = new Wire({ port: stage.port });
    const local = new Wire({ path: stage.server.adminSocket });
    for (let index = next++; index < mutations; index = next++) {
      if (only !== null && index !== only) continue;
      const random = seeded(seed + index * 7_919);
      const choice = random();
      if (choice < 0.5) await fuzzPublic(random, index, { wire: open, keys, outcomes, acknowledged });
      else if (choice < 0.93)
        await fuzzWorkspace(random, index, { stage, operations, props, wires: { open, local }, outcomes });
      else
        await fuzzFrames(random, index, {
          port: stage.port,
          token: stage.memberToken,
          hubId: stage.posts.id,
          outcomes,
        });
      if ((index + 1) % Math.ceil(mutations / 4) === 0 || index + 1 === mutations)
        memory.push(residentMiB(stage.server.pid));
    }
    open.close();
    local.close();
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return memory;
}

/** Posts now and then; the function that comes back ends it and tells what was not answered with 201. */
function postBeside({ admin, posts, url }: FuzzStage): () => Promise<string[]> {
  const keys = new KeyPool(admin, posts.id);
  const refused: string[] = [];
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      const headers = { authorization: `Bearer ${await keys.take()}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ text: BESIDE });
      const answer = await fetch(`${url}/api/public/v1/messages`, { method: 'POST', headers, body });
      if (answer.status !== 201) refused.push(`${answer.status} ${await answer.text()}`);
      await Bun.sleep(BESIDE_MS);
    }
  })();
  return async () => {
    isOver = true;
    await running;
    return refused;
  };
}

function checkLog(proof: Proof, text: string): void {
  const records = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { level: string; msg: string });
  const errors = records.filter(({ level }) => level !== 'warn');
  const warnings = Map.groupBy(
    records.filter(({ level }) => level === 'warn'),
    ({ msg }) => msg,
  );
  for (const [msg, each] of warnings) proof.say(`${each.length} warnings in the log: ${msg}`);
  proof.check('no error is in the log', errors.length === 0, JSON.stringify(errors[0] ?? '').slice(0, 600));
}
