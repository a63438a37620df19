/**
 * Promise: a backup taken under load is intact and has every post that was acknowledged before it was requested. It does
 * not slow down posts. A backup killed midway leaves nothing behind that could pass for a backup.
 *
 * Proof: under load, each backup is restored into a new folder, and a server started on it. Latencies are compared with
 * those of an equally long period just before the backup, so that other load on the machine affects both. Then backups are
 * killed at random moments: `hubctl`, the server, and the connection between them.
 *
 * Long form: 50 backups of 100 MB at 500 posts per second, and 20 kills; or `--backups`, `--megabytes`, `--rate`,
 * `--kills`. Latencies are checked only with 20 or more backups, since a median of fewer means little.
 */
import { Database } from 'bun:sqlite';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { ServerStatus } from '@hub/contract';
import { HubServer, hubctl, median, quantile, startHubctl } from '@hub/testkit';
import { inspectDatabase, noProblems } from './kit/inspect-database.ts';
import { createLedger, type PostLedger, type PostLoad, startPacedLoad, startPostLoad } from './kit/post-load.ts';
import { type Proof, proofOptions, runProof } from './kit/proof.ts';

const { backups, rate, megabytes, kills } = proofOptions(
  { backups: 1, rate: 100, megabytes: 15, kills: 3 },
  { long: { backups: 50, rate: 500, megabytes: 100, kills: 20 }, inCounterProof: { backups: 1, megabytes: 5 } },
);

const HUBS = 10;
/** A key can post 60 times per minute: the load uses half of that, and earlier posts at most a quarter. */
const KEYS = rate * 2;
const FILL_POSTS = KEYS * 15;
/** The assumed duration of a backup until it has been measured. */
const FIRST_IDLE_MS = 1_000;
const ENOUGH_BACKUPS = 20;
const NONE: ReadonlySet<string> = new Set();
const KILLS = ['hubctl is killed', 'the server is killed', 'the connection is cut'] as const;
const [LET_GO_MS, RETRY_MS] = [20_000, 50];

const counterProofs = [
  // Leaves the first item out of the copy.
  {
    file: 'apps/api/src/storage/sqlite/engine/backup-worker.ts',
    find: "source.query('VACUUM INTO ?').run(copy);",
    replace: `source.query('VACUUM INTO ?').run(copy);
      const { $client: copied } = openDatabase(copy, { busyTimeoutMs: BUSY_TIMEOUT_MS });
      copied.exec('DELETE FROM items WHERE id = (SELECT min(id) FROM items)');
      copied.close(false);`,
    fails: 'has every post acknowledged before it',
    part: 'under load',
  },
  // Keeps the copy that it sends.
  {
    file: 'apps/api/src/storage/sqlite/engine/backups.ts',
    find: 'remove(dataDir, [COPY_FILE]);',
    replace: "await rename(copy, copy + '-' + id);",
    fails: 'left only complete files',
    part: 'kills',
  },
] as const;

await runProof({ limitSeconds: 60 + backups * 60 + kills * 60 + megabytes, counterProofs }, async (proof) => {
  const server = await new HubServer(join(proof.folder, 'data')).start();
  const issued = await server.admin.issueKeys(await server.admin.createHubs(HUBS), KEYS);
  const ledger = createLedger(issued);
  // Texts have a quarter of the most characters on average, and a third are the short titles of to-dos.
  const maxCharacters = Math.ceil((megabytes * 6_000_000) / FILL_POSTS);
  await startPostLoad(ledger, server.port, { connections: 24, restMs: 0, posts: FILL_POSTS, maxCharacters }).done();
  await proof.part('under load', async () => {
    const load = startPacedLoad(ledger, server.port, rate);
    await takeBackups(proof, server, ledger, load);
    await load.stop();
  });
  proof.none('no post was rejected', [...ledger.unexpected, ...ledger.rejected]);
  await proof.part('kills', () => killBackups(proof, server, ledger));
  proof.check('the server finally exits with 0', (await server.stop()) === 0);
});

async function takeBackups(proof: Proof, server: HubServer, ledger: PostLedger, load: PostLoad): Promise<void> {
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
    problems.push(...(await problemsOfRestored(file, acknowledged, server)));
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
async function problemsOfRestored(file: string, acknowledged: ReadonlyMap<string, string>, origin: HubServer) {
  const dataDir = `${file}-restored`;
  await hubctl(dataDir, ['restore', file]);
  const server = await new HubServer(dataDir).start();
  const found = noProblems();
  inspectDatabase(dataDir, { acknowledged, issued: NONE, revoked: NONE }, found);
  const problems = Object.values(found).flat();
  if (epochOf(server) === epochOf(origin)) problems.push('it is not another epoch');
  const code = await server.stop();
  if (code !== 0) problems.push(`the server on it ended with ${code}: ${server.process.stderr()}`);
  rmSync(dataDir, { recursive: true });
  return problems;
}

function epochOf({ dataDir }: HubServer): string {
  using database = new Database(join(dataDir, 'hub.db'), { readonly: true });
  return String(database.query('select epoch from workspace').values()[0]?.[0]);
}

async function killBackups(proof: Proof, server: HubServer, ledger: PostLedger): Promise<void> {
  const start = performance.now();
  await hubctl(server.dataDir, ['backup', join(proof.folder, 'whole.db')]);
  const typicalMs = performance.now() - start;
  const problems: string[] = [];
  let midway = 0;
  let number = 0;
  // A backup that takes less time than the first one ends before its kill.
  for (; number < kills || (midway * 2 <= number && number < kills * 5); number += 1) {
    const kind = KILLS[number % KILLS.length] as (typeof KILLS)[number];
    const load = startPacedLoad(ledger, server.port, rate / 4);
    const folder = join(proof.folder, `kill-${number}`);
    const killed = await killMidway(kind, server, folder, 0.7 * Math.random() * typicalMs);
    await load.stop();
    if (!killed.isThere) midway += 1;
    problems.push(...killed.problems.map((problem) => `${kind}: ${problem}`));
  }
  proof.none(`${number} backups killed midway left only complete files, and no others`, problems);
  proof.check('most of them were killed midway', midway * 2 > number, `${midway} of ${number}`);
}

/** Kills a backup after a while. Returns whether it had already finished, and the problems found afterwards. */
async function killMidway(kind: (typeof KILLS)[number], server: HubServer, folder: string, momentMs: number) {
  mkdirSync(folder);
  const file = join(folder, 'hub.db');
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
  return { isThere, problems };
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

function isIntact(file: string): boolean {
  try {
    using database = new Database(file, { readonly: true });
    return database.query('PRAGMA integrity_check').values().join() === 'ok';
  } catch {
    return false;
  }
}
