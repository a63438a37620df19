/**
 * Promise: a 201 means that the item is on disk, and a kill at any moment loses no acknowledged item and duplicates none.
 *
 * Proof: under strace, every 201 leaves the socket after the flush of its transaction. Then posts over many connections,
 * while keys are issued and revoked; kills the server at a random moment, restarts it on the same data folder, and compares
 * its contents with every response, by the rules of `inspectDatabase`. Then kills uploads of files and the server
 * (`crash/uploads.ts`): nothing of a cut one stays, and an acknowledged file is whole, also after a restore.
 *
 * Needs strace and curl. Long form: 200 kills of each kind and 10,000 posts under strace; or `--rounds`, `--uploads`,
 * `--posts`, `--keys`.
 */
import { createReadStream, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { HubServer, idOf, POST_KINDS, postRequest, type ServerProcess, spawnServer } from '@hub/testkit';
import { proveUploads } from './crash/uploads.ts';
import { inspectDatabase, inspectServer, noProblems, type Problems, RULES, type Rule } from './kit/inspect-database.ts';
import { createLedger, type PostLedger, sendAll, startPostLoad } from './kit/post-load.ts';
import { type Proof, proofOptions, runProof } from './kit/proof.ts';

const { rounds, posts, keys, uploads } = proofOptions(
  { rounds: 8, posts: 296, keys: 100, uploads: 8 },
  { long: { rounds: 200, posts: 10_000, uploads: 200 }, inCounterProof: { rounds: 40, uploads: 20 } },
);

/** A data folder is used for this many rounds, to limit the time that inspections take. */
const ROUNDS_PER_FOLDER = 10;
const HUBS = 10;
const LOAD = { connections: 24, maxCharacters: 200, restMs: 0 };
const [MIN_LOAD_MS, MAX_LOAD_MS] = [100, 700];
const MAX_STOP_MS = 60;
const MAX_START_MS = 500;

/** The ways to stop the server. The rounds use them in turn. */
const DEATHS = ['killed', 'killed while it stops', 'killed', 'killed, and again while it starts'] as const;

const GROUP_COMMIT = 'apps/api/src/storage/sqlite/engine/group-commit.ts';
const counterProofs = [
  // Flushes the log only at checkpoints, so that the server responds before a post is on disk.
  {
    file: 'apps/api/src/storage/sqlite/engine/database.ts',
    find: 'PRAGMA synchronous = FULL',
    replace: 'PRAGMA synchronous = NORMAL',
    fails: 'no 201 left before its transaction was written and flushed',
    part: 'flush',
  },
  // Responds to large batches a moment before the commit. Small ones must work, since the proof creates a user.
  {
    file: GROUP_COMMIT,
    find: 'report = this.#commit(outcomes);',
    replace: `for (const each of outcomes) if (!('error' in each) && outcomes.length > 3) each.waiting.resolve(each.value);
      await Bun.sleep(5);
      report = this.#commit(outcomes);`,
    fails: RULES.kept,
    part: 'kills',
  },
  // Keeps what a killed server had of a file.
  {
    file: 'apps/api/src/storage/sqlite/file-folder.ts',
    find: 'if (!isKnown(id)) rmSync(pathOf(id), { force: true });',
    replace: '',
    fails: 'an upload that was cut left nothing behind',
    part: 'uploads',
  },
] as const;

const totals = { sent: 0, acknowledged: 0, unexpected: [] as string[] };

async function killAndCompare(proof: Proof): Promise<void> {
  const problems = noProblems();
  for (let first = 0; first < rounds; first += ROUNDS_PER_FOLDER) {
    await runRounds(proof, first, Math.min(rounds, first + ROUNDS_PER_FOLDER), problems);
    // A counter-proof ends at the first failure.
    if (proof.isCounterProof) checkAll(proof, problems);
  }
  checkAll(proof, problems);
  proof.report(`${rounds} kills: ${totals.acknowledged} acknowledged of ${totals.sent} posts sent`);
  proof.check('there was load: posts were acknowledged in every round', totals.acknowledged > 20 * rounds);
}

function checkAll(proof: Proof, problems: Problems): void {
  for (const rule of Object.keys(RULES) as Rule[]) proof.none(RULES[rule], problems[rule]);
  proof.none('no post was rejected', totals.unexpected);
}

/** Runs a few rounds on one data folder, with a clean stop at the end. */
async function runRounds(proof: Proof, first: number, end: number, problems: Problems): Promise<void> {
  const server = await new HubServer(join(proof.folder, `data-${first}`)).start();
  const hubIds = await server.admin.createHubs(HUBS);
  const ledger = createLedger(await server.admin.issueKeys(hubIds, keys));
  for (let round = first; round < end; round += 1) {
    const death = DEATHS[round % DEATHS.length] as (typeof DEATHS)[number];
    const before = { sent: ledger.sent.size, acknowledged: ledger.acknowledged.size };
    await loadAndKill(server, hubIds[0] ?? '', ledger, death);
    await server.start();
    const startMs = server.startsMs.at(-1) ?? Number.NaN;
    await inspectServer(server, ledger, problems);
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

async function loadAndKill(server: HubServer, hubId: string, ledger: PostLedger, death: (typeof DEATHS)[number]) {
  const load = startPostLoad(ledger, server.port, LOAD);
  // The administration ends with the server.
  const beside = administer(server, hubId, ledger).catch(() => {});
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
async function administer({ admin }: HubServer, hubId: string, { issued, revoked }: PostLedger): Promise<void> {
  for (;;) {
    const { id } = await admin.issueKey({ hubId, name: 'Issued under load' });
    issued.add(id);
    await admin.revokeKey(id);
    revoked.add(id);
    await Bun.sleep(20);
  }
}

const LONE_POSTS = 40;
/** A key can post 60 times per minute. */
const POSTS_PER_KEY = 50;
const CALLS = 'fdatasync,fsync,pwrite64,pwritev,write,writev,sendto,sendmsg,sendmmsg';

/** Runs a server under strace, posts, and checks that each 201 left after the flush of its transaction. */
async function proveFlushOrder({ folder, check, none, report }: Proof, posts: number): Promise<void> {
  if (Bun.which('strace') === null) throw new Error('This proof needs strace, and Linux: apt-get install strace');
  const { received, trace } = await tracedRun(join(folder, 'traced'), posts);
  const { responded, counts } = trace;
  report(`${responded.length} 201s, ${counts.commits} commits and ${counts.flushes} flushes of the log`);
  const isSame = received.size === responded.length && responded.every((id) => received.has(id));
  check('the trace has exactly the 201s that were received', isSame && counts.unreadable === 0);
  none('no 201 left before its transaction was written and flushed', trace.early);
  check('the directory entry of the log was flushed before the first 201', trace.isLogEntryFlushed);
  const shared = responded.length / counts.flushes;
  check('flushes were shared, so the order was tested', shared > 1, `${shared.toFixed(1)} 201s each`);
}

/** Returns the ids of all 201 responses that the senders received, and what the trace shows. */
async function tracedRun(dataDir: string, posts: number): Promise<{ received: Set<string>; trace: FlushChecker }> {
  mkdirSync(dataDir);
  // The trace is read while it is written, and not stored: for ten thousand posts, it would take gigabytes.
  const pipe = join(dataDir, 'trace');
  if (Bun.spawnSync(['mkfifo', pipe]).exitCode !== 0) throw new Error(`There is no pipe at ${pipe}`);
  const format = ['-f', '-y', '-xx', '-s', '5000'];
  const under = ['strace', ...format, '-e', `trace=${CALLS}`, '-e', 'signal=none', '-o', pipe];
  const trace = readTrace(pipe);
  const server = spawnServer({ dataDir, under });
  const { port } = await server.serving();
  const received = await postAll(server, port, posts);
  // strace does not forward signals, and exits with the server.
  process.kill(Number(readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8')), 'SIGTERM');
  await server.ended();
  return { received, trace: await trace };
}

async function readTrace(pipe: string): Promise<FlushChecker> {
  const checker = new FlushChecker();
  for await (const line of createInterface(createReadStream(pipe))) checker.read(line);
  return checker;
}

/**
 * Sends a few posts one after another, then many in parallel. Returns the ids of everything created, including the Hub
 * and the keys.
 */
async function postAll({ admin }: ServerProcess, port: number, posts: number): Promise<Set<string>> {
  const hub = await admin.createHub('Flushes');
  const keys = await admin.issueKeys([hub.id], Math.ceil(posts / POSTS_PER_KEY));
  const received = new Set([hub.id, ...keys.map(({ id }) => id)]);
  const requests = Array.from({ length: posts }, (_, n) =>
    postRequest(POST_KINDS[n % POST_KINDS.length] ?? 'messages', keys[n % keys.length]?.key ?? '', `Post ${n}`),
  );
  const lone = await sendAll(port, requests.slice(0, LONE_POSTS), 1);
  for (const response of [...lone, ...(await sendAll(port, requests.slice(LONE_POSTS)))]) {
    if (response.status !== 201) throw new Error(`A post returned ${response.status} ${response.body}`);
    received.add(idOf(response));
  }
  return received;
}

const WAL = /hub\.db-wal$/;
const FRAME_HEADER_BYTES = 24;
const PAGE_BYTES_MIN = 512;
/** The ID in a 201 response: a prefix and a ULID. */
const ID = /\b(?:msg|note|todo|hub|key)_[0-9A-HJKMNP-TV-Z]{26}/g;

interface Call {
  readonly name: string;
  /** The file descriptor as strace prints it: a path, or `socket:[…]`. */
  readonly file: string;
  readonly data: Buffer;
  /**
   * Line numbers. strace prints a line when a call begins and another when it returns, or a single line if nothing
   * comes between.
   */
  readonly begin: number;
}

/** Reads an strace log of a server (`-f -y -xx -s 5000`), and checks that each 201 was sent after its flush. */
class FlushChecker {
  /** The IDs of all 201 responses sent to a socket, in order. */
  readonly responded: string[] = [];
  /** The IDs of those sent too early, with the reason. */
  readonly early: string[] = [];
  readonly counts = { unreadable: 0, commits: 0, flushes: 0 };
  /** Whether the directory entry of the log was flushed before the first response. */
  isLogEntryFlushed = false;
  /** IDs in pages of the transaction that is being written. */
  #open = new Set<string>();
  /** Whether the next page is the last of its transaction. */
  #isCommitFrame = false;
  /** For each ID, the line at which its transaction was first written completely, until that is flushed. */
  readonly #written = new Map<string, number | 'flushed'>();
  readonly #unfinished = new Map<string, Call>();
  #folder: string | undefined;
  #line = 0;

  read(line: string): void {
    this.#line += 1;
    const [, thread = '', rest = ''] = /^(\d+) +(.*)$/s.exec(line) ?? [];
    const isResumed = /^<\.\.\. \w+ resumed>/.test(rest);
    const call = isResumed ? this.#unfinished.get(thread) : parseCall(rest, this.#line);
    if (!call) return;
    if (!isResumed) this.#begins(call);
    if (rest.endsWith('<unfinished ...>')) {
      this.#unfinished.set(thread, call);
      return;
    }
    this.#unfinished.delete(thread);
    if (/\) += \d+$/.test(rest)) this.#returns(call);
  }

  /** A response is considered sent when the call begins. */
  #begins({ file, data }: Call): void {
    if (!file.startsWith('socket:') || !data.toString('latin1').startsWith('HTTP/1.1 201')) return;
    const [, id] = /"id":"([^"]+)"/.exec(data.toString('latin1')) ?? [];
    if (id === undefined) {
      this.counts.unreadable += 1;
      return;
    }
    this.responded.push(id);
    const written = this.#written.get(id);
    if (written !== 'flushed') this.early.push(`${id} not ${written === undefined ? 'written' : 'flushed'}`);
  }

  /** A write or a flush is considered done when the call has returned. */
  #returns({ name, file, data, begin }: Call): void {
    const isFlush = name === 'fsync' || name === 'fdatasync';
    if (isFlush && file === this.#folder && this.responded.length === 0) this.isLogEntryFlushed = true;
    if (!WAL.test(file)) return;
    this.#folder = dirname(file);
    if (isFlush) this.#flush(begin);
    // Only the last frame has the size of the database after the commit (sqlite.org/walformat.html).
    else if (data.length === FRAME_HEADER_BYTES) this.#isCommitFrame = data.readUInt32BE(4) !== 0;
    else if (data.length >= PAGE_BYTES_MIN) this.#page(data);
  }

  #page(data: Buffer): void {
    for (const [id] of data.toString('latin1').matchAll(ID)) this.#open.add(id);
    if (!this.#isCommitFrame) return;
    this.counts.commits += 1;
    for (const id of this.#open) if (!this.#written.has(id)) this.#written.set(id, this.#line);
    this.#open = new Set();
    this.#isCommitFrame = false;
  }

  /** A flush covers the writes made before it began, but none made while it runs. */
  #flush(begin: number): void {
    this.counts.flushes += 1;
    for (const [id, writtenAt] of this.#written) {
      if (writtenAt !== 'flushed' && writtenAt < begin) this.#written.set(id, 'flushed');
    }
  }
}

/** Parses a call on a file descriptor, with all bytes that it writes. */
function parseCall(text: string, begin: number): Call | undefined {
  const [, name, file] = /^(\w+)\(\d+<([^>]*)>/.exec(text) ?? [];
  if (name === undefined || file === undefined) return undefined;
  const strings = [...text.matchAll(/"([^"]*)"/g)].map(([, hex = '']) => bytesOf(hex));
  return { name, file: bytesOf(file).toString(), data: Buffer.concat(strings), begin };
}

/** Reads text that strace prints in hexadecimal, as it does except for some descriptors. */
function bytesOf(text: string): Buffer {
  return text.startsWith('\\x') ? Buffer.from(text.replaceAll('\\x', ''), 'hex') : Buffer.from(text);
}

await runProof({ limitSeconds: 60 + rounds * 12 + uploads * 5 + posts * 0.1, counterProofs }, async (proof) => {
  await proof.part('flush', () => proveFlushOrder(proof, posts));
  await proof.part('kills', () => killAndCompare(proof));
  await proof.part('uploads', () => proveUploads(proof, uploads));
});
