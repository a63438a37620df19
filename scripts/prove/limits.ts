/**
 * Promise: a key can send exactly 60 requests in any 60 seconds, and the next one blocks it for exactly 300 seconds, across
 * kills and clock changes. Every response says how many are left. A key works through the last millisecond before it
 * expires or its overlap ends. No request that begins after the response to a revocation is accepted.
 *
 * Proof: the real server, over many connections and with a clock that stands still, against the published rule
 * (`limits/limited-keys.ts`), and credentials that end while they are in use (`limits/revocation.ts`).
 *
 * Long form: 1,000 keys, 30 restarts, 100 users; or `--keys`, `--windows`, `--restarts`, `--ends`, `--users`.
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
import { proveBlocks } from './limits/blocks.ts';
import { LIMIT, LimitedKeys } from './limits/limited-keys.ts';
import { proveEnds, proveRevocations } from './limits/revocation.ts';

const options = proofOptions(
  { keys: 12, windows: 6, restarts: 2, ends: 4, users: 10 },
  {
    long: { keys: 1_000, windows: 10, restarts: 30, ends: 20, users: 100 },
    inCounterProof: { windows: 1 },
  },
);
const { windows } = options;
const { requests, windowMs, blockMs } = LIMIT;

/** More connections than the number of requests that the server delays at the same time after failures. */
const WRONG_KEY_CONNECTIONS = 600;
const counterProofs = [
  // Admits one request too many.
  {
    change: {
      file: 'apps/api/src/platform/sliding-window.ts',
      find: 'this.#times.length >= RATE_LIMIT.requests',
      replace: 'this.#times.length > RATE_LIMIT.requests',
    },
    fails: 'exactly 60 of each key pass',
    part: 'limit',
  },
  // Calculates what is left of a block by the wall clock.
  {
    change: {
      file: 'apps/api/src/programs/flush-keys.ts',
      find: 'if (isSameBoot) return until - savedAt - (sinceBoot.ms - saved.ms);',
      replace: 'if (isSameBoot) return until - now;',
    },
    fails: 'each ends at its exact millisecond',
    part: 'blocks',
  },
  // Accepts a key for one more millisecond.
  {
    change: {
      file: 'packages/contract/src/key-state.ts',
      find: '(end === null || now < end)',
      replace: '(end === null || now <= end)',
    },
    fails: 'end at their exact millisecond',
    part: 'ends',
  },
  // Lets a revocation take effect a fifth of a second late.
  {
    change: {
      file: 'packages/contract/src/key-state.ts',
      find: 'key.revokedAt === null &&',
      replace: '(key.revokedAt === null || now < key.revokedAt + 200) &&',
    },
    fails: 'keys revoked, replaced, or their Hub deleted',
    part: 'revocation',
  },
] as const;

const limitSeconds = 300 + options.keys * (1 + windows * 0.1) + options.restarts * 20 + options.users * 2;
await runProof({ limitSeconds, counterProofs }, async (proof) => {
  // Their clocks stand still, so they do not disturb each other.
  await Promise.all([
    proof.part('limit', () => proveLimit(proof)),
    proof.part('blocks', () => proveBlocks(proof, options)),
    proof.part('ends', () => proveEnds(proof, options.ends)),
    proof.part('revocation', () => proveRevocations(proof, { keys: options.keys * 5, users: options.users })),
  ]);
});

async function proveLimit(proof: Proof): Promise<void> {
  const server = await new ManualClockServer(join(proof.folder, 'limit')).start();
  const keys = await LimitedKeys.issue(server, options.keys);
  const inBursts = await burst(server, keys);
  const due = keys.size * requests;
  proof.check(
    `${keys.size} keys, ${windows} windows that end in a block: exactly ${requests} of each key pass in each`,
    inBursts.length === windows && inBursts.every((passed) => passed === due),
    `${Math.min(...inBursts)} to ${Math.max(...inBursts)} of ${due}`,
  );
  const passed = await fillToTheBrim(server, keys);
  // One more window follows at the end: half of the keys stay within the limit, and the other half send one request too
  // many.
  const brim = keys.size * (windows + 1) * requests;
  proof.check(
    `${windows} exactly full windows: each request passes at the millisecond in which there is room, and none before`,
    passed === brim,
    `${passed} of ${brim}`,
  );
  const wrongKeys = await sendWrongKeys(server.port);
  await server.advance(blockMs);
  await slide(server, keys);
  const wrong = await wrongKeys();
  proof.none(
    `each of ${keys.responses} responses matches the published rule, in RateLimit and Retry-After`,
    keys.problems,
  );
  proof.none(
    'wrong keys from the same address get 401, count for no key, and cause no rejection of valid keys',
    wrong.responses > 0 ? wrong.problems : ['none was sent'],
    `${wrong.responses} wrong ones`,
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
