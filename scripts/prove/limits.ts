/**
 * Promise: a key can send exactly 60 requests in any 60 seconds. The next one blocks it for exactly 300 seconds, and the
 * response always says how many are left.
 *
 * Proof: the real server, over many connections and with a clock that stands still, against the published rule
 * (`rate-limit-rule.ts`): in windows that end in a block, windows that are exactly full, and sliding windows.
 *
 * Short form: `bun run prove:limits`. Long form: `--keys 1000 --real-windows 10`, where `--real-windows` is the number of
 * 60-second windows with the real clock, followed by a block.
 *
 * The same responses must contradict each of eight rules that differ slightly from the published one.
 */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { KEY_PREFIX } from '@hub/contract';
import {
  ManualClockServer,
  newToken,
  openConnection,
  type Proof,
  postRequest,
  proofOptions,
  runProof,
} from '@hub/testkit';
import { LimitedKeys } from './limits/limited-keys.ts';
import { PUBLISHED, WRONG_RULES } from './limits/rate-limit-rule.ts';
import { inRealTime } from './limits/real-time.ts';

const options = proofOptions({ keys: 12, windows: 10, 'real-windows': 0 }, { windows: 1 });
const { keys: keyCount, windows, 'real-windows': realWindows } = options;
const { requests, windowMs, blockMs } = PUBLISHED;

/** More connections than the number of requests that the server delays at the same time after failures. */
const WRONG_KEY_CONNECTIONS = 600;

/** Admits one request too many. */
const counterProof = {
  change: {
    file: 'apps/api/src/platform/sliding-window.ts',
    find: 'this.#times.length >= RATE_LIMIT.requests',
    replace: 'this.#times.length > RATE_LIMIT.requests',
  },
  fails: 'exactly 60 of each key pass',
};

await runProof({ limitSeconds: 500 + keyCount * windows * 0.1 + realWindows * 70, counterProof }, async (proof) => {
  await windowsByHand(proof);
  if (realWindows > 0) await inRealTime(proof, { keyCount, windows: realWindows });
});

async function windowsByHand(proof: Proof): Promise<void> {
  const server = await new ManualClockServer(join(proof.folder, 'windows')).start();
  const keys = await LimitedKeys.issue(server, keyCount);
  const inBursts = await burst(server, keys);
  const due = keyCount * requests;
  proof.check(
    `${keyCount} keys, ${windows} windows that end in a block: exactly ${requests} of each key pass in each`,
    inBursts.length === windows && inBursts.every((passed) => passed === due),
    `${Math.min(...inBursts)} to ${Math.max(...inBursts)} of ${due}`,
  );
  const passed = await fillToTheBrim(server, keys);
  // One more window follows at the end: half of the keys stay within the limit, and the other half send one request too
  // many.
  const brim = keyCount * (windows + 1) * requests;
  proof.check(
    `${windows} exactly full windows: each request passes at the millisecond in which there is room, and none before`,
    passed === brim,
    `${passed} of ${brim}`,
  );
  const wrongKeys = await sendWrongKeys(server.port);
  const before = keys.responses;
  await server.advance(blockMs);
  await slide(server, keys);
  const wrong = await wrongKeys();
  proof.none(
    `each of ${keys.responses} responses matches the published rule, in RateLimit and Retry-After`,
    keys.problems,
  );
  proof.check(
    'wrong keys from the same address get 401, count for no key, and cause no rejection of valid keys',
    wrong.problems.length === 0 && wrong.responses > 0,
    `${wrong.responses} wrong ones beside ${keys.responses - before} right ones; ${wrong.problems.slice(0, 3).join('; ')}`,
  );
  const unnoticed = Object.keys(WRONG_RULES).filter((name) => !keys.contradicted.has(name));
  proof.none(
    `the observations contradict each of ${Object.keys(WRONG_RULES).length} rules that differ slightly`,
    unnoticed,
  );
  keys.close();
  await server.stop();
}

/** Runs windows that end in a block: all keys at the same time, each over its limit. Returns what passed in each. */
async function burst(server: ManualClockServer, keys: LimitedKeys): Promise<number[]> {
  const passed: number[] = [];
  for (let window = 0; window < windows; window += 1) {
    const before = keys.passed;
    await keys.send(() => requests + randomInt(1, 5));
    passed.push(keys.passed - before);
    // Requests are sent shortly after the start of the block, in its middle, late enough to be in the next window if
    // they counted, and just before the end of the block.
    const soon = randomInt(1, 1_000);
    const late = blockMs - randomInt(1_000, windowMs);
    const start = server.nowMs;
    for (const time of [1, soon, randomInt(soon, late), late, blockMs - 1]) {
      await server.advance(start + time - server.nowMs);
      await keys.send(() => 1);
    }
    await server.advance(1);
  }
  return passed;
}

/** Sends sixty requests with each key again and again, exactly when the previous ones leave the window: all must pass. */
async function fillToTheBrim(server: ManualClockServer, keys: LimitedKeys): Promise<number> {
  const before = keys.passed;
  for (let window = 0; window < windows; window += 1) {
    await keys.send(() => requests - 20);
    await server.advance(windowMs / 2);
    await keys.send(() => 20);
    await server.advance(windowMs / 2);
  }
  // Every second key sends a 61st request, one millisecond before there is room for it.
  await keys.send(() => requests - 20);
  await server.advance(windowMs - 1);
  await keys.send((n) => (n % 2) * 21);
  await server.advance(1);
  await keys.send(() => 20);
  return keys.passed - before;
}

/** Sends a few requests from time to time, so that the windows slide. Some keys reach their limit. */
async function slide(server: ManualClockServer, keys: LimitedKeys): Promise<void> {
  const end = server.nowMs + windows * windowMs;
  // The activity of each key. Most send close to sixty requests per minute.
  const lively = Array.from({ length: keys.size }, () => 1 + Math.random() * 2);
  while (server.nowMs < end) {
    await keys.send((n) => Math.floor(Math.random() * 2 * (lively[n] ?? 1)));
    await server.advance(randomInt(100) < 10 ? 0 : randomInt(4_000));
  }
}

/** Sends unknown and truncated keys from the same address as valid ones, until the returned function is called. */
async function sendWrongKeys(port: number): Promise<() => Promise<{ responses: number; problems: string[] }>> {
  const problems: string[] = [];
  let responses = 0;
  let isOver = false;
  const connections = await Promise.all(Array.from({ length: WRONG_KEY_CONNECTIONS }, () => openConnection(port)));
  const work = connections.map(async (connection, n) => {
    while (!isOver) {
      const key = newToken(Math.random, KEY_PREFIX);
      const response = await connection.send(postRequest('messages', n % 3 === 0 ? key.slice(0, -1) : key, 'Hello'));
      responses += 1;
      const limit = response.header('RateLimit') ?? response.header('Retry-After');
      if (response.status !== 401 || limit !== null) problems.push(`${response.status}, of a limit: ${limit}`);
      // As fast as an attacker over a real network could be; at full speed, the two cores would do nothing else.
      await Bun.sleep(200);
    }
    connection.close();
  });
  return async () => {
    isOver = true;
    await Promise.all(work);
    return { responses, problems };
  };
}
