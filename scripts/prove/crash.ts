/**
 * Proves that a killed server loses nothing it has acknowledged: posts over many connections, kills the server at a
 * random moment, starts it again on the same data folder and compares what is there with every answer that was received.
 * `--rounds 200` for the long form; `--keys` for another number of keys.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Admin, adminOver } from './admin.ts';
import { unseenDamages } from './crash-damage.ts';
import { compareKeys, type Faults, inspectDatabase, noFaults, RULES, type Rule } from './crash-inspect.ts';
import { type Ledger, load, newLedger } from './crash-load.ts';
import { type Proof, runProof } from './proof.ts';
import { type ServerProcess, type Serving, spawnServer, stopServer } from './start-server.ts';

/** A data folder is given up after so many rounds, so that the inspections do not grow without end. */
const ROUNDS_PER_FOLDER = 10;
const LONGEST_LOAD_MS = 1_000;
const LONGEST_STOP_MS = 60;
const LONGEST_START_MS = 500;

/** How the rounds end their server, in turn. */
const DEATHS = ['killed', 'killed while it stops', 'killed', 'killed, and again while it starts'] as const;

const { values } = parseArgs({ options: { rounds: { type: 'string' }, keys: { type: 'string' } } });
const rounds = Number(values.rounds ?? 8);
const keyCount = Number(values.keys ?? 100);

interface Life {
  readonly dataDir: string;
  readonly faults: Faults;
  readonly startsMs: number[];
}

await runProof({ limitSeconds: 30 + rounds * 10 }, async (proof) => {
  const faults = noFaults();
  const startsMs: number[] = [];
  const totals = { sent: 0, acknowledged: 0, unexpected: [] as string[] };
  for (let first = 0; first < rounds; first += ROUNDS_PER_FOLDER) {
    const life = { dataDir: join(proof.folder, `data-${first}`), faults, startsMs };
    const ledger = await live(proof, life, first, Math.min(rounds, first + ROUNDS_PER_FOLDER));
    totals.sent += ledger.sent.size;
    totals.acknowledged += ledger.acknowledged.size;
    totals.unexpected.push(...ledger.unexpected);
    if (first === 0) {
      const unseen = unseenDamages(life.dataDir, ledger);
      proof.check('the inspection sees each kind of damage', unseen.length === 0, unseen.join('; '));
    }
    rmSync(life.dataDir, { recursive: true });
  }

  const sorted = startsMs.toSorted((a, b) => a - b);
  const [median, most] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].map((ms) => ms?.toFixed(0));
  proof.say(`${rounds} kills: ${totals.acknowledged} acknowledged of ${totals.sent} posts sent`);
  proof.say(`from the start of the process to ready, after a kill: median ${median} ms, at most ${most} ms`);
  for (const rule of Object.keys(RULES) as Rule[]) {
    proof.check(RULES[rule], faults[rule].length === 0, faults[rule].slice(0, 3).join('; '));
  }
  proof.check('no post was refused', totals.unexpected.length === 0, totals.unexpected.slice(0, 3).join('; '));
  proof.check('the load was one: posts were acknowledged in every round', totals.acknowledged > 20 * rounds);
});

/** Some rounds on one data folder, and a clean stop at the end. */
async function live(proof: Proof, life: Life, first: number, end: number): Promise<Ledger> {
  mkdirSync(life.dataDir);
  let { server, serving } = await start(life);
  const ledger = await newLedger(adminOver(server.adminSocket), keyCount);
  for (let round = first; round < end; round += 1) {
    const before = { sent: ledger.sent.size, acknowledged: ledger.acknowledged.size };
    const death = DEATHS[round % DEATHS.length] as (typeof DEATHS)[number];
    const loadMs = await loadAndKill({ life, server, serving, ledger, death });
    ({ server, serving } = await start(life));
    life.startsMs.push(serving.startMs);
    await inspect(life, ledger, adminOver(server.adminSocket));
    const [sent, acknowledged] = [ledger.sent.size - before.sent, ledger.acknowledged.size - before.acknowledged];
    proof.say(
      `round ${round + 1}: ${death} after ${loadMs.toFixed(0)} ms; ${acknowledged} acknowledged of ${sent} sent; ` +
        `ready again in ${serving.startMs.toFixed(0)} ms`,
    );
  }
  const code = await stopServer(server);
  if (code !== 0) throw new Error(`The server ended with ${code}:\n${server.stderr()}`);
  inspectDatabase(life.dataDir, ledger, life.faults);
  return ledger;
}

interface Round {
  life: Life;
  server: ServerProcess;
  serving: Serving;
  ledger: Ledger;
  death: (typeof DEATHS)[number];
}

/** Returns after how many milliseconds of load the server was told to end. */
async function loadAndKill({ life, server, serving, ledger, death }: Round): Promise<number> {
  const loading = load(ledger, adminOver(server.adminSocket), serving.port);
  const loadMs = 20 + Math.random() * (LONGEST_LOAD_MS - 20);
  await Bun.sleep(loadMs);
  if (death === 'killed while it stops') {
    process.kill(server.pid, 'SIGTERM');
    await Bun.sleep(Math.random() * LONGEST_STOP_MS);
  }
  await kill(server);
  // What the server sent before its end is still read, and counts as acknowledged.
  await loading;
  if (death === 'killed, and again while it starts') {
    const starting = spawnServer({ dataDir: life.dataDir });
    await Bun.sleep(Math.random() * LONGEST_START_MS);
    await kill(starting);
  }
  return loadMs;
}

/** With no chance to do anything more; one that has ended already is no fault. */
async function kill(server: ServerProcess): Promise<void> {
  try {
    process.kill(server.pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
  await server.ended();
}

async function start({ dataDir }: Life): Promise<{ server: ServerProcess; serving: Serving }> {
  const server = spawnServer({ dataDir, env: { HUB_LOG_LEVEL: 'warn' } });
  return { server, serving: await server.serving() };
}

async function inspect({ dataDir, faults }: Life, ledger: Ledger, admin: Admin): Promise<void> {
  const keys = await admin.listKeys();
  const { items } = inspectDatabase(dataDir, ledger, faults);
  compareKeys(keys, items, ledger, faults);
}
