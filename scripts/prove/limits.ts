/**
 * Proves that the limit of keys is exact: the real server over real HTTP and many connections at once, with a clock that the proof moves,
 * against the published rule. Everything that a response says about the limit must match the rule, for each key, in windows that
 * end in a block, that are filled to the brim and that slide, over kills and stops of the server while its clock is set.
 *
 * The long form: `--keys 1000 --windows 10 --restarts 30 --real-windows 10`. `--real-windows` so many windows of 60 seconds by the real clock, and a block.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ManualClockRun } from './limits/hand-clocked-life.ts';
import { LimitedKeys } from './limits/limited-keys.ts';
import type { LimiterCost } from './limits/limiter-cost.ts';
import { blockOverRealKill, inRealTime } from './limits/real-time.ts';
import { blocksOverRestarts, killAroundBlocks } from './limits/restarts.ts';
import { PUBLISHED, WRONG_RULES } from './limits/rule.ts';
import { Swarm } from './limits/swarm.ts';
import { burst, fillToTheBrim, slide } from './limits/windows.ts';
import { sendWrongKeys } from './limits/wrong-keys.ts';
import { type Proof, runProof } from './proof.ts';

const { values } = parseArgs({
  options: {
    keys: { type: 'string', default: '12' },
    windows: { type: 'string', default: '10' },
    restarts: { type: 'string', default: '2' },
    'real-windows': { type: 'string', default: '0' },
  },
});
const [keyCount, windows, restarts, realWindows] = [
  values.keys,
  values.windows,
  values.restarts,
  values['real-windows'],
].map(Number) as [number, number, number, number];

const CONNECTIONS = 64;
/** Over a restart fewer do: what counts is when it comes. */
const MAX_KEYS_OVER_RESTARTS = 30;
const COST_KEYS = 100_000;
const MAX_NS = 10_000;
const MAX_BYTES = 2_048;

await runProof(
  { limitSeconds: 120 + keyCount * windows * 0.1 + restarts * 20 + realWindows * 70 + 400 },
  async (proof) => {
    await windowsByHand(proof);
    await overRestarts(proof);
    await blockOverRealKill(proof);
    await costOfLimiter(proof);
    if (realWindows > 0) await inRealTime(proof, { keyCount, windows: realWindows });
  },
);

async function windowsByHand(proof: Proof): Promise<void> {
  const run = new ManualClockRun(join(proof.folder, 'windows'));
  await run.start();
  const swarm = new Swarm(CONNECTIONS);
  const keys = new LimitedKeys(run, swarm);
  await keys.issue(keyCount);

  const inBursts = await burst(run, keys, windows);
  const due = keyCount * PUBLISHED.requests;
  proof.check(
    `${keyCount} keys, ${windows} windows that end in a block: exactly ${PUBLISHED.requests} of each key pass in each`,
    inBursts.length === windows && inBursts.every((passed) => passed === due),
    `${Math.min(...inBursts)} to ${Math.max(...inBursts)} of ${due}`,
  );
  const passed = await fillToTheBrim(run, keys, windows);
  // And then each key once more: half of them in time, the other half one too many.
  const brim = keyCount * (windows + 1) * PUBLISHED.requests;
  proof.check(
    `${windows} windows filled to the brim: each request passes in the millisecond in which there is room, and none before`,
    passed === brim,
    `${passed} of ${brim}`,
  );
  const wrongKeys = await sendWrongKeys(run.port);
  const before = keys.responses;
  await run.advance(PUBLISHED.blockMs);
  await slide(run, keys, windows);
  const wrong = await wrongKeys.stop();
  const problems = keys.problems.slice(0, 3).join('; ');
  proof.check(
    `each of ${keys.responses} answers says what the published rule says, in RateLimit and Retry-After`,
    keys.problems.length === 0,
    `${keys.problems.length} do not. ${problems}`,
  );
  proof.check(
    'wrong keys from the same address, meanwhile, are 401, count for nobody, and no right key is refused for them',
    wrong.problems.length === 0 && wrong.responses > 0,
    `${wrong.responses} wrong ones beside ${keys.responses - before} right ones; ${wrong.problems.slice(0, 3).join('; ')}`,
  );
  const unnoticed = Object.keys(WRONG_RULES).filter((name) => !keys.contradicted.has(name));
  proof.check(
    `what was seen contradicts each of ${Object.keys(WRONG_RULES).length} rules that differ by a hair`,
    unnoticed.length === 0,
    unnoticed.join(', '),
  );
  swarm.close();
  await run.stop();
}

async function overRestarts(proof: Proof): Promise<void> {
  const run = new ManualClockRun(join(proof.folder, 'restarts'));
  await run.start();
  const swarm = new Swarm(CONNECTIONS);
  const keys = new LimitedKeys(run, swarm);
  await keys.issue(Math.min(keyCount, MAX_KEYS_OVER_RESTARTS));
  const seen = await blocksOverRestarts(run, keys, restarts);
  proof.check(
    `${seen} blocks over kills and stops, with clocks set forward and back: each ends in its millisecond`,
    seen > 0 && keys.problems.length === 0,
    keys.problems.slice(0, 3).join('; '),
  );
  const { blocked, problems } = await killAroundBlocks(run, keys, restarts);
  proof.check(
    'after a kill while blocks begin, each block that the sender was notified of is there in full',
    blocked > 0 && problems.length === 0,
    `${blocked} told; ${problems.slice(0, 3).join('; ')}`,
  );
  swarm.close();
  await run.stop();
}

async function costOfLimiter(proof: Proof): Promise<void> {
  const script = join(import.meta.dir, 'limits/limiter-cost.ts');
  const child = Bun.spawn([process.execPath, '--no-env-file', script, String(COST_KEYS)], { stderr: 'inherit' });
  const cost = JSON.parse(await new Response(child.stdout).text()) as LimiterCost;
  const bytes = (all: number): string => `${(all / COST_KEYS).toFixed(0)} bytes`;
  proof.report(
    `the limiter with ${COST_KEYS} keys: ${bytes(cost.fullBytes)} for each with a full window, ${bytes(cost.blockedBytes)} blocked; ` +
      `a decision ${cost.passNs.toFixed(0)} ns where it passes, ${cost.rejectNs.toFixed(0)} ns where not, ${cost.singleNs.toFixed(0)} ns while others are forgotten`,
  );
  proof.check(
    `a decision among ${COST_KEYS} keys takes under ${MAX_NS / 1000} µs`,
    Math.max(cost.passNs, cost.rejectNs, cost.singleNs) < MAX_NS,
  );
  proof.check(`a key with a full window takes under ${MAX_BYTES} bytes`, cost.fullBytes < MAX_BYTES * COST_KEYS);
  proof.check(
    'what is over is forgotten as requests of others come',
    cost.leftKeys === 1 && cost.leftBytes < cost.fullBytes / 10,
    `${cost.leftKeys} windows left`,
  );
}
