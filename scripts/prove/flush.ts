/**
 * Promise: a 201 means that the item is on disk: none is sent before the flush of its transaction.
 *
 * Proof: runs the real server under strace (Linux), posts, and reads from the trace when the write-ahead log frames of
 * every 201 sent to a socket were written and flushed.
 *
 * Short form: `bun run prove:flush`. Long form: `--posts 10000`.
 */
import { createReadStream, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  type Connection,
  idOf,
  median,
  openConnection,
  POST_KINDS,
  type Proof,
  postRequest,
  proofOptions,
  quantile,
  runProof,
  type ServerProcess,
  spawnServer,
} from '@hub/testkit';
import { FlushChecker, type FlushReport } from './flush-trace.ts';

const LONE_POSTS = 40;
const CONNECTIONS = 16;
/** A key can post 60 times per minute. */
const POSTS_PER_KEY = 50;
const CALLS = 'fdatasync,fsync,pwrite64,pwritev,write,writev,sendto,sendmsg,sendmmsg';

const { posts } = proofOptions({ posts: 296 });
const KEYS = Math.ceil(posts / POSTS_PER_KEY);

interface TracedRun {
  /** The IDs of all 201 responses that the senders received. */
  received: Set<string>;
  report: FlushReport;
}

/** Flushes the log only at checkpoints, so that the server responds before a post is on disk. */
const counterProof = {
  change: {
    file: 'apps/api/src/storage/sqlite/engine/database.ts',
    find: 'PRAGMA synchronous = FULL',
    replace: 'PRAGMA synchronous = NORMAL',
  },
  fails: 'no 201 left before its transaction was written and flushed',
};

await runProof({ limitSeconds: 120 + posts * 0.1, counterProof }, async (proof) => {
  if (Bun.which('strace') === null) throw new Error('This proof needs strace, and Linux: apt-get install strace');

  const { received, report } = await tracedRun(join(proof.folder, 'data'));
  sayFigures(proof, report);
  const isSame = received.size === report.responded.length && report.responded.every((id) => received.has(id));
  proof.check('the trace holds exactly the 201s that were received', isSame && report.unreadable === 0);
  const early = report.early.map(({ id, why }) => `${id} ${why}`);
  proof.none('no 201 left before its transaction was written and flushed', early);
  proof.check('the directory entry of the log was flushed before the first 201', report.isLogEntryFlushed);
  const shared = report.responded.length / report.flushes;
  proof.check('flushes were shared, so the order was tested', shared > 1, `${shared.toFixed(1)} 201s each`);
});

async function tracedRun(dataDir: string): Promise<TracedRun> {
  mkdirSync(dataDir);
  // The trace is read while it is written, and not stored: for ten thousand posts, it would take gigabytes.
  const trace = join(dataDir, 'trace');
  if (Bun.spawnSync(['mkfifo', trace]).exitCode !== 0) throw new Error(`There is no pipe at ${trace}`);
  const under = ['strace', '-f', '-ttt', '-y', '-x', '-s', '5000'];
  under.push('-e', `trace=${CALLS}`, '-e', 'signal=none', '-o', trace);
  const checker = check(trace);
  const server = spawnServer({ dataDir, under });
  const { port } = await server.serving();
  const received = await postAll(server, port);
  // strace does not forward signals, and exits with the server.
  process.kill(Number(readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8')), 'SIGTERM');
  await server.ended();
  return { received, report: await checker };
}

async function check(trace: string): Promise<FlushReport> {
  const check = new FlushChecker();
  for await (const line of createInterface(createReadStream(trace))) check.read(line);
  return check.report;
}

/**
 * Sends a few posts one after another, then many in parallel. Returns the IDs of everything created, including the Hub
 * and the keys.
 */
async function postAll({ admin }: ServerProcess, port: number): Promise<Set<string>> {
  const hub = await admin.createHub('Flushes');
  const keys = await Promise.all(
    Array.from({ length: KEYS }, (_, n) => admin.issueKey({ hubId: hub.id, name: `key ${n}` })),
  );
  const received = new Set([hub.id, ...keys.map(({ id }) => id)]);
  let serial = 0;
  const post = async (connection: Connection): Promise<void> => {
    serial += 1;
    const kind = POST_KINDS[serial % POST_KINDS.length] ?? 'messages';
    const response = await connection.send(postRequest(kind, keys[serial % KEYS]?.key ?? '', `Post ${serial}`));
    if (response.status !== 201) throw new Error(`A post returned ${response.status} ${response.body}`);
    received.add(idOf(response));
  };
  const [alone, ...others] = await Promise.all(Array.from({ length: 1 + CONNECTIONS }, () => openConnection(port)));
  for (let sent = 0; alone && sent < LONE_POSTS; sent += 1) await post(alone);
  await Promise.all(
    others.map(async (connection) => {
      while (serial < posts) await post(connection);
    }),
  );
  for (const connection of [alone, ...others]) connection?.close();
  return received;
}

function sayFigures(proof: Proof, { responded, early, commits, flushes, responseDelaysMs }: FlushReport): void {
  proof.report(
    `${responded.length} 201s, ${early.length} too early; ${commits} commits and ${flushes} flushes of the log; ` +
      `from flush to answer ${quantile(responseDelaysMs, 0).toFixed(2)} ms at least, ${median(responseDelaysMs).toFixed(2)} ms in the median (traced)`,
  );
}
