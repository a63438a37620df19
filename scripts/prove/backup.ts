/**
 * Promise: a backup taken under load is intact and has every post that was acknowledged before it was requested. It does
 * not slow down posts, and a backup killed midway leaves nothing behind that could pass for a backup.
 *
 * Proof: each backup is restored into a new folder, and a server started on it. Latencies are compared with those of an
 * equally long period just before the backup, so that other load on the machine affects both. Then backups are killed at
 * a random moment: `hubctl`, the server, and the connection between them.
 *
 * Short form: `bun run prove:backup`. Long form: `--backups 50 --kills 20 --rate 500 --megabytes 100`, where `--rate` is
 * posts per second; only with 20 or more backups are the latencies checked.
 */
import { Database } from 'bun:sqlite';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { ServerStatus } from '@hub/contract';
import {
  HubServer,
  hubctl,
  inspectDatabase,
  type LoadPlan,
  median,
  noProblems,
  PacedLoad,
  type Proof,
  proofOptions,
  quantile,
  runProof,
  startHubctl,
} from '@hub/testkit';

const { backups, kills, rate, megabytes } = proofOptions({ backups: 2, kills: 3, rate: 200, megabytes: 20 });

const HUBS = 10;
/** A key can post 60 times per minute: the load uses half of that, and earlier posts at most a quarter. */
const KEYS = rate * 2;
const FILL_BYTES = Math.ceil((megabytes * 1_000_000) / (KEYS * 15));
/** The assumed duration of a backup until it has been measured. */
const FIRST_IDLE_MS = 1_000;
const SETTLE_MS = 300;
/** The minimum number of samples for a meaningful median. */
const ENOUGH_BACKUPS = 20;
const [LET_GO_MS, RETRY_MS] = [20_000, 50];
const NONE: ReadonlySet<string> = new Set();
const KILLS = ['hubctl is killed', 'the server is killed', 'the connection is cut'] as const;

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

await runProof({ limitSeconds: 60 + backups * 60 + kills * 60 + megabytes, counterProof }, async (proof) => {
  const server = await new HubServer(join(proof.folder, 'data')).start();
  const issued = await server.admin.issueKeys(await server.admin.createHubs(HUBS), KEYS);
  const plan = { port: server.port, keys: issued.map(({ key }) => key) };
  const load = await PacedLoad.start({ ...plan, name: 'Post' });
  await load.fill(KEYS * 15, FILL_BYTES);
  await settled(server);
  await load.begin(rate);
  const typicalMs = await takeBackups(proof, server, load);
  await load.stop();
  proof.none('no post was rejected', load.unexpected);
  await killBackups(proof, { server, plan, typicalMs });
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

/** Returns the approximate duration of a backup. */
async function takeBackups(proof: Proof, server: HubServer, load: PacedLoad): Promise<number> {
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
  return checkLatencies(proof, rounds);
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

function isIntact(file: string): boolean {
  try {
    using database = new Database(file, { readonly: true });
    return database.query('PRAGMA integrity_check').values().join() === 'ok';
  } catch {
    return false;
  }
}

function checkLatencies(proof: Proof, rounds: readonly Round[]): number {
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
  return tookMs;
}

interface KillOptions {
  readonly server: HubServer;
  readonly plan: Omit<LoadPlan, 'name'>;
  /** The approximate duration of a backup. */
  readonly typicalMs: number;
}

/** Kills each backup under load. */
async function killBackups(proof: Proof, { server, plan, typicalMs }: KillOptions): Promise<void> {
  const problems: string[] = [];
  let midway = 0;
  for (let number = 0; number < kills; number += 1) {
    const kind = KILLS[number % KILLS.length] as (typeof KILLS)[number];
    const load = await PacedLoad.start({ ...plan, name: `Kill ${number}` });
    await load.begin(rate);
    const killed = await killMidway(kind, server, { folder: join(proof.folder, `kill-${number}`), typicalMs });
    await load.stop();
    if (!killed.isThere) midway += 1;
    problems.push(...killed.problems.map((problem) => `${kind}: ${problem}`));
    const outcome = killed.isThere ? 'it was already complete' : 'no file';
    proof.report(`${kind} after ${killed.momentMs.toFixed(0)} ms of a backup: ${outcome}`);
  }
  proof.none(`${kills} backups killed midway left only complete files, and no others`, problems);
  proof.check('most of them were killed midway', midway * 2 > kills, `${midway} of ${kills}`);
}

/** Kills a backup at a random moment. Returns whether it had already finished, and the problems found afterwards. */
async function killMidway(
  kind: (typeof KILLS)[number],
  server: HubServer,
  { folder, typicalMs }: { folder: string; typicalMs: number },
) {
  mkdirSync(folder);
  const file = join(folder, 'hub.db');
  const momentMs = Math.random() * typicalMs;
  const problems: string[] = [];
  if (kind === 'the connection is cut') {
    const socket = connect(server.process.adminSocket).on('error', () => {});
    socket.resume();
    socket.write('POST /api/v1/backups HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n');
    await Bun.sleep(momentMs);
    socket.destroy();
  } else {
    const running = startHubctl(server.dataDir, ['backup', file]);
    await Bun.sleep(momentMs);
    await (kind === 'hubctl is killed' ? running.kill() : server.kill());
    const { code } = await running.ended;
    if (code === 0 && !existsSync(file)) problems.push('hubctl ended with 0 and made no file');
    if (kind === 'the server is killed') {
      await server.start();
      if (code !== 0 && readdirSync(folder).length > 0) problems.push(`hubctl left ${readdirSync(folder)}`);
    }
  }
  const isThere = existsSync(file);
  if (isThere && !isIntact(file)) problems.push('a part of a backup has the name of a whole one');
  await nextBackup(server.dataDir, join(folder, 'next.db'));
  const left = readdirSync(folder).filter((name) => !['hub.db', 'next.db'].includes(name));
  left.push(...readdirSync(server.dataDir).filter((name) => name.includes('unfinished')));
  if (left.length > 0) problems.push(`left over: ${left}`);
  rmSync(folder, { recursive: true });
  return { isThere, momentMs, problems };
}

/** Waits until the server has finished copying for the killed backup, since the copy cannot be interrupted. */
async function nextBackup(dataDir: string, file: string): Promise<void> {
  for (const deadline = performance.now() + LET_GO_MS; ; await Bun.sleep(RETRY_MS)) {
    const { code, stdout } = await startHubctl(dataDir, ['backup', file]).ended;
    if (code === 0) return;
    const isTaken = stdout.includes('Another backup is in progress');
    if (!isTaken || performance.now() > deadline) throw new Error(`The next backup ended with ${code}: ${stdout}`);
  }
}

function epochOf({ dataDir }: HubServer): string {
  using database = new Database(join(dataDir, 'hub.db'), { readonly: true });
  return String(database.query('select epoch from workspace').values()[0]?.[0]);
}
