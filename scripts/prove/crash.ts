/**
 * Promise: a kill at any moment loses no acknowledged item and duplicates none.
 *
 * Proof: posts over many connections while keys are issued and revoked, kills the server at a random moment, restarts it
 * on the same data folder, and compares its contents with every response that was received, by the rules of
 * `inspectDatabase`. The responses are read from a log next to the folder, which is flushed before a response counts.
 *
 * Short form: `bun run prove:crash`. Long form: `--rounds 200 --rate 500 --keys 1000`; without `--rate`, posts are sent
 * as fast as possible. If the proof itself is killed, its data folders remain (`hub-prove-…/data-0` and so on);
 * `--check FOLDER` then compares one of them with its log.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  compareKeys,
  expectedBy,
  HubServer,
  idOf,
  inspectDatabase,
  LedgerLog,
  median,
  noProblems,
  openConnection,
  type Problems,
  type Proof,
  pace,
  postRequest,
  proofOptions,
  RULES,
  type Rule,
  readLedger,
  runProof,
  sentPost,
} from '@hub/testkit';

const { rounds, keys: keyCount, rate, check } = proofOptions({ rounds: 8, keys: 100, rate: 0, check: '' });

/** A data folder is used for this many rounds, to limit the time that inspections take. */
const ROUNDS_PER_FOLDER = 10;
const HUBS = 10;
const CONNECTIONS = 24;
/** The requests that a key can send per minute. A new server process starts with empty windows. */
const POSTS_PER_KEY = 60;
/** Longer at a pace, since a steady pace sends fewer posts in the same time. */
const MAX_LOAD_MS = rate === 0 ? 1_000 : 2_000;
/**
 * Measured from the start of the process. The limit for runs without a pace allows for a machine that is busy with
 * other work, as in CI.
 */
const MAX_UNTIL_READY_MS = rate === 0 ? 5_000 : 2_000;
/** Below 1, since rounds are short, and both starts and inspections keep the machine busy. */
const MIN_PACE = 0.9;
const MAX_STOP_MS = 60;
const MAX_START_MS = 500;

/** The ways to stop the server. The rounds use them in turn. */
const DEATHS = ['killed', 'killed while it stops', 'killed', 'killed, and again while it starts'] as const;

const totals = { sent: 0, acknowledged: 0, loadMs: 0, unexpected: [] as string[], startsMs: [] as number[] };
const problems: Problems = noProblems();

/** Responds a moment before the commit. */
const counterProof = {
  change: {
    file: 'apps/api/src/storage/sqlite/engine/group-commit.ts',
    find: 'report = this.#commit(outcomes);',
    replace: `for (const each of outcomes) if (!('error' in each)) each.waiting.resolve(each.value);
      await Bun.sleep(5);
      report = this.#commit(outcomes);`,
  },
  fails: RULES.kept,
};

const logOf = (dataDir: string): string => `${dataDir}.log`;

if (check === '') await runProof({ limitSeconds: 30 + rounds * 12, counterProof }, killAndCompare);
else await runProof({ limitSeconds: 60 }, async (proof) => compareOnly(proof, check));

async function killAndCompare(proof: Proof): Promise<void> {
  for (let first = 0; first < rounds; first += ROUNDS_PER_FOLDER) {
    const dataDir = join(proof.folder, `data-${first}`);
    await runRounds(proof, dataDir, first, Math.min(rounds, first + ROUNDS_PER_FOLDER));
    const ledger = readLedger(logOf(dataDir));
    totals.acknowledged += ledger.acknowledged.size;
    totals.unexpected.push(...ledger.unexpected);
    rmSync(dataDir, { recursive: true });
    rmSync(logOf(dataDir));
  }
  const perSecond = totals.acknowledged / (totals.loadMs / 1000);
  const most = Math.max(...totals.startsMs);
  proof.report(
    `${rounds} kills: ${totals.acknowledged} acknowledged of ${totals.sent} posts sent, some ${perSecond.toFixed(0)} a second from ${keyCount} keys`,
  );
  proof.report(
    `from the start of the process to ready, after a kill: median ${median(totals.startsMs).toFixed(0)} ms, at most ${most.toFixed(0)} ms`,
  );
  checkRules(proof, Object.keys(RULES) as Rule[]);
  proof.none('no post was rejected', totals.unexpected);
  const seconds = MAX_UNTIL_READY_MS / 1000;
  const detail = `${most.toFixed(0)} ms at most`;
  proof.check(`every start after a kill took less than ${seconds} s`, most < MAX_UNTIL_READY_MS, detail);
  if (rate === 0) {
    proof.check('there was load: posts were acknowledged in every round', totals.acknowledged > 20 * rounds);
  } else {
    proof.check(`the load was ${rate} posts per second`, perSecond > MIN_PACE * rate, perSecond.toFixed(0));
  }
}

/** Checks the data folder of a proof that was killed before it could compare the folder with the log. */
function compareOnly(proof: Proof, dataDir: string): void {
  const ledger = readLedger(logOf(dataDir));
  inspectDatabase(dataDir, expectedBy(ledger), problems);
  proof.report(`${ledger.acknowledged.size} posts had been acknowledged`);
  // Only a running server can report its keys.
  checkRules(proof, ['kept', 'once', 'sound', 'sequence', 'created']);
}

function checkRules(proof: Proof, rules: readonly Rule[]): void {
  for (const rule of rules) proof.none(RULES[rule], problems[rule]);
}

/** Runs a few rounds on one data folder, with a clean stop at the end. */
async function runRounds(proof: Proof, dataDir: string, first: number, end: number): Promise<void> {
  const server = await new HubServer(dataDir).start();
  const log = new LedgerLog(logOf(dataDir));
  const keys = await server.admin.issueKeys(await server.admin.createHubs(HUBS), keyCount);
  await Promise.all(keys.map((key) => log.append({ type: 'key', key })));
  const sender: Sender = { keys, log, sent: 0, acknowledged: 0 };
  for (let round = first; round < end; round += 1) {
    const before = { ...sender };
    const death = DEATHS[round % DEATHS.length] as (typeof DEATHS)[number];
    const loadMs = await loadAndKill(server, sender, death);
    await server.start();
    const startMs = server.startsMs.at(-1) ?? Number.NaN;
    totals.startsMs.push(startMs);
    totals.loadMs += loadMs;
    const reported = await server.admin.allKeys();
    const expected = expectedBy(readLedger(logOf(dataDir)));
    compareKeys(reported, inspectDatabase(dataDir, expected, problems).items, expected, problems);
    const [sent, acknowledged] = [sender.sent - before.sent, sender.acknowledged - before.acknowledged];
    proof.report(
      `round ${round + 1}: ${death} after ${loadMs.toFixed(0)} ms; ${acknowledged} acknowledged of ${sent} sent; ` +
        `ready again in ${startMs.toFixed(0)} ms`,
    );
  }
  const code = await server.stop();
  if (code !== 0) throw new Error(`The server ended with ${code}:\n${server.process.stderr()}`);
  log.close();
  totals.sent += sender.sent;
  inspectDatabase(dataDir, expectedBy(readLedger(logOf(dataDir))), problems);
}

/** Returns how long the load ran until the server was stopped, in milliseconds. */
async function loadAndKill(server: HubServer, sender: Sender, death: (typeof DEATHS)[number]): Promise<number> {
  const loaded = await beginLoad(server, sender);
  const loadMs = 20 + Math.random() * (MAX_LOAD_MS - 20);
  await Bun.sleep(loadMs);
  if (death === 'killed while it stops') {
    server.process.kill('SIGTERM');
    await Bun.sleep(Math.random() * MAX_STOP_MS);
  }
  await server.kill();
  // Responses sent before the end are still read, and count as acknowledged.
  await loaded();
  if (death === 'killed, and again while it starts') {
    const starting = server.start().catch(() => {});
    await Bun.sleep(Math.random() * MAX_START_MS);
    await server.kill();
    await starting;
  }
  return loadMs;
}

/** The posts of a data folder, and the log of their responses. */
interface Sender {
  readonly keys: Parameters<typeof sentPost>[0];
  readonly log: LedgerLog;
  /** The number of posts sent and acknowledged so far. */
  sent: number;
  acknowledged: number;
}

/**
 * Starts to post over many connections while keys are issued and revoked. The returned function resolves once the server
 * is gone or the keys have reached their limits, and every response is logged.
 */
async function beginLoad({ admin, port }: HubServer, sender: Sender): Promise<() => Promise<void>> {
  const { keys, log } = sender;
  const last = sender.sent + keys.length * POSTS_PER_KEY;
  await log.append({ type: 'sending', upTo: last });
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(port)));
  const turn = rate === 0 ? async () => {} : pace(rate);
  const entries: Promise<void>[] = [];
  const posting = connections.map(async (connection) => {
    for (;;) {
      await turn();
      if (sender.sent >= last) return;
      sender.sent += 1;
      const serial = sender.sent;
      const { kind, key, text } = sentPost(keys, serial);
      const response = await connection.send(postRequest(kind, key, text)).catch(() => undefined);
      if (!response) return;
      if (response.status === 201) {
        const written = log.append({ type: 'acknowledged', id: idOf(response), serial });
        entries.push(
          written.then(() => {
            sender.acknowledged += 1;
          }),
        );
      } else {
        entries.push(log.append({ type: 'unexpected', response: `${response.status} ${response.body}` }));
      }
    }
  });
  // Admin actions must survive as well.
  const administering = async (): Promise<void> => {
    for (let count = 0; count < 20; count += 1) {
      const { id } = await admin.issueKey({ hubId: keys[0]?.hubId ?? '', name: 'Made under load' });
      await log.append({ type: 'issued', id });
      await admin.call('POST', `/keys/${id}/revocation`);
      await log.append({ type: 'revoked', id });
      await Bun.sleep(20);
    }
  };
  // The administration ends with the server.
  const all = Promise.all([...posting, administering().catch(() => {})]);
  return async () => {
    await all;
    await Promise.all(entries);
  };
}
