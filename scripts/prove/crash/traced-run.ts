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
  type ServerProcess,
  spawnServer,
} from '@hub/testkit';
import { FlushChecker, type FlushReport } from './flush-trace.ts';

const LONE_POSTS = 40;
const CONNECTIONS = 16;
/** A key can post 60 times per minute. */
const POSTS_PER_KEY = 50;
const CALLS = 'fdatasync,fsync,pwrite64,pwritev,write,writev,sendto,sendmsg,sendmmsg';

/** Runs a server under strace, posts, and checks that each 201 left after the flush of its transaction. */
export async function proveFlushOrder({ folder, check, none, report }: Proof, posts: number): Promise<void> {
  if (Bun.which('strace') === null) throw new Error('This proof needs strace, and Linux: apt-get install strace');
  const { received, trace } = await tracedRun(join(folder, 'traced'), posts);
  const { responded, early, commits, flushes, responseDelaysMs } = trace;
  report(
    `${responded.length} 201s, ${commits} commits and ${flushes} flushes of the log; from flush to response ${median(responseDelaysMs).toFixed(2)} ms in the median (traced)`,
  );
  const isSame = received.size === responded.length && responded.every((id) => received.has(id));
  check('the trace has exactly the 201s that were received', isSame && trace.unreadable === 0);
  none(
    'no 201 left before its transaction was written and flushed',
    early.map(({ id, why }) => `${id} ${why}`),
  );
  check('the directory entry of the log was flushed before the first 201', trace.isLogEntryFlushed);
  const shared = responded.length / flushes;
  check('flushes were shared, so the order was tested', shared > 1, `${shared.toFixed(1)} 201s each`);
}

/** Returns the ids of all 201 responses that the senders received, and what the trace shows. */
async function tracedRun(dataDir: string, posts: number): Promise<{ received: Set<string>; trace: FlushReport }> {
  mkdirSync(dataDir);
  // The trace is read while it is written, and not stored: for ten thousand posts, it would take gigabytes.
  const pipe = join(dataDir, 'trace');
  if (Bun.spawnSync(['mkfifo', pipe]).exitCode !== 0) throw new Error(`There is no pipe at ${pipe}`);
  const format = ['-f', '-ttt', '-y', '-x', '-s', '5000'];
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

async function readTrace(pipe: string): Promise<FlushReport> {
  const checker = new FlushChecker();
  for await (const line of createInterface(createReadStream(pipe))) checker.read(line);
  return checker.report;
}

/**
 * Sends a few posts one after another, then many in parallel. Returns the ids of everything created, including the Hub
 * and the keys.
 */
async function postAll({ admin }: ServerProcess, port: number, posts: number): Promise<Set<string>> {
  const hub = await admin.createHub('Flushes');
  const keys = await admin.issueKeys([hub.id], Math.ceil(posts / POSTS_PER_KEY));
  const received = new Set([hub.id, ...keys.map(({ id }) => id)]);
  let serial = 0;
  const post = async (connection: Connection): Promise<void> => {
    serial += 1;
    const kind = POST_KINDS[serial % POST_KINDS.length] ?? 'messages';
    const response = await connection.send(postRequest(kind, keys[serial % keys.length]?.key ?? '', `Post ${serial}`));
    if (response.status !== 201) throw new Error(`A post returned ${response.status} ${response.body}`);
    received.add(idOf(response));
  };
  const connections = await Promise.all(Array.from({ length: 1 + CONNECTIONS }, () => openConnection(port)));
  const [lone, ...others] = connections as [Connection, ...Connection[]];
  for (let sent = 0; sent < LONE_POSTS; sent += 1) await post(lone);
  await Promise.all(
    others.map(async (connection) => {
      while (serial < posts) await post(connection);
    }),
  );
  for (const connection of connections) connection.close();
  return received;
}
