/**
 * Posts at a steady pace in a separate process, so that other work in the proof affects neither the pace nor the
 * latencies. Controlled by its parent through messages (`ToLoad`, `FromLoad`).
 */
import { type Connection, idOf, openConnection, postRequest } from './http.ts';

export interface LoadPlan {
  port: number;
  /** Used in turn. */
  keys: readonly string[];
  /** The prefix of each post's text, which distinguishes it from the posts of other processes. */
  name: string;
}

export type ToLoad =
  /** Comes first. Keys do not belong on a command line, which everyone can read. */
  | { type: 'plan'; plan: LoadPlan }
  | { type: 'fill'; posts: number; bytes: number }
  | { type: 'begin'; perSecond: number }
  /** Starts recording latencies. */
  | { type: 'mark' }
  /** Returns the latencies since the mark, once everything sent so far has its response. */
  | { type: 'latencies' }
  /** The ids from 201 responses since the last request for them. */
  | { type: 'acknowledged' }
  | { type: 'stop' };

export type FromLoad =
  | { type: 'ready' | 'filled' | 'marked' | 'begun' }
  | { type: 'latencies'; ms: number[] }
  | { type: 'acknowledged'; ids: string[]; unexpected: string[] }
  | { type: 'stopped'; ids: string[]; unexpected: string[] };

const CONNECTIONS = 24;
const WORDS = 'the build of the night has passed and the canary sings '.repeat(4);

const report = (message: FromLoad): void => void process.send?.(message);

let plan: LoadPlan = { port: 0, keys: [], name: '' };
let connections: Connection[] = [];
const idle: Connection[] = [];
/** The due times of posts that are waiting for a free connection. */
const due: number[] = [];
const running = new Set<Promise<void>>();
let ids: string[] = [];
let unexpected: string[] = [];
let latencies: number[] | undefined;
let serial = 0;
let isOver = false;

async function post(text: string): Promise<void> {
  serial += 1;
  // Use the connection that has been idle longest, since the server closes idle ones.
  const connection = idle.shift();
  if (!connection) throw new Error('No connection is free');
  const key = plan.keys[serial % plan.keys.length] ?? '';
  const response = await connection
    .send(postRequest('messages', key, `${plan.name} ${serial} ${text}`))
    .catch(() => undefined);
  // The server has exited. A post without a response does not count as acknowledged.
  if (!response) {
    isOver = true;
    return;
  }
  idle.push(connection);
  if (response.status === 201) ids.push(idOf(response));
  else unexpected.push(`${response.status} ${response.body}`);
}

/**
 * A post that waits for a connection is timed from when it was due, so that a stall shows in the latency of every post
 * that was due during it.
 */
async function timed(startedAt: number): Promise<void> {
  const noted = latencies;
  await post(WORDS);
  if (!isOver) noted?.push(performance.now() - startedAt);
  const waiting = due.shift();
  if (waiting !== undefined && !isOver) run(timed(waiting));
}

function run(work: Promise<void>): void {
  const tracked = work.finally(() => running.delete(tracked));
  running.add(tracked);
}

async function pace(perSecond: number): Promise<void> {
  const start = performance.now();
  for (let sent = 0; !isOver; ) {
    const target = Math.floor(((performance.now() - start) / 1000) * perSecond);
    for (; sent < target; sent += 1) {
      // A timer that fires late in this process must not count against the server, so requests due now are timed from
      // now.
      if (idle.length > 0) run(timed(performance.now()));
      else due.push(start + (sent / perSecond) * 1000);
    }
    await Bun.sleep(1);
  }
}

async function fill(posts: number, bytes: number): Promise<void> {
  const text = WORDS.repeat(Math.ceil(bytes / WORDS.length)).slice(0, bytes);
  let left = posts;
  const work = async (): Promise<void> => {
    while (left > 0 && !isOver) {
      left -= 1;
      await post(text);
    }
  };
  await Promise.all(connections.map(work));
}

const taken = () => {
  const since = { ids, unexpected };
  [ids, unexpected] = [[], []];
  return since;
};

process.on('message', async (message: ToLoad) => {
  if (message.type === 'plan') {
    plan = message.plan;
    connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(plan.port)));
    idle.push(...connections);
    report({ type: 'ready' });
  } else if (message.type === 'fill') {
    await fill(message.posts, message.bytes);
    report({ type: 'filled' });
  } else if (message.type === 'begin') {
    void pace(message.perSecond);
    report({ type: 'begun' });
  } else if (message.type === 'mark') {
    latencies = [];
    report({ type: 'marked' });
  } else if (message.type === 'latencies') {
    const ms = latencies ?? [];
    latencies = undefined;
    await Promise.all(running);
    report({ type: 'latencies', ms });
  } else if (message.type === 'acknowledged') {
    report({ type: 'acknowledged', ...taken() });
  } else {
    isOver = true;
    await Promise.all(running);
    // The parent ends this process once everything has arrived: exiting here would cut off a long message.
    report({ type: 'stopped', ...taken() });
  }
});
