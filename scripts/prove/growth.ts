/**
 * Promise: the server stays fast with a large workspace (key checks, every page of every list, searches and starts), and
 * indexing, exports, long lists and pruning do not delay posts. It does not degrade over time: memory, open files and the
 * log do not grow, and followers receive everything once and in order. A post costs little, and an upload no memory.
 *
 * Proof: fills a database, and measures everything while the server receives posts. Then a steady load with followers and
 * users (`growth/soak.ts`). Then the processor time per post of the server and of a hand-written server (group commit, no
 * checks), in turn and under the same load: the ratio of the two hardly depends on the machine. Then the memory during
 * uploads, and their time, as a ratio as well (`growth/uploads.ts`).
 *
 * Long form: 100,000 keys and a million messages, pruning, and an hour of load; or `--keys`, `--messages`, `--rounds`,
 * `--posts`, `--prune`, `--minutes`, `--rate` (posts per second), `--sockets`, `--users` (user actions per second). The short
 * form of the load shows only runaway growth.
 */
import { Database } from 'bun:sqlite';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HubServer, hubctl, postRequest, quantile, until, userWithToken } from '@hub/testkit';
import { seed } from '../../apps/api/bench/seed.ts';
import { SUBJECTS, start } from '../../apps/api/bench/subject.ts';
import { Caller, measureKeyCheck, measureLists, measureSearches, type Values } from './growth/lists.ts';
import { proveSoak } from './growth/soak.ts';
import { proveUploads } from './growth/uploads.ts';
import { createLedger, type PostLedger, type PostLoad, sendAll, startPacedLoad } from './kit/post-load.ts';
import { type Proof, proofOptions, runProof } from './kit/proof.ts';

const options = proofOptions(
  {
    ...{ keys: 2_000, messages: 10_000, rounds: 1, posts: 1_000, prune: false },
    ...{ minutes: 0.12, rate: 150, sockets: 60, users: 10, uploads: 50 },
  },
  {
    long: {
      ...{ keys: 100_000, messages: 1_000_000, rounds: 20, posts: 20_000, prune: true },
      ...{ minutes: 60, rate: 200, sockets: 200 },
    },
    inCounterProof: { keys: 60_000, messages: 1_000 },
  },
);
const { keys, messages, rounds } = options;

const DAY_MS = 24 * 60 * 60 * 1000;
const AGE_MS = 60 * DAY_MS;
const RETENTION_DAYS = 7;
const RATE = 50;
/** The number of key check requests of each kind per round and sweep. */
const CHECKS = 60;
/** The permitted latency of posts during background work. The measuring processes use the same processor. */
const FELT = { times: 3, ms: 40, littleDataMs: 300 } as const;
const LITTLE_DATA = 100_000;
const START_BOUND_MS = 3_000;
const POST_BYTES = 20_000;
const waitFor = (holds: () => boolean) => until(Number.POSITIVE_INFINITY, holds, 50);

const CONNECTIONS = 64;
/** The JavaScript engine's compiler needs about this long to optimize the code. */
const [WARM_UP_SECONDS, SECONDS] = [1.5, 2];
const ATTEMPTS = 6;
/**
 * Processor time per post divided by that of the hand-written server, for the main thread and for all threads: 15 % more
 * than the goals (1.8 and 2.4).
 */
const MAX_RATIO = { main: 2.07, all: 2.76 };

const counterProofs = [
  // Gives each post a transaction and a flush of its own.
  {
    file: 'apps/api/src/storage/sqlite/engine/group-commit.ts',
    find: 'options.maxBatch ?? 256',
    replace: 'options.maxBatch ?? 1',
    fails: 'the processor time per post of the main thread',
    part: 'speed',
  },
  // Finds a key by reading all keys: SQLite uses no index for an expression.
  {
    file: 'apps/api/src/storage/keys.ts',
    find: "eq(apiKeys.tokenHash, given('tokenHash'))",
    replace: "eq(sql.join([sql.raw('+'), apiKeys.tokenHash]), given('tokenHash'))",
    fails: 'the key check adds under',
    part: 'large workspace',
  },
  // Keeps something of every post.
  {
    file: 'apps/api/src/programs/public-api.ts',
    find: 'const hub = await store.posts.write(',
    replace: `(Object.assign(globalThis, { kept: Reflect.get(globalThis, 'kept') ?? [] }).kept as unknown[]).push(Buffer.alloc(400_000, 1));
  const hub = await store.posts.write(`,
    fails: 'memory is flat',
    part: 'soak',
  },
] as const;

const limitSeconds = 170 + messages / 500 + rounds * 60 + options.minutes * 66;
await runProof({ limitSeconds, counterProofs }, async (proof) => {
  await proof.part('large workspace', () => proveLargeWorkspace(proof));
  await proof.part('soak', () => proveSoak(proof, options));
  await proof.part('uploads', () => proveUploads(proof, options.uploads));
  await proof.part('speed', () => proveSpeed(proof));
});

async function proveLargeWorkspace(proof: Proof): Promise<void> {
  const env = { HUB_TRUSTED_PROXIES: '127.0.0.1' };
  const server = new HubServer(join(proof.folder, 'large'), { env });
  await seed(server.dataDir, keys, messages, AGE_MS);
  const tokens = readFileSync(join(server.dataDir, 'keys.txt'), 'utf8').split('\n');
  const megabytes = statSync(join(server.dataDir, 'hub.db')).size / 1e6;
  proof.report(`${keys} keys, ${messages} messages: a database of ${megabytes.toFixed(0)} MB`);
  const ledger = createLedger(tokens.slice(-Math.min(5_000, keys / 2)).map((key) => ({ id: '', key })));
  await server.start();
  checkStart(proof, 'without a search index', server);
  const [hubId, keyId] = await firstOf(server);

  const load = startPacedLoad(ledger, server.port, RATE);
  await checkFelt(proof, load, 'while the search index is built', () =>
    waitFor(() => indexedGlobalSeq(server) >= messages),
  );
  let listed = 0;
  await checkFelt(proof, load, 'while hubctl lists all keys', async () => {
    listed = (await hubctl<{ items: unknown[] }>(server.dataDir, ['keys', 'list'])).items.length;
  });
  proof.check('hubctl lists every key', listed === keys, `${listed}`);
  await checkFelt(proof, load, 'while a Hub is exported', async () => {
    await (await server.admin.raw('GET', `/hubs/${hubId}/export`)).arrayBuffer();
  });
  const caller = new Caller(server.port);
  await measureKeyCheck(proof, caller, tokens.slice(0, keys / 2), rounds * CHECKS);
  await measureAllLists(proof, server, caller, [hubId, keyId]);
  await load.stop();
  if (options.prune) await prune(proof, server, { ledger, hubId });
  proof.none('no post was rejected', [...ledger.unexpected, ...ledger.rejected]);
  await startAfterKill(proof, server, ledger);
  proof.check('the server finally exits with 0', (await server.stop()) === 0);
}

async function firstOf({ admin }: HubServer): Promise<[hubId: string, keyId: string]> {
  const hubs = (await admin.listHubs('?limit=100')).items;
  const hub = hubs.find(({ name }) => name === 'Hub 0');
  const [key] = (await admin.listKeys(`?hubId=${hub?.id}&limit=1`)).items;
  return [hub?.id ?? '', key?.id ?? ''];
}

async function measureAllLists(proof: Proof, server: HubServer, caller: Caller, [hubId, keyId]: [string, string]) {
  const hubIds = (await server.admin.listHubs('?limit=100')).items.map(({ id }) => id);
  const member = await userWithToken(server, { name: 'Ada', hubIds });
  const admin = await userWithToken(server, { name: 'Grace', role: 'admin', hubIds });
  const page = await server.admin.request('GET /hubs/{hubId}/messages', { hubId, query: { limit: 1 } });
  const todos = await server.admin.request('GET /hubs/{hubId}/todos', { hubId, query: { limit: 1 } });
  const values: Values = {
    ...{ hubId, keyId, userId: member.id, authorId: 'me', actorId: admin.id, assigneeId: 'me', targetId: keyId },
    ...{ itemId: page.items[0]?.id ?? '', todoId: todos.items[0]?.id ?? '', include: 'unread', membership: 'own' },
    ...{ retentionDays: '30', usageDays: '90', days: '90', from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' },
    sha256: 'a'.repeat(64),
  };
  const measured = { caller, tokens: [member.token, admin.token], values };
  await measureLists(proof, { ...measured, rounds });
  await measureSearches(proof, { ...measured, rounds: Math.ceil(rounds / 4) });
}

/** Checks that background work does not delay posts: compares their latencies with those after it. */
async function checkFelt(proof: Proof, load: PostLoad, when: string, work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  const during = await load.during(work);
  const tookMs = performance.now() - startedAt;
  const without = await load.during(() => Bun.sleep(Math.max(1_000, Math.min(tookMs, 10_000))));
  const [slow, most] = [quantile(during, 0.99), quantile(without, 0.99)];
  const least = messages < LITTLE_DATA ? FELT.littleDataMs : 0;
  const bound = Math.max(most * FELT.times, most + FELT.ms, least);
  const detail = `p99 ${slow.toFixed(1)} ms, ${most.toFixed(1)} ms without, in ${(tookMs / 1000).toFixed(1)} s`;
  // Work that is over before a post is sent delays none.
  proof.check(`posts continue ${when}`, during.length === 0 || slow <= bound, detail);
}

/** Restarts with a retention that removes almost a whole Hub, a while after the start. */
async function prune(proof: Proof, server: HubServer, { ledger, hubId }: { ledger: PostLedger; hubId: string }) {
  await server.admin.request('PATCH /hubs/{hubId}', { hubId, body: { retentionDays: RETENTION_DAYS } });
  await server.stop();
  await server.start();
  checkStart(proof, 'with an index', server);
  const load = startPacedLoad(ledger, server.port, RATE);
  const left = (): number => {
    using database = new Database(join(server.dataDir, 'hub.db'), { readonly: true });
    const before = Date.now() - (RETENTION_DAYS + 0.01) * DAY_MS;
    return Number(database.query('select count(*) from items where created_at < ?').values(before)[0]?.[0]);
  };
  const found = left();
  await waitFor(() => left() < found);
  await checkFelt(proof, load, `while the server prunes ${found} items`, () => waitFor(() => left() === 0));
  await load.stop();
}

/** Returns how far the index has progressed. */
function indexedGlobalSeq({ dataDir }: HubServer): number {
  using database = new Database(join(dataDir, 'search.db'), { readonly: true });
  database.exec('PRAGMA busy_timeout = 5000');
  return Number(database.query('select global_seq from position').values()[0]?.[0] ?? 0);
}

function checkStart(proof: Proof, what: string, { startsMs }: HubServer): void {
  const tookMs = startsMs.at(-1) ?? Number.NaN;
  const claim = `the server starts within ${START_BOUND_MS / 1000} s ${what}`;
  proof.check(claim, tookMs < START_BOUND_MS, `${tookMs.toFixed(0)} ms`);
}

/**
 * Prevents log checkpoints for a while, as another program that reads the database would, then kills the server, so
 * that the next start has to process the whole log.
 */
async function startAfterKill(proof: Proof, server: HubServer, { keys: senders }: PostLedger): Promise<void> {
  const file = join(server.dataDir, 'hub.db');
  const reader = new Database(file, { readonly: true });
  reader.exec('BEGIN');
  reader.query('select count(*) from workspace').values();
  const text = 'x'.repeat(POST_BYTES);
  const notes = Array.from({ length: options.posts }, (_, n) =>
    postRequest('notes', senders[n % senders.length]?.key ?? '', text),
  );
  await sendAll(server.port, notes);
  await server.kill();
  reader.close();
  const walBytes = statSync(`${file}-wal`).size;
  const isLong = walBytes > options.posts * POST_BYTES;
  proof.check('the log is long when the server is killed', isLong, `${(walBytes / 1e6).toFixed(0)} MB`);
  await server.start();
  checkStart(proof, 'after a kill, with that log', server);
}

/** More attempts are allowed, since other programs can only make the ratio worse. */
async function proveSpeed(proof: Proof): Promise<void> {
  const seeded = join(proof.folder, 'seeded');
  await seed(seeded, 8_000, 0);
  let ratios = await measureRatios(seeded);
  const isWithin = () => ratios.main <= MAX_RATIO.main && ratios.all <= MAX_RATIO.all;
  const attempts = proof.isCounterProof ? 1 : ATTEMPTS;
  for (let attempt = 1; attempt < attempts && !isWithin(); attempt += 1) ratios = await measureRatios(seeded);
  for (const part of ['main', 'all'] as const) {
    proof.check(
      `the processor time per post of ${part === 'main' ? 'the main thread' : 'the process'} is at most ${MAX_RATIO[part]} times that of the hand-written server`,
      ratios[part] <= MAX_RATIO[part],
      `${ratios[part].toFixed(2)} times`,
    );
  }
}

async function measureRatios(seeded: string): Promise<typeof MAX_RATIO> {
  const costs: (typeof MAX_RATIO)[] = [];
  for (const subject of [SUBJECTS.group, SUBJECTS.product]) {
    const server = await start(subject, seeded);
    await server.load({ connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
    const before = server.cpuSeconds();
    const { posts } = await server.load({ connections: CONNECTIONS, seconds: SECONDS });
    const after = server.cpuSeconds();
    costs.push({ main: (after.main - before.main) / posts, all: (after.all - before.all) / posts });
    await server.stop();
  }
  const [byHand, product] = costs as [typeof MAX_RATIO, typeof MAX_RATIO];
  return { main: product.main / byHand.main, all: product.all / byHand.all };
}
