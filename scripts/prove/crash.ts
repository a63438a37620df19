/**
 * Promise: a 201 means that the item is on disk, and a kill at any moment loses no acknowledged item and duplicates none.
 *
 * Proof: under strace, every 201 leaves the socket after the flush of its transaction. Then posts over many connections,
 * while keys are issued and revoked; kills the server at a random moment, restarts it on the same data folder, and compares
 * its contents with every response, by the rules of `inspectDatabase`.
 *
 * Needs strace. Long form: 200 kills and 10,000 posts under strace; or `--rounds`, `--posts`, `--keys`.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  compareKeys,
  createLedger,
  HubServer,
  inspectDatabase,
  median,
  noProblems,
  type PostLedger,
  PostLoad,
  type Problems,
  type Proof,
  proofOptions,
  RULES,
  type Rule,
  runProof,
} from '@hub/testkit';
import { proveFlushOrder } from './crash/flush-order.ts';

const { rounds, posts, keys } = proofOptions(
  { rounds: 8, posts: 296, keys: 100 },
  { long: { rounds: 200, posts: 10_000 }, inCounterProof: { rounds: 40 } },
);

/** A data folder is used for this many rounds, to limit the time that inspections take. */
const ROUNDS_PER_FOLDER = 10;
const HUBS = 10;
const LOAD = { connections: 24, maxCharacters: 200, restMs: 0 };
const [MIN_LOAD_MS, MAX_LOAD_MS] = [100, 700];
const MAX_STOP_MS = 60;
const MAX_START_MS = 500;
/** Measured from the start of the process, on a machine that is busy with other work, as in CI. */
const MAX_UNTIL_READY_MS = 5_000;

/** The ways to stop the server. The rounds use them in turn. */
const DEATHS = ['killed', 'killed while it stops', 'killed', 'killed, and again while it starts'] as const;

const GROUP_COMMIT = 'apps/api/src/storage/sqlite/engine/group-commit.ts';
const counterProofs = [
  // Flushes the log only at checkpoints, so that the server responds before a post is on disk.
  {
    change: {
      file: 'apps/api/src/storage/sqlite/engine/database.ts',
      find: 'PRAGMA synchronous = FULL',
      replace: 'PRAGMA synchronous = NORMAL',
    },
    fails: 'no 201 left before its transaction was written and flushed',
    part: 'flush',
  },
  // Responds to large batches a moment before the commit. Small ones must work, since the proof creates a user.
  {
    change: {
      file: GROUP_COMMIT,
      find: 'report = this.#commit(outcomes);',
      replace: `for (const each of outcomes) if (!('error' in each) && outcomes.length > 3) each.waiting.resolve(each.value);
      await Bun.sleep(5);
      report = this.#commit(outcomes);`,
    },
    fails: RULES.kept,
    part: 'kills',
  },
] as const;

const totals = { sent: 0, acknowledged: 0, unexpected: [] as string[], startsMs: [] as number[] };

await runProof({ limitSeconds: 60 + rounds * 12 + posts * 0.1, counterProofs }, async (proof) => {
  await proof.part('flush', () => proveFlushOrder(proof, posts));
  await proof.part('kills', () => killAndCompare(proof));
});

async function killAndCompare(proof: Proof): Promise<void> {
  const problems = noProblems();
  for (let first = 0; first < rounds; first += ROUNDS_PER_FOLDER) {
    await runRounds(proof, { first, end: Math.min(rounds, first + ROUNDS_PER_FOLDER), problems });
    // A counter-proof ends at the first failure.
    if (proof.isCounterProof) checkAll(proof, problems);
  }
  checkAll(proof, problems);
  const most = Math.max(...totals.startsMs);
  proof.report(`${rounds} kills: ${totals.acknowledged} acknowledged of ${totals.sent} posts sent`);
  proof.report(`from the start of the process to ready, after a kill: median ${median(totals.startsMs).toFixed(0)} ms`);
  const seconds = MAX_UNTIL_READY_MS / 1000;
  const detail = `${most.toFixed(0)} ms at most`;
  proof.check(`every start after a kill took less than ${seconds} s`, most < MAX_UNTIL_READY_MS, detail);
  proof.check('there was load: posts were acknowledged in every round', totals.acknowledged > 20 * rounds);
}

function checkAll(proof: Proof, problems: Problems): void {
  for (const rule of Object.keys(RULES) as Rule[]) proof.none(RULES[rule], problems[rule]);
  proof.none('no post was rejected', totals.unexpected);
}

/** Runs a few rounds on one data folder, with a clean stop at the end. */
async function runRounds(
  proof: Proof,
  { first, end, problems }: { first: number; end: number; problems: Problems },
): Promise<void> {
  const server = await new HubServer(join(proof.folder, `data-${first}`)).start();
  const hubIds = await server.admin.createHubs(HUBS);
  const ledger = createLedger(await server.admin.issueKeys(hubIds, keys));
  for (let round = first; round < end; round += 1) {
    const death = DEATHS[round % DEATHS.length] as (typeof DEATHS)[number];
    const before = { sent: ledger.sent.size, acknowledged: ledger.acknowledged.size };
    await loadAndKill(server, ledger, death);
    await server.start();
    const startMs = server.startsMs.at(-1) ?? Number.NaN;
    totals.startsMs.push(startMs);
    compareKeys(
      await server.admin.all('GET /keys'),
      inspectDatabase(server.dataDir, ledger, problems).items,
      ledger,
      problems,
    );
    proof.report(
      `round ${round + 1}: ${death}; ${ledger.acknowledged.size - before.acknowledged} acknowledged of ` +
        `${ledger.sent.size - before.sent} sent; ready again in ${startMs.toFixed(0)} ms`,
    );
  }
  const code = await server.stop();
  if (code !== 0) throw new Error(`The server ended with ${code}:\n${server.process.stderr()}`);
  inspectDatabase(server.dataDir, ledger, problems);
  totals.sent += ledger.sent.size;
  totals.acknowledged += ledger.acknowledged.size;
  totals.unexpected.push(...ledger.unexpected, ...ledger.rejected);
  rmSync(server.dataDir, { recursive: true });
}

async function loadAndKill(server: HubServer, ledger: PostLedger, death: (typeof DEATHS)[number]): Promise<void> {
  const load = new PostLoad(ledger, server.port, LOAD);
  // The administration ends with the server.
  const beside = administer(server, ledger).catch(() => {});
  await Bun.sleep(MIN_LOAD_MS + Math.random() * (MAX_LOAD_MS - MIN_LOAD_MS));
  if (death === 'killed while it stops') {
    server.process.kill('SIGTERM');
    await Bun.sleep(Math.random() * MAX_STOP_MS);
  }
  await server.kill();
  // Responses sent before the end are still read, and count as acknowledged.
  await Promise.all([load.stop(), beside]);
  if (death !== 'killed, and again while it starts') return;
  const starting = server.start().catch(() => {});
  await Bun.sleep(Math.random() * MAX_START_MS);
  await server.kill();
  await starting;
}

/** Issues and revokes keys until the server has exited, since admin actions must survive as well. */
async function administer({ admin }: HubServer, { keys, issued, revoked }: PostLedger): Promise<void> {
  for (;;) {
    const { id } = await admin.issueKey({ hubId: keys[0]?.hubId ?? '', name: 'Issued under load' });
    issued.add(id);
    await admin.revokeKey(id);
    revoked.add(id);
    await Bun.sleep(20);
  }
}
