/**
 * Promise: a key can send exactly 60 requests in any 60 seconds, and the next one blocks it for exactly 300 seconds, across
 * kills and clock changes. Every response says how many are left. No request that begins after the response to a revocation
 * is accepted.
 *
 * Proof: the real server, over many connections and with a clock that stands still, against the published rule
 * (`Rule`), and credentials that are revoked while they are in use (`limits/revocation.ts`).
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
  type RawResponse,
  RequestLoad,
  rawRequest,
  runProof,
  type TimedResponse,
} from '@hub/testkit';
import { proveRevocations } from './limits/revocation.ts';

const LIMIT = { requests: 60, windowMs: 60_000, blockMs: 300_000 } as const;
const HUBS = 10;
const POLICY = '"default";q=60;w=60';

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

/** Ends and starts the server with its clock changed. */
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
  keys.close();
  await server.stop();
  await blockOverRealKill(proof);
}

/** Checks that a block survives a kill by the machine's own clocks. */
async function blockOverRealKill(proof: Proof): Promise<void> {
  const server = await new HubServer(join(proof.folder, 'real-kill')).start();
  const [issued] = await server.admin.issueKeys(await server.admin.createHubs(1), 1);
  const request = postRequest('messages', issued?.key ?? '', 'Hello');
  const load = new RequestLoad();
  const sent = await load.send(server.port, Array(requests + 1).fill(request));
  const [begun] = sent.filter(({ response }) => response.status === 403);
  await server.kill();
  load.close();
  await server.start();
  const [after] = await load.send(server.port, [request]);
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

/**
 * A literal implementation of the published rule for one key, without regard to speed or memory. All times are in
 * milliseconds of the same clock.
 */
class Rule {
  #counted: number[] = [];
  #blockedAt = Number.NEGATIVE_INFINITY;

  /** Returns the expected result of a request at this time. */
  check(now: number): string {
    const { requests, windowMs } = LIMIT;
    if (this.blockLeft(now) > 0) return this.#rejected(now);
    this.#counted = this.#counted.filter((at) => at > now - windowMs);
    if (this.#counted.length >= requests) {
      this.#blockedAt = now;
      this.#counted = [];
      return this.#rejected(now);
    }
    this.#counted.push(now);
    const resetMs = (this.#counted[0] ?? now) + windowMs - now;
    return `passed, RateLimit "default";r=${requests - this.#counted.length};t=${Math.ceil(resetMs / 1000)}`;
  }

  /** Returns the milliseconds until the end of the block; 0 if the key is not blocked. */
  blockLeft(now: number): number {
    return Math.max(0, this.#blockedAt + LIMIT.blockMs - now);
  }

  /** Applies a server restart: the window does not have to survive it, and does not. */
  forgetWindow(): void {
    this.#counted = [];
  }

  #rejected(now: number): string {
    const seconds = Math.ceil(this.blockLeft(now) / 1000);
    return `rejected, RateLimit "default";r=0;t=${seconds}, Retry-After ${seconds}`;
  }
}

/** A way to use up one of the sixty requests. The keys can only create messages. */
interface RequestKind {
  readonly status: number;
  /** The average number of requests of this kind among a hundred. */
  readonly share: number;
  readonly request: (key: string) => string;
}

const raw = (bearer: string, { path = '/messages', ...parts }: Partial<Parameters<typeof rawRequest>[0]>): string =>
  rawRequest({ bearer, path: `/api/public/v1${path}`, ...parts });
const TOO_LONG = 'x'.repeat(1_048_577);

const MESSAGE: RequestKind = { status: 201, share: 40, request: (key) => postRequest('messages', key, 'Hello') };
const KINDS: readonly RequestKind[] = [
  MESSAGE,
  // No scope, an unknown path, another method, another type, broken JSON, and a body that is too large.
  { status: 403, share: 12, request: (key) => postRequest('notes', key, 'Hello') },
  { status: 404, share: 12, request: (key) => raw(key, { path: '/nothing', body: '{"text":"Hello"}' }) },
  { status: 405, share: 12, request: (key) => raw(key, { method: 'GET' }) },
  { status: 415, share: 12, request: (key) => raw(key, { contentType: 'text/plain', body: 'text=x' }) },
  { status: 400, share: 11.7, request: (key) => raw(key, { body: '{"text": ' }) },
  { status: 413, share: 0.3, request: (key) => raw(key, { body: TOO_LONG }) },
];

/** Chooses a kind at random, weighted by the shares. */
function anyKind(): RequestKind {
  let left = Math.random() * KINDS.reduce((sum, { share }) => sum + share, 0);
  for (const kind of KINDS) {
    left -= kind.share;
    if (left < 0) return kind;
  }
  return MESSAGE;
}

/** Returns the limit that a response reports, in the format of `Rule`, or a problem if it has another form. */
function limitIn(response: RawResponse, kind: RequestKind): string {
  const [policy, limit, retryAfter] = ['RateLimit-Policy', 'RateLimit', 'Retry-After'].map((name) =>
    response.header(name),
  );
  if (policy !== POLICY) return `${response.status} with RateLimit-Policy ${policy}`;
  if (retryAfter !== null && response.status === 403) return `rejected, RateLimit ${limit}, Retry-After ${retryAfter}`;
  if (response.status === kind.status && retryAfter === null) return `passed, RateLimit ${limit}`;
  return `${response.status} in place of ${kind.status}, RateLimit ${limit}, Retry-After ${retryAfter}`;
}

interface LimitedKey {
  readonly key: string;
  readonly rule: Rule;
}

/** The keys of a server with a stopped clock, and their expected state according to the published rule. */
class LimitedKeys {
  readonly problems: string[] = [];
  responses = 0;
  passed = 0;
  readonly #server: ManualClockServer;
  readonly #load = new RequestLoad();
  readonly #keys: readonly LimitedKey[];

  private constructor(server: ManualClockServer, keys: readonly LimitedKey[]) {
    this.#server = server;
    this.#keys = keys;
  }

  static async issue(server: ManualClockServer, count: number): Promise<LimitedKeys> {
    const hubIds = await server.admin.createHubs(HUBS);
    const issued = await server.admin.issueKeys(hubIds, count, ['messages:create']);
    return new LimitedKeys(
      server,
      issued.map(({ key }) => ({ key, rule: new Rule() })),
    );
  }

  close(): void {
    this.#load.close();
  }

  get size(): number {
    return this.#keys.length;
  }

  /** Returns the remaining milliseconds of each blocked key. */
  get blocksLeft(): number[] {
    return this.#keys.map(({ rule }) => rule.blockLeft(this.#server.nowMs)).filter((left) => left > 0);
  }

  /** Applies a server restart to the rules: blocks survive it, windows do not. */
  serverWasStarted(): void {
    for (const { rule } of this.#keys) rule.forgetWindow();
  }

  /**
   * Sends this many requests with each key at a single instant of the server's clock, over all connections and in
   * random order.
   */
  async send(count: (n: number) => number): Promise<void> {
    const sent = this.#keys.flatMap((owner, n) => Array.from({ length: count(n) }, () => ({ owner, kind: anyKind() })));
    const order = shuffle(Array.from(sent.keys())).map((index) => sent[index] as (typeof sent)[number]);
    const requests = order.map(({ owner, kind }) => kind.request(owner.key));
    const responses = await this.#load.send(this.#server.port, requests);
    const outcomes = Map.groupBy(order.keys(), (index) => (order[index] as (typeof sent)[number]).owner);
    for (const [owner, indexes] of outcomes) {
      const seen = indexes.map((index) =>
        limitIn((responses[index] as TimedResponse).response, (order[index] as (typeof sent)[number]).kind),
      );
      this.#check(owner, seen);
    }
  }

  /** Compares the outcomes regardless of their order, since the order of requests at the same instant is unknown. */
  #check({ rule }: LimitedKey, responses: readonly string[]): void {
    const seen = responses.toSorted();
    const due = responses.map(() => rule.check(this.#server.nowMs)).sort();
    const different = seen.findIndex((response, index) => response !== due[index]);
    if (different >= 0) {
      this.problems.push(`${seen.length} requests at once: "${seen[different]}" in place of "${due[different]}"`);
    }
    this.responses += responses.length;
    this.passed += responses.filter((response) => response.startsWith('passed')).length;
  }
}

/** Shuffles a list in place (Fisher and Yates), and returns it. */
function shuffle(list: number[]): number[] {
  for (let index = list.length - 1; index > 0; index -= 1) {
    const other = Math.floor(Math.random() * (index + 1));
    [list[index], list[other]] = [list[other] as number, list[index] as number];
  }
  return list;
}

const limitSeconds = 300 + options.keys * (1 + windows * 0.1) + options.restarts * 20 + options.users * 2;
await runProof({ limitSeconds, counterProofs }, async (proof) => {
  // Their clocks stand still, so they do not disturb each other.
  await Promise.all([
    proof.part('limit', () => proveLimit(proof)),
    proof.part('blocks', () => proveBlocks(proof, options)),
    proof.part('revocation', () => proveRevocations(proof, { keys: options.keys * 5, users: options.users })),
  ]);
});
