import { Database } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type HubServer, hubctl, type LoadPlan, PacedLoad, type Proof, quantile } from '@hub/testkit';
import type { SeededData } from './seed.ts';

/**
 * The permitted latency of the slowest posts during background work. The measuring processes use the same CPU cores.
 */
const FELT = { times: 3, ms: 40 } as const;
/** With this little data, everything is fast: a few posts show whether anything blocks. */
const FELT_ON_LITTLE_MS = 300;
const LITTLE_ITEMS = 100_000;
const WATCH_MS = 100;
const BEFORE_PRUNING_MS = 11_000;
const RETENTION_DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;

interface Upkeep {
  run: HubServer;
  load: PacedLoad;
  fixture: SeededData;
}

/** Builds a missing index, and measures whether posts wait for it. */
export async function catchUp(proof: Proof, { run, load, fixture }: Upkeep): Promise<void> {
  const start = performance.now();
  const during = await load.during(() => until(() => indexedGlobalSeq(run) >= fixture.items.count));
  const seconds = (performance.now() - start) / 1000;
  const perSecond = fixture.items.count / seconds;
  proof.report(
    `the search index was built from scratch over ${fixture.items.count} items in ${seconds.toFixed(1)} s (${perSecond.toFixed(0)} a second)`,
  );
  const after = await load.during(() => Bun.sleep(Math.min(seconds * 1000, BEFORE_PRUNING_MS)));
  checkFelt(proof, { when: 'while the search index is built', fixture }, during, after);
}

/**
 * Measures the first run of pruning after a start, which removes almost a whole Hub. `load` has been running since the
 * start.
 */
export async function prune(proof: Proof, { run, load, fixture }: Upkeep): Promise<void> {
  const before = await load.during(() => Bun.sleep(BEFORE_PRUNING_MS));
  const left = (): number => remaining(run, fixture.hubIds[1] ?? '');
  const found = left();
  const during = await load.during(async () => {
    await until(() => left() < found);
    const start = performance.now();
    await until(() => left() === 0);
    const seconds = (performance.now() - start) / 1000;
    proof.report(`${found} items of a Hub that were past their time were erased in ${seconds.toFixed(1)} s`);
    await Bun.sleep(WATCH_MS);
  });
  checkFelt(proof, { when: 'while the server prunes', fixture }, during, before);
}

export async function setRetention({ admin }: HubServer, fixture: SeededData): Promise<void> {
  await admin.call('PATCH', `/hubs/${fixture.hubIds[1]}`, { retentionDays: RETENTION_DAYS });
}

export async function exportBig(proof: Proof, { run, load, fixture }: Upkeep): Promise<void> {
  const before = await load.during(() => Bun.sleep(1_000));
  const start = performance.now();
  let bytes = 0;
  const during = await load.during(async () => {
    const response = await run.admin.raw('GET', `/hubs/${fixture.hubIds[0]}/export`);
    for await (const chunk of response.body ?? []) bytes += chunk.length;
  });
  const seconds = (performance.now() - start) / 1000;
  proof.report(`the export of a Hub: ${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s`);
  checkFelt(proof, { when: 'while a Hub is exported', fixture }, during, before);
}

export async function listKeys(proof: Proof, { run, load, fixture }: Upkeep): Promise<void> {
  const before = await load.during(() => Bun.sleep(1_000));
  const start = performance.now();
  let found = 0;
  const during = await load.during(async () => {
    found = (await hubctl<{ items: unknown[] }>(run.dataDir, ['keys', 'list'])).items.length;
  });
  proof.report(
    `hubctl keys list over all pages: ${found} keys in ${((performance.now() - start) / 1000).toFixed(1)} s`,
  );
  proof.check('hubctl lists every key', found === fixture.keys.length, `${found} of ${fixture.keys.length}`);
  checkFelt(proof, { when: 'while hubctl lists all keys', fixture }, during, before);
}

function checkFelt(
  proof: Proof,
  { when, fixture }: { when: string; fixture: SeededData },
  during: readonly number[],
  without: readonly number[],
): void {
  const [most, slow, slowest] = [quantile(without, 0.99), quantile(during, 0.99), Math.max(...during)];
  const least = fixture.items.count < LITTLE_ITEMS ? FELT_ON_LITTLE_MS : 0;
  const bound = Math.max(most * FELT.times, most + FELT.ms, least);
  proof.check(
    `posts continue ${when}`,
    slow <= bound,
    `p99 ${slow.toFixed(1)} ms, slowest ${slowest.toFixed(1)} of ${during.length}; without ${most.toFixed(1)} ms, so at most ${bound.toFixed(1)}`,
  );
}

/** Returns how far the index has progressed. */
function indexedGlobalSeq({ dataDir }: HubServer): number {
  using database = new Database(join(dataDir, 'search.db'), { readonly: true });
  return Number(database.query('select global_seq from position').values()[0]?.[0] ?? 0);
}

/** Returns the number of items in a Hub that are past their retention period. */
function remaining({ dataDir }: HubServer, hubId: string): number {
  using database = new Database(join(dataDir, 'hub.db'), { readonly: true });
  const past = database.query(
    'select count(*) from items where hub_number = (select number from hubs where id = ?) and created_at < ?',
  );
  return Number(past.values(hubId, Date.now() - (RETENTION_DAYS + 0.01) * DAY_MS)[0]?.[0]);
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await Bun.sleep(WATCH_MS);
}

const START_BOUND_MS = 3_000;
const POST_BYTES = 20_000;

export function checkStart(proof: Proof, what: string, { startsMs }: HubServer): void {
  const took = startsMs.at(-1) ?? Number.NaN;
  proof.check(
    `the server starts within ${START_BOUND_MS / 1000} s ${what}`,
    took < START_BOUND_MS,
    `${took.toFixed(0)} ms`,
  );
}

/**
 * Prevents log checkpoints for a while, as another program that reads the database would, then kills the server, so
 * that the next start has to process the whole log.
 */
export async function startAfterKill(
  proof: Proof,
  run: HubServer,
  { plan, posts }: { plan: LoadPlan; posts: number },
): Promise<void> {
  const file = join(run.dataDir, 'hub.db');
  const reader = new Database(file, { readonly: true });
  reader.exec('BEGIN');
  reader.query('select count(*) from workspace').values();
  const load = await PacedLoad.start(plan);
  await load.fill(posts, POST_BYTES);
  await run.kill();
  await load.stop();
  reader.close();
  const walBytes = statSync(`${file}-wal`).size;
  proof.check(
    'the log is long when the server is killed',
    walBytes > posts * POST_BYTES,
    `${(walBytes / 1e6).toFixed(0)} MB`,
  );
  await run.start();
  checkStart(proof, 'after a kill, with that log', run);
}
