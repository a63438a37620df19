/**
 * Proves that the rate limit of keys is exact: compares the real server, over real HTTP and many concurrent
 * connections, with the published rule, using a clock that the proof controls. Everything that a response reports about
 * the limit must match the rule, for each key: in windows that end in a block, windows that are exactly full, and
 * sliding windows, and when the server is killed or stopped while its clock is changed.
 *
 * The long form: `--keys 1000 --windows 10 --restarts 30 --real-windows 10`. `--real-windows` is the number of
 * 60-second windows with the real clock, followed by a block.
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
/** Fewer keys take part in the restarts, where timing matters. */
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
  // One more window follows at the end: half of the keys stay within the limit, and the other half send one request too
  // many.
  const brim = keyCount * (windows + 1) * PUBLISHED.requests;
  proof.check(
    `${windows} exactly full windows: each request passes at the millisecond in which there is room, and none before`,
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
    `each of ${keys.responses} responses matches the published rule, in RateLimit and Retry-After`,
    keys.problems.length === 0,
    `${keys.problems.length} do not. ${problems}`,
  );
  proof.check(
    'wrong keys from the same address get 401, count for no key, and cause no rejection of valid keys',
    wrong.problems.length === 0 && wrong.responses > 0,
    `${wrong.responses} wrong ones beside ${keys.responses - before} right ones; ${wrong.problems.slice(0, 3).join('; ')}`,
  );
  const unnoticed = Object.keys(WRONG_RULES).filter((name) => !keys.contradicted.has(name));
  proof.check(
    `the observations contradict each of ${Object.keys(WRONG_RULES).length} rules that differ slightly`,
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
    `${seen} blocks across kills and stops, with clocks set forward and back: each ends at its exact millisecond`,
    seen > 0 && keys.problems.length === 0,
    keys.problems.slice(0, 3).join('; '),
  );
  const { blocked, problems } = await killAroundBlocks(run, keys, restarts);
  proof.check(
    'after a kill while blocks begin, every block that its sender saw is complete',
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
    'expired state is removed as other requests arrive',
    cost.leftKeys === 1 && cost.leftBytes < cost.fullBytes / 10,
    `${cost.leftKeys} windows left`,
  );
}
