/**
 * Promise: a backup taken under load is intact and has every post that was acknowledged before it was requested. It does
 * not slow down posts.
 *
 * Proof: under load, each backup is restored into a new folder, and a server started on it. Latencies are compared with
 * those of an equally long period just before the backup, so that other load on the machine affects both. That a backup
 * which is cut leaves nothing behind is shown by `storage/sqlite/engine/backups.test.ts` and hubctl's `backup.test.ts`.
 *
 * Long form: 50 backups of 100 MB at 500 posts per second; or `--backups`, `--megabytes`, `--rate`. Latencies are checked
 * only with 20 or more backups, since a median of fewer means little.
 */
import { Database } from 'bun:sqlite';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerStatus } from '@hub/contract';
import { HubServer, hubctl, median, quantile } from '@hub/testkit';
import { inspectDatabase, noProblems } from './kit/inspect-database.ts';
import { createLedger, type PostLedger, type PostLoad, startPacedLoad, startPostLoad } from './kit/post-load.ts';
import { type Proof, proofOptions, runProof } from './kit/proof.ts';

const { backups, rate, megabytes } = proofOptions(
  { backups: 1, rate: 100, megabytes: 15 },
  { long: { backups: 50, rate: 500, megabytes: 100 }, inCounterProof: { backups: 1, megabytes: 5 } },
);

const HUBS = 10;
/** A key can post 60 times per minute: the load uses half of that, and earlier posts at most a quarter. */
const KEYS = rate * 2;
const FILL_POSTS = KEYS * 15;
/** The assumed duration of a backup until it has been measured. */
const FIRST_IDLE_MS = 1_000;
const ENOUGH_BACKUPS = 20;
const NONE: ReadonlySet<string> = new Set();

const counterProofs = [
  // Leaves the first item out of the copy.
  {
    change: {
      file: 'apps/api/src/storage/sqlite/engine/backup-worker.ts',
      find: "source.query('VACUUM INTO ?').run(copy);",
      replace: `source.query('VACUUM INTO ?').run(copy);
      const { $client: copied } = openDatabase(copy, { busyTimeoutMs: BUSY_TIMEOUT_MS });
      copied.exec('DELETE FROM items WHERE id = (SELECT min(id) FROM items)');
      copied.close(false);`,
    },
    fails: 'has every post acknowledged before it',
  },
] as const;

await runProof({ limitSeconds: 60 + backups * 60 + megabytes, counterProofs }, async (proof) => {
  const server = await new HubServer(join(proof.folder, 'data')).start();
  const issued = await server.admin.issueKeys(await server.admin.createHubs(HUBS), KEYS);
  const ledger = createLedger(issued);
  // Texts have a quarter of the most characters on average, and a third are the short titles of to-dos.
  const maxCharacters = Math.ceil((megabytes * 6_000_000) / FILL_POSTS);
  await startPostLoad(ledger, server.port, { connections: 24, restMs: 0, posts: FILL_POSTS, maxCharacters }).done();
  const load = startPacedLoad(ledger, server.port, rate);
  await takeBackups(proof, server, { ledger, load });
  await load.stop();
  proof.none('no post was rejected', [...ledger.unexpected, ...ledger.rejected]);
  proof.check('the server finally exits with 0', (await server.stop()) === 0);
});

async function takeBackups(
  proof: Proof,
  server: HubServer,
  { ledger, load }: { ledger: PostLedger; load: PostLoad },
): Promise<void> {
  const rounds: { idle: number[]; during: number[]; tookMs: number }[] = [];
  const problems: string[] = [];
  let last: { sha256: string } | undefined;
  for (let round = 1; round <= backups; round += 1) {
    const idle = await load.during(() => Bun.sleep(rounds.at(-1)?.tookMs ?? FIRST_IDLE_MS));
    const file = join(proof.folder, `backup-${round}.db`);
    const acknowledged = new Map(ledger.acknowledged);
    const start = performance.now();
    const during = await load.during(async () => {
      last = await hubctl<{ sha256: string }>(server.dataDir, ['backup', file]);
    });
    const tookMs = performance.now() - start;
    rounds.push({ idle, during, tookMs });
    const mb = (statSync(file).size / 1e6).toFixed(0);
    proof.report(
      `backup ${round}: ${mb} MB with ${acknowledged.size} posts acknowledged before it, in ${tookMs.toFixed(0)} ms`,
    );
    problems.push(...(await problemsOfRestored(proof, file, { acknowledged, epoch: epochOf(server) })));
    rmSync(file);
  }
  const claim = 'was restored and started, is intact, and has every post acknowledged before it';
  proof.none(`each backup (${backups} in all) ${claim}`, problems);
  const status = await hubctl<ServerStatus>(server.dataDir, ['status']);
  proof.check('the server reports the last backup', status.lastBackup?.sha256 === last?.sha256);
  const [idleMs, duringMs] = (['idle', 'during'] as const).map((name) => {
    return median(rounds.map((round) => quantile(round[name], 0.99)));
  }) as [number, number];
  const ratio = duringMs / idleMs;
  proof.report(`p99 of posts ${duringMs.toFixed(1)} ms during a backup, ${idleMs.toFixed(1)} ms before it`);
  if (rounds.length < ENOUGH_BACKUPS) return;
  proof.check("posts' p99 during a backup is under twice that without one", ratio < 2, `${ratio.toFixed(2)} times`);
}

/** Restores a backup into a new folder, starts a server on it, and returns the problems found. */
async function problemsOfRestored(
  { folder }: Proof,
  file: string,
  { acknowledged, epoch }: { acknowledged: ReadonlyMap<string, string>; epoch: string },
): Promise<string[]> {
  const dataDir = join(folder, 'restored');
  await hubctl(dataDir, ['restore', file]);
  const server = await new HubServer(dataDir).start();
  const found = noProblems();
  inspectDatabase(dataDir, { acknowledged, issued: NONE, revoked: NONE }, found);
  const problems = Object.values(found).flat();
  if (epochOf(server) === epoch) problems.push('it is not another epoch');
  const code = await server.stop();
  if (code !== 0) problems.push(`the server on it ended with ${code}: ${server.process.stderr()}`);
  rmSync(dataDir, { recursive: true });
  return problems;
}

function epochOf({ dataDir }: HubServer): string {
  using database = new Database(join(dataDir, 'hub.db'), { readonly: true });
  return String(database.query('select epoch from workspace').values()[0]?.[0]);
}
