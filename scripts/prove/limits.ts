/**
 * Promise: a key can send exactly 60 requests in any 60 seconds, and the next one blocks it for exactly 300 seconds, across
 * kills and clock changes. Every response says how many are left. No request that begins after the response to a revocation
 * is accepted.
 *
 * Proof: the real server, over many connections and with a clock that stands still, against the published rule
 * (`limits/limited-keys.ts`), and credentials that are revoked while they are in use (`limits/revocation.ts`).
 *
 * Long form: 1,000 keys, 30 restarts, 100 users; or `--keys`, `--windows`, `--restarts`, `--users`.
 */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import {
  HubServer,
  ManualClockServer,
  type Proof,
  postRequest,
  proofOptions,
  RequestLoad,
  runProof,
} from '@hub/testkit';
import { BLOCKED_SINCE, LIMIT, LimitedKeys, UNBLOCKED } from './limits/limited-keys.ts';
import { proveRevocations } from './limits/revocation.ts';

const options = proofOptions(
  { keys: 12, windows: 6, restarts: 2, users: 10 },
  {
    long: { keys: 1_000, windows: 10, restarts: 30, users: 100 },
    inCounterProof: { windows: 1 },
  },
);
const { windows } = options;
const { requests, windowMs, blockMs } = LIMIT;

const HOUR_MS = 3_600_000;
/** Changes to the wall clock, in milliseconds. */
const JUMPS = [0, -50_000, 50_000, -HOUR_MS, HOUR_MS, -26 * HOUR_MS, 26 * HOUR_MS];
/** The time from the start of a block to the first request after a kill. */
const AWAY_MS = 1_500;
/** The resolution at which the kernel reports the time since boot. */
const KERNEL_STEP_MS = 10;

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
  await server.advance(blockMs);
  await slide(server, keys);
  proof.none(
    `each of ${keys.responses} responses matches the published rule, in RateLimit and Retry-After`,
    keys.problems,
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

/** Ends and starts the server with its clock changed, and kills it at the moment in which blocks begin. */
async function proveBlocks(proof: Proof, { keys: count, restarts }: { keys: number; restarts: number }) {
  const server = await new ManualClockServer(join(proof.folder, 'blocks')).start();
  const keys = await LimitedKeys.issue(server, Math.min(30, count));
  const anyJump = () => server.jump(JUMPS[randomInt(JUMPS.length)] ?? 0);
  let seen = 0;
  for (let round = 0; round < restarts; round += 1) {
    // Blocks that began at two different times, and keys that are not blocked.
    await keys.send((n) => (n % 3 === 0 ? requests + 1 : 0));
    await server.advance(randomInt(50_000));
    await keys.send((n) => (n % 3 === 1 ? requests + 1 : randomInt(3)));
    for (const end of [() => server.kill(), () => server.stop()]) {
      await server.advance(randomInt(20_000));
      await anyJump();
      await end();
      await server.advance(randomInt(60_000));
      await anyJump();
      await server.start();
      keys.serverWasStarted();
      seen += keys.blocksLeft.length;
      await keys.send(() => 1);
    }
    // The last millisecond of each block, and the first one after it.
    for (let left = keys.blocksLeft; left.length > 0; left = keys.blocksLeft) {
      await server.advance(Math.min(...left) - 1);
      await keys.send(() => 1);
      await server.advance(1);
      await keys.send(() => 1);
    }
    await server.advance(windowMs);
  }
  proof.none(
    `${seen} blocks across kills and stops, with clocks set forward and back: each ends at its exact millisecond`,
    seen > 0 ? keys.problems : ['there was no block'],
  );
  const { blocked, problems } = await killAroundBlocks(server, keys, restarts);
  proof.none(
    'after a kill while blocks begin, every block that its sender saw is complete',
    blocked > 0 ? problems : ['no block was reported'],
    `${blocked} blocks reported`,
  );
  keys.close();
  await server.stop();
  await blockOverRealKill(proof);
}

/**
 * Kills the server while keys send their 61st request, which begins a block. If the sender got the response, the block
 * must still exist unchanged after the restart. Otherwise it may exist unchanged or not at all.
 */
async function killAroundBlocks(server: ManualClockServer, keys: LimitedKeys, restarts: number) {
  const problems: string[] = [];
  let blocked = 0;
  for (let round = 0; round < restarts; round += 1) {
    await server.advance(blockMs);
    await keys.send(() => requests);
    const isBlocked = await keys.sendUntilEnd(() => server.kill());
    await server.advance(AWAY_MS);
    await server.start();
    for (const [n, limit] of (await keys.ask()).entries()) {
      const isAllowed = limit === BLOCKED_SINCE || (limit === UNBLOCKED && !isBlocked[n]);
      if (!isAllowed) problems.push(`after a kill: ${limit}`);
    }
    blocked += isBlocked.filter(Boolean).length;
  }
  return { blocked, problems };
}

/** Checks that a block survives a kill by the machine's own clocks. */
async function blockOverRealKill(proof: Proof): Promise<void> {
  const server = await new HubServer(join(proof.folder, 'real-kill')).start();
  const [issued] = await server.admin.issueKeys(await server.admin.createHubs(1), 1);
  const request = postRequest('messages', issued?.key ?? '', 'Hello');
  const load = new RequestLoad();
  const sent = await load.send(server.port, Array(requests + 1).fill({ request }));
  const [begun] = sent.filter(({ response }) => response.status === 403);
  await server.kill();
  load.close();
  await server.start();
  const [after] = await load.send(server.port, [{ request }]);
  // The response before the kill came at some time between these two.
  const elapsedMs = [
    (after?.sentAt ?? 0) - (begun?.respondedAt ?? 0),
    (after?.respondedAt ?? 0) - (begun?.sentAt ?? 0),
  ];
  const [shortest = 0, longest = 0] = elapsedMs;
  const least = Math.ceil((blockMs - longest - KERNEL_STEP_MS) / 1000);
  const most = Math.ceil((blockMs - shortest + KERNEL_STEP_MS) / 1000);
  const seconds = Number(after?.response.header('Retry-After') ?? Number.NaN);
  const detail = `Retry-After ${seconds}, of ${least} to ${most}`;
  proof.check("a block survives a kill by the machine's own clocks", seconds >= least && seconds <= most, detail);
  load.close();
  await server.stop();
}
