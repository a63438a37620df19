/**
 * Promise: no input makes the server fail, and no request succeeds that the rules reject.
 *
 * Proof: sends mutated bodies, headers, paths and methods to every operation of both APIs, over TCP and the admin socket,
 * from every kind of caller, and mutated frames to live connections. The validator of bodies, called alone, decides which
 * posts may succeed.
 *
 * Short form: `bun run prove:fuzz`. Long form: `--mutations 100000`. `--seed` reproduces the mutations of an earlier run;
 * with `--only`, just one of them.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Proof, proofOptions, residentMiB, runProof, seeded, spawnServer, stopServer } from '@hub/testkit';
import { fuzzFrames } from './fuzz/fuzz-frames.ts';
import { type Acknowledged, checkStored, fuzzPublic } from './fuzz/fuzz-public.ts';
import { fuzzWorkspace } from './fuzz/fuzz-workspace.ts';
import { readOperations } from './fuzz/mutate-json.ts';
import { type FuzzSetup, KeyPool, Props, setUpFuzz } from './fuzz/setup.ts';
import { Outcomes, Wire } from './fuzz/wire.ts';

const { mutations, seed, only } = proofOptions(
  {
    mutations: 6_000,
    seed: Math.floor(Math.random() * 2 ** 31),
    only: '',
  },
  { mutations: 500 },
);

const CONCURRENCY = 8;
const BESIDE_MS = 100;
const BESIDE = 'beside the fuzz';
/**
 * The permitted memory growth after the first quarter of the mutations, for bounded caches and garbage not yet
 * collected.
 */
const MAX_MIB = 96;

/** Accepts unknown fields. */
const counterProof = {
  change: {
    file: 'apps/api/src/http/validate.ts',
    find: 'Type.Object(Object.fromEntries(members), { additionalProperties: false })',
    replace: 'Type.Object(Object.fromEntries(members))',
  },
  fails: 'no invalid request is accepted',
};

await runProof({ limitSeconds: 60 + mutations / 100, counterProof }, async (proof) => {
  proof.report(`${mutations} mutations, --seed ${seed}`);
  const dataDir = join(proof.folder, 'data');
  mkdirSync(dataDir);
  const env = { HUB_LOG_LEVEL: 'warn', HUB_TRUSTED_PROXIES: '127.0.0.1' };
  const server = spawnServer({ dataDir, env });
  const setup = await setUpFuzz(server, await server.serving());
  const outcomes = new Outcomes();
  const acknowledged: Acknowledged = new Map();
  const beside = postBeside(setup);
  const memory = await fuzz(setup, outcomes, acknowledged);
  const rejected = await beside();

  proof.report(outcomes.summary);
  for (const problem of outcomes.problems) proof.report(problem);
  proof.check(
    'every response has the right form, and no invalid request is accepted',
    outcomes.problemCount === 0,
    `${outcomes.problemCount} faults`,
  );
  proof.none('normal posts sent meanwhile return 201', rejected);
  if (only === '') await checkStored(proof, setup, acknowledged, (item) => 'text' in item && item.text === BESIDE);
  proof.report(`memory ${memory.map((mib) => mib.toFixed(0)).join(', ')} MiB after each quarter`);
  const growth = (memory.at(-1) ?? 0) - (memory[0] ?? 0);
  proof.check(
    `memory grows by less than ${MAX_MIB} MiB after the first quarter`,
    growth < MAX_MIB,
    `${growth.toFixed(0)} MiB`,
  );
  checkLog(proof, server.stdout());
  proof.check('the server finally exits with 0', (await stopServer(server)) === 0);
});

/**
 * Runs all mutations. Each has its own random numbers, so that it can be repeated on its own. Returns the memory after
 * each quarter.
 */
async function fuzz(setup: FuzzSetup, outcomes: Outcomes, acknowledged: Acknowledged): Promise<number[]> {
  const operations = await readOperations(setup.url);
  const props = new Props(setup);
  const keys = new KeyPool(setup.admin, setup.posts.id);
  const memory: number[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    const open = new Wire({ port: setup.port });
    const local = new Wire({ path: setup.server.adminSocket });
    for (let index = next++; index < mutations; index = next++) {
      if (only !== '' && index !== Number(only)) continue;
      const random = seeded(seed + index * 7_919);
      const choice = random();
      if (choice < 0.5) await fuzzPublic(random, index, { wire: open, keys, outcomes, acknowledged });
      else if (choice < 0.93)
        await fuzzWorkspace(random, index, { setup, operations, props, wires: { open, local }, outcomes });
      else
        await fuzzFrames(random, index, {
          port: setup.port,
          token: setup.memberToken,
          hubId: setup.posts.id,
          outcomes,
        });
      if ((index + 1) % Math.ceil(mutations / 4) === 0 || index + 1 === mutations)
        memory.push(residentMiB(setup.server.pid));
    }
    open.close();
    local.close();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return memory;
}

/** Posts occasionally. The returned function stops the posts and returns the responses other than 201. */
function postBeside({ admin, posts, url }: FuzzSetup): () => Promise<string[]> {
  const keys = new KeyPool(admin, posts.id);
  const rejected: string[] = [];
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      const headers = { authorization: `Bearer ${await keys.take()}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ text: BESIDE });
      const response = await fetch(`${url}/api/public/v1/messages`, { method: 'POST', headers, body });
      if (response.status !== 201) rejected.push(`${response.status} ${await response.text()}`);
      await Bun.sleep(BESIDE_MS);
    }
  })();
  return async () => {
    isOver = true;
    await running;
    return rejected;
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
  for (const [msg, each] of warnings) proof.report(`${each.length} warnings in the log: ${msg}`);
  proof.none(
    'the log has no errors',
    errors.map((error) => JSON.stringify(error).slice(0, 600)),
  );
}
