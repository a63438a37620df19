/**
 * Proves that a backup taken under load is complete, that it does not slow down posts, and that a backup killed midway
 * leaves nothing behind that could pass for a backup. Each backup is restored into a new folder, and a server is
 * started on it. It must contain every post that was acknowledged before the backup was requested.
 *
 * The long form: `--backups 50 --kills 20 --rate 500 --megabytes 100`. `--rate` is posts per second. Latencies are
 * compared with those of an equally long period just before the backup, so that other load on the machine affects both.
 */
import { Database } from 'bun:sqlite';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { IssuedKey, ServerStatus } from '@hub/contract';
import type { LoadPlan } from '@hub/testkit';
import { HubServer, hubctl, PacedLoad, type Proof, quantile, runProof } from '@hub/testkit';
import { KILLS, killMidway } from './backup/kills.ts';
import { problemsOfRestored } from './backup/restored.ts';
import { unseenDamages } from './backup/unseen.ts';

const { values } = parseArgs({
  options: {
    backups: { type: 'string', default: '4' },
    kills: { type: 'string', default: '6' },
    rate: { type: 'string', default: '200' },
    megabytes: { type: 'string', default: '20' },
  },
});
const [backups, kills, rate, megabytes] = [values.backups, values.kills, values.rate, values.megabytes].map(Number) as [
  number,
  number,
  number,
  number,
];

const HUBS = 10;
/** A key can post 60 times per minute: the load uses half of that, and earlier posts at most a quarter. */
const KEYS = rate * 2;
const FILL_BYTES = Math.ceil((megabytes * 1_000_000) / (KEYS * 15));
/** The assumed duration of a backup until it has been measured. */
const FIRST_IDLE_MS = 1_000;
const SETTLE_MS = 300;
/** The minimum number of samples for a meaningful median. */
const ENOUGH_BACKUPS = 20;

interface Taken {
  file: string;
  bytes: number;
  sha256: string;
}

await runProof({ limitSeconds: 60 + backups * 60 + kills * 60 + megabytes }, async (proof) => {
  const run = new HubServer(join(proof.folder, 'data'));
  await run.start();
  const keysFile = await issueKeys(proof, run);
  const plan = { port: run.port, keysFile };
  const load = await PacedLoad.start({ ...plan, name: 'Post' });
  await load.fill(KEYS * 15, FILL_BYTES);
  await settled(run);
  await load.begin(rate);
  const typicalMs = await takeBackups(proof, run, load);
  await load.stop();
  proof.check('no post was rejected', load.unexpected.length === 0, load.unexpected.slice(0, 3).join('; '));
  await killBackups(proof, { run, plan, typicalMs });
  proof.check('the server finally exits with 0', (await run.stop()) === 0);
});

async function issueKeys(proof: Proof, { admin }: HubServer): Promise<string> {
  const hubs = await Promise.all(Array.from({ length: HUBS }, (_, n) => admin.createHub(`Hub ${n}`)));
  const issue = (n: number): Promise<IssuedKey> => admin.issueKey(hubs[n % HUBS]?.id ?? '', `key ${n}`);
  const keys = await Promise.all(Array.from({ length: KEYS }, (_, n) => issue(n)));
  const file = join(proof.folder, 'keys.txt');
  writeFileSync(file, keys.map(({ key }) => key).join('\n'), { mode: 0o600 });
  return file;
}

/** Waits for the search index, which takes a while after many posts. */
async function settled({ dataDir }: HubServer): Promise<void> {
  const busySeconds = async (): Promise<number> => {
    const metrics = await (await fetch('http://localhost/metrics', { unix: join(dataDir, 'admin.sock') })).text();
    return Number(/^process_cpu_seconds_total (\S+)$/m.exec(metrics)?.[1]);
  };
  for (let before = await busySeconds(), now = Number.POSITIVE_INFINITY; now - before > 0.1; ) {
    before = Number.isFinite(now) ? now : before;
    await Bun.sleep(1_000);
    now = await busySeconds();
  }
}

/** Returns the approximate duration of a backup. */
async function takeBackups(proof: Proof, run: HubServer, load: PacedLoad): Promise<number> {
  const rounds: Round[] = [];
  const all: { idle: number[]; during: number[] } = { idle: [], during: [] };
  const problems: string[] = [];
  let last: Taken | undefined;
  for (let round = 1; round <= backups; round += 1) {
    await Bun.sleep(SETTLE_MS);
    const idle = await load.during(() => Bun.sleep(rounds.at(-1)?.tookMs ?? FIRST_IDLE_MS));
    const file = join(proof.folder, `backup-${round}.db`);
    const before = await load.count();
    const start = performance.now();
    const during = await load.during(async () => {
      last = await hubctl<Taken>(run.dataDir, ['backup', file]);
    });
    const tookMs = performance.now() - start;
    const acknowledged = load.acknowledged.slice(0, before);
    all.idle.push(...idle);
    all.during.push(...during);
    rounds.push({ idleMs: quantile(idle, 0.99), backupMs: quantile(during, 0.99), tookMs });
    proof.report(
      `backup ${round}: ${megabytesOf(file)} MB with ${before} posts acknowledged before it, in ${tookMs.toFixed(0)} ms; ` +
        `p99 of ${during.length} posts ${quantile(during, 0.99).toFixed(1)} ms, of ${idle.length} before it ${quantile(idle, 0.99).toFixed(1)} ms`,
    );
    if (round === 1) {
      const unseen = unseenDamages(file, acknowledged);
      proof.check('the inspection detects each kind of damage', unseen.length === 0, unseen.join('; '));
    }
    const expected = { acknowledged, epoch: epochOf(run) };
    problems.push(...(await problemsOfRestored(file, join(proof.folder, 'restored'), expected)));
    rmSync(file);
  }
  proof.check(
    `each of ${backups} backups was restored and started, is intact, and has every post acknowledged before it`,
    problems.length === 0,
    problems.slice(0, 3).join('; '),
  );
  const status = await hubctl<ServerStatus>(run.dataDir, ['status']);
  proof.check('the server reports the last backup', status.lastBackup?.sha256 === last?.sha256);
  const [idleMs, duringMs] = [quantile(all.idle, 0.99), quantile(all.during, 0.99)];
  proof.report(
    `all rounds together: p99 ${duringMs.toFixed(1)} ms of ${all.during.length} posts during backups, ${idleMs.toFixed(1)} ms of ${all.idle.length} before them`,
  );
  return checkLatencies(proof, rounds);
}

interface Round {
  idleMs: number;
  backupMs: number;
  tookMs: number;
}

function checkLatencies(proof: Proof, rounds: readonly Round[]): number {
  const medianOf = (field: keyof Round): number =>
    quantile(
      rounds.map((round) => round[field]),
      0.5,
    );
  const [idleMs, backupMs, tookMs] = [medianOf('idleMs'), medianOf('backupMs'), medianOf('tookMs')];
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

/** Runs each backup under load, on a running server. */
async function killBackups(proof: Proof, options: { run: HubServer; plan: Omit<LoadPlan, 'name'>; typicalMs: number }) {
  const { run, plan, typicalMs } = options;
  const problems: string[] = [];
  let midway = 0;
  for (let number = 0; number < kills; number += 1) {
    const kind = KILLS[number % KILLS.length] as (typeof KILLS)[number];
    const load = await PacedLoad.start({ ...plan, name: `Kill ${number}` });
    await load.begin(rate);
    const killed = await killMidway(kind, {
      dataDir: run.dataDir,
      folder: join(proof.folder, `kill-${number}`),
      backupMs: typicalMs,
      killServer: () => run.kill(),
      startServer: async () => void (await run.start()),
    });
    await load.stop();
    if (!killed.isThere) midway += 1;
    problems.push(...killed.problems.map((problem) => `${kind}: ${problem}`));
    proof.report(
      `${kind} after ${killed.momentMs.toFixed(0)} ms of a backup: ${killed.isThere ? 'it was already complete' : 'no file'}`,
    );
  }
  proof.check(
    `${kills} backups killed midway left only complete files, and no others`,
    problems.length === 0,
    problems.slice(0, 3).join('; '),
  );
  proof.check('most of them were killed midway', midway * 2 > kills, `${midway} of ${kills}`);
}

function epochOf({ dataDir }: HubServer): string {
  using database = new Database(join(dataDir, 'hub.db'), { readonly: true });
  return String(database.query('select epoch from workspace').values()[0]?.[0]);
}

function megabytesOf(file: string): string {
  return (statSync(file).size / 1_000_000).toFixed(0);
}
