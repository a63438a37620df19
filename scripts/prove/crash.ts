/**
 * Proves that a killed server loses nothing that it has acknowledged: posts over many connections, kills the server at
 * a random moment, restarts it on the same data folder, and compares its contents with every response that was
 * received. The responses are read from a log next to the folder, which is flushed before a response counts.
 *
 * The long form: `--rounds 200 --rate 500 --keys 1000`. Without `--rate`, posts are sent as fast as possible. If the
 * proof itself is killed, its data folders remain (`hub-prove-…/data-0` and so on); `--check FOLDER` then compares one
 * of them with its log.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type Admin,
  adminOver,
  compareKeys,
  expectedBy,
  inspectDatabase,
  LedgerLog,
  noProblems,
  type Problems,
  type Proof,
  RULES,
  type Rule,
  readLedger,
  runProof,
  type ServerProcess,
  type Serving,
  spawnServer,
  stopServer,
} from '@hub/testkit';
import { unseenDamages } from './crash-damage.ts';
import { beginLoad, issueKeys, type Sender } from './crash-load.ts';

/** A data folder is used for this many rounds, to limit the time that inspections take. */
const ROUNDS_PER_FOLDER = 10;
const MAX_LOAD_MS = 1_000;
/** Longer than without a pace, since a steady pace sends fewer posts in the same time. */
const MAX_PACED_LOAD_MS = 2_000;
/**
 * Measured from the start of the process. The limit for runs without a pace allows for a machine that is busy with
 * other work, as in CI.
 */
const MAX_UNTIL_READY_MS = { paced: 2_000, unpaced: 5_000 } as const;
/**
 * The required fraction of the requested pace. It is below 1, since rounds are short, and both starts and inspections
 * keep the machine busy.
 */
const MIN_PACE = 0.9;
const MAX_STOP_MS = 60;
const MAX_START_MS = 500;

/** The ways to stop the server. The rounds use them in turn. */
const DEATHS = ['killed', 'killed while it stops', 'killed', 'killed, and again while it starts'] as const;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '8' },
    keys: { type: 'string', default: '100' },
    rate: { type: 'string' },
    check: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const keyCount = Number(values.keys);
const rate = values.rate === undefined ? undefined : Number(values.rate);

interface ServerRun {
  readonly dataDir: string;
  readonly problems: Problems;
  readonly startsMs: number[];
  /** The total across all loads. */
  loadMs: number;
}

if (values.check === undefined) await runProof({ limitSeconds: 30 + rounds * 12 }, killAndCompare);
else await runProof({ limitSeconds: 60 }, async (proof) => compareOnly(proof, String(values.check)));

async function killAndCompare(proof: Proof): Promise<void> {
  const problems = noProblems();
  const startsMs: number[] = [];
  const totals = { sent: 0, acknowledged: 0, unexpected: [] as string[], loadMs: 0 };
  for (let first = 0; first < rounds; first += ROUNDS_PER_FOLDER) {
    const run: ServerRun = { dataDir: join(proof.folder, `data-${first}`), problems, startsMs, loadMs: 0 };
    const sent = await live(proof, run, first, Math.min(rounds, first + ROUNDS_PER_FOLDER));
    const ledger = readLedger(logOf(run.dataDir));
    totals.sent += sent;
    totals.acknowledged += ledger.acknowledged.size;
    totals.unexpected.push(...ledger.unexpected);
    totals.loadMs += run.loadMs;
    if (first === 0) {
      const unseen = unseenDamages(run.dataDir, expectedBy(ledger));
      proof.check('the inspection detects each kind of damage', unseen.length === 0, unseen.join('; '));
    }
    rmSync(run.dataDir, { recursive: true });
    rmSync(logOf(run.dataDir));
  }

  const sorted = startsMs.toSorted((a, b) => a - b);
  const [median, most] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].map((ms) => ms?.toFixed(0));
  const perSecond = totals.acknowledged / (totals.loadMs / 1000);
  proof.report(
    `${rounds} kills: ${totals.acknowledged} acknowledged of ${totals.sent} posts sent, some ${perSecond.toFixed(0)} a second from ${keyCount} keys`,
  );
  proof.report(`from the start of the process to ready, after a kill: median ${median} ms, at most ${most} ms`);
  sayProblems(proof, problems, Object.keys(RULES) as Rule[]);
  proof.check('no post was rejected', totals.unexpected.length === 0, totals.unexpected.slice(0, 3).join('; '));
  const maxMs = MAX_UNTIL_READY_MS[rate === undefined ? 'unpaced' : 'paced'];
  const isReadySoon = startsMs.every((ms) => ms < maxMs);
  proof.check(`every start after a kill took less than ${maxMs / 1000} s`, isReadySoon, `${most} ms at most`);
  if (rate === undefined) {
    proof.check('there was load: posts were acknowledged in every round', totals.acknowledged > 20 * rounds);
  } else {
    proof.check(`the load was ${rate} posts per second`, perSecond > MIN_PACE * rate, perSecond.toFixed(0));
  }
}

/** Checks the data folder of a proof that was killed before it could compare the folder with the log. */
function compareOnly(proof: Proof, dataDir: string): void {
  const problems = noProblems();
  const ledger = readLedger(logOf(dataDir));
  inspectDatabase(dataDir, expectedBy(ledger), problems);
  proof.report(`${ledger.acknowledged.size} posts had been acknowledged`);
  // Only a running server can report its keys.
  sayProblems(proof, problems, ['kept', 'once', 'sound', 'sequence', 'created']);
}

function sayProblems(proof: Proof, problems: Problems, rules: readonly Rule[]): void {
  for (const rule of rules) {
    proof.check(RULES[rule], problems[rule].length === 0, problems[rule].slice(0, 3).join('; '));
  }
}

function logOf(dataDir: string): string {
  return `${dataDir}.log`;
}

/** Runs a few rounds on one data folder, with a clean stop at the end. Returns the number of posts sent. */
async function live(proof: Proof, run: ServerRun, first: number, end: number): Promise<number> {
  mkdirSync(run.dataDir);
  let { server, serving } = await start(run);
  const log = new LedgerLog(logOf(run.dataDir));
  const keys = await issueKeys(adminOver(server.adminSocket), log, keyCount);
  const sender: Sender = { keys, log, rate, sent: 0, acknowledged: 0 };
  for (let round = first; round < end; round += 1) {
    const before = { ...sender };
    const death = DEATHS[round % DEATHS.length] as (typeof DEATHS)[number];
    const loadMs = await loadAndKill({ run, server, serving, sender, death });
    ({ server, serving } = await start(run));
    run.startsMs.push(serving.startMs);
    run.loadMs += loadMs;
    await inspect(run, adminOver(server.adminSocket));
    const [sent, acknowledged] = [sender.sent - before.sent, sender.acknowledged - before.acknowledged];
    proof.report(
      `round ${round + 1}: ${death} after ${loadMs.toFixed(0)} ms; ${acknowledged} acknowledged of ${sent} sent; ` +
        `ready again in ${serving.startMs.toFixed(0)} ms`,
    );
  }
  const code = await stopServer(server);
  if (code !== 0) throw new Error(`The server ended with ${code}:\n${server.stderr()}`);
  log.close();
  inspectDatabase(run.dataDir, expectedBy(readLedger(logOf(run.dataDir))), run.problems);
  return sender.sent;
}

interface Round {
  run: ServerRun;
  server: ServerProcess;
  serving: Serving;
  sender: Sender;
  death: (typeof DEATHS)[number];
}

/** Returns how long the load ran until the server was stopped, in milliseconds. */
async function loadAndKill({ run, server, serving, sender, death }: Round): Promise<number> {
  const load = await beginLoad(sender, adminOver(server.adminSocket), serving.port);
  const maxMs = rate === undefined ? MAX_LOAD_MS : MAX_PACED_LOAD_MS;
  const loadMs = 20 + Math.random() * (maxMs - 20);
  await Bun.sleep(loadMs);
  if (death === 'killed while it stops') {
    process.kill(server.pid, 'SIGTERM');
    await Bun.sleep(Math.random() * MAX_STOP_MS);
  }
  await kill(server);
  // Responses sent before the end are still read, and count as acknowledged.
  await load.over();
  if (death === 'killed, and again while it starts') {
    const starting = spawnServer({ dataDir: run.dataDir });
    await Bun.sleep(Math.random() * MAX_START_MS);
    await kill(starting);
  }
  return loadMs;
}

/** Kills the server without giving it a chance to clean up. Does nothing if it has already exited. */
async function kill(server: ServerProcess): Promise<void> {
  try {
    process.kill(server.pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
  await server.ended();
}

async function start({ dataDir }: ServerRun): Promise<{ server: ServerProcess; serving: Serving }> {
  const server = spawnServer({ dataDir, env: { HUB_LOG_LEVEL: 'warn' } });
  return { server, serving: await server.serving() };
}

async function inspect({ dataDir, problems }: ServerRun, admin: Admin): Promise<void> {
  const keys = await admin.listKeys();
  const expected = expectedBy(readLedger(logOf(dataDir)));
  const { items } = inspectDatabase(dataDir, expected, problems);
  compareKeys(keys, items, expected, problems);
}
