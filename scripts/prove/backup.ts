/**
 * Promise: a backup taken under load is intact and has every post that was acknowledged before it was requested. It does
 * not slow down posts.
 *
 * Proof: each backup is restored into a new folder, and a server started on it. Latencies are compared with those of an
 * equally long period just before the backup, so that other load on the machine affects both.
 *
 * Short form: `bun run prove:backup`. Long form: `--backups 50 --rate 500 --megabytes 100`, where `--rate` is posts per
 * second; only with 20 or more backups are the latencies checked.
 */
import { Database } from 'bun:sqlite';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerStatus } from '@hub/contract';
import {
  HubServer,
  hubctl,
  inspectDatabase,
  median,
  noProblems,
  PacedLoad,
  type Proof,
  proofOptions,
  quantile,
  runProof,
} from '@hub/testkit';

const { backups, rate, megabytes } = proofOptions({ backups: 2, rate: 200, megabytes: 20 });

const HUBS = 10;
/** A key can post 60 times per minute: the load uses half of that, and earlier posts at most a quarter. */
const KEYS = rate * 2;
const FILL_BYTES = Math.ceil((megabytes * 1_000_000) / (KEYS * 15));
/** The assumed duration of a backup until it has been measured. */
const FIRST_IDLE_MS = 1_000;
const SETTLE_MS = 300;
/** The minimum number of samples for a meaningful median. */
const ENOUGH_BACKUPS = 20;
const NONE: ReadonlySet<string> = new Set();

/** Leaves the first item out of the copy. */
const counterProof = {
  change: {
    file: 'apps/api/src/storage/sqlite/engine/backup-worker.ts',
    find: "source.query('VACUUM INTO ?').run(copy);",
    replace: `source.query('VACUUM INTO ?').run(copy);
      const { $client: copied } = openDatabase(copy, { busyTimeoutMs: BUSY_TIMEOUT_MS });
      copied.exec('DELETE FROM items WHERE id = (SELECT min(id) FROM items)');
      copied.close(false);`,
  },
  fails: 'has every post acknowledged before it',
};

await runProof({ limitSeconds: 60 + backups * 60 + megabytes, counterProof }, async (proof) => {
  const server = await new HubServer(join(proof.folder, 'data')).start();
  const issued = await server.admin.issueKeys(await server.admin.createHubs(HUBS), KEYS);
  const load = await PacedLoad.start({ port: server.port, keys: issued.map(({ key }) => key), name: 'Post' });
  await load.fill(KEYS * 15, FILL_BYTES);
  await settled(server);
  await load.begin(rate);
  await takeBackups(proof, server, load);
  await load.stop();
  proof.none('no post was rejected', load.unexpected);
  proof.check('the server finally exits with 0', (await server.stop()) === 0);
});

/** Waits for the search index, which takes a while after many posts. */
async function settled(server: HubServer): Promise<void> {
  const busySeconds = () => server.metric('process_cpu_seconds_total');
  for (let before = await busySeconds(), now = Number.POSITIVE_INFINITY; now - before > 0.1; ) {
    before = Number.isFinite(now) ? now : before;
    await Bun.sleep(1_000);
    now = await busySeconds();
  }
}

interface Round {
  readonly idle: readonly number[];
  readonly during: readonly number[];
  readonly tookMs: number;
}

async function takeBackups(proof: Proof, server: HubServer, load: PacedLoad): Promise<void> {
  const rounds: Round[] = [];
  const problems: string[] = [];
  let last: { sha256: string } | undefined;
  for (let round = 1; round <= backups; round += 1) {
    await Bun.sleep(SETTLE_MS);
    const idle = await load.during(() => Bun.sleep(rounds.at(-1)?.tookMs ?? FIRST_IDLE_MS));
    const file = join(proof.folder, `backup-${round}.db`);
    const before = await load.count();
    const start = performance.now();
    const during = await load.during(async () => {
      last = await hubctl<{ sha256: string }>(server.dataDir, ['backup', file]);
    });
    const tookMs = performance.now() - start;
    const acknowledged = load.acknowledged.slice(0, before);
    rounds.push({ idle, during, tookMs });
    proof.report(
      `backup ${round}: ${(statSync(file).size / 1e6).toFixed(0)} MB with ${before} posts acknowledged before it, in ${tookMs.toFixed(0)} ms; ` +
        `p99 of ${during.length} posts ${quantile(during, 0.99).toFixed(1)} ms, of ${idle.length} before it ${quantile(idle, 0.99).toFixed(1)} ms`,
    );
    problems.push(...(await problemsOfRestored(file, join(proof.folder, 'restored'), acknowledged, epochOf(server))));
    rmSync(file);
  }
  const claim = 'backups was restored and started, is intact, and has every post acknowledged before it';
  proof.none(`each of ${backups} ${claim}`, problems);
  const status = await hubctl<ServerStatus>(server.dataDir, ['status']);
  proof.check('the server reports the last backup', status.lastBackup?.sha256 === last?.sha256);
  checkLatencies(proof, rounds);
}

/** Restores a backup into a new folder, starts a server on it, and returns the problems found. */
async function problemsOfRestored(
  backup: string,
  dataDir: string,
  acknowledged: readonly string[],
  epoch: string,
): Promise<string[]> {
  await hubctl(dataDir, ['restore', backup]);
  const server = await new HubServer(dataDir).start();
  const found = noProblems();
  const expected = { acknowledged: new Map(acknowledged.map((id) => [id, null])), issued: NONE, revoked: NONE };
  inspectDatabase(dataDir, expected, found);
  const problems = Object.values(found).flat();
  if (epochOf(server) === epoch) problems.push('it is not another epoch');
  const code = await server.stop();
  if (code !== 0) problems.push(`the server on it ended with ${code}: ${server.process.stderr()}`);
  rmSync(dataDir, { recursive: true });
  return problems;
}

function checkLatencies(proof: Proof, rounds: readonly Round[]): void {
  const [idle, during] = [rounds.flatMap((round) => round.idle), rounds.flatMap((round) => round.during)];
  proof.report(
    `all rounds together: p99 ${quantile(during, 0.99).toFixed(1)} ms of ${during.length} posts during backups, ${quantile(idle, 0.99).toFixed(1)} ms of ${idle.length} before them`,
  );
  const idleMs = median(rounds.map((round) => quantile(round.idle, 0.99)));
  const backupMs = median(rounds.map((round) => quantile(round.during, 0.99)));
  const tookMs = median(rounds.map((round) => round.tookMs));
  const ratio = backupMs / idleMs;
  proof.report(
    `medians of ${rounds.length} rounds: p99 ${backupMs.toFixed(1)} ms during a backup, ${idleMs.toFixed(1)} ms before it, ` +
      `ratio ${ratio.toFixed(2)}; a backup took ${tookMs.toFixed(0)} ms`,
  );
  if (rounds.length >= ENOUGH_BACKUPS) {
    proof.check("posts' p99 during a backup is under twice that without one", ratio < 2, `${ratio.toFixed(2)} times`);
  }
}

function epochOf({ dataDir }: HubServer): string {
  using database = new Database(join(dataDir, 'hub.db'), { readonly: true });
  return String(database.query('select epoch from workspace').values()[0]?.[0]);
}
