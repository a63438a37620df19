import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { IssuedKey } from '../../../packages/contract/src/index.ts';
import { adminOver } from '../admin.ts';
import { headerOf, postRequest } from '../connection.ts';
import type { Proof } from '../proof.ts';
import { spawnServer, stopServer } from '../start-server.ts';
import { PUBLISHED } from './rule.ts';
import { sendWhenDue, type TimedResponse } from './timed-requests.ts';

const { requests, windowMs, blockMs } = PUBLISHED;
/** The number of requests with each key during a block. */
const QUESTIONS = 6;
/** The resolution at which the kernel reports the time since boot. */
const KERNEL_STEP_MS = 10;

/**
 * Repeats the proof from outside, with the real clock: with each key, repeatedly sends sixty requests as soon as they
 * are certain to be allowed, then one too many. Each outcome must be consistent with the times of its request and
 * response.
 */
export async function inRealTime(proof: Proof, options: { keyCount: number; windows: number }): Promise<void> {
  const dataDir = join(proof.folder, 'real-time');
  mkdirSync(dataDir);
  const server = spawnServer({ dataDir, env: { HUB_LOG_LEVEL: 'warn' } });
  const { port } = await server.serving();
  const admin = adminOver(server.adminSocket);
  const { id } = await admin.createHub('Real time');
  const issue = (_: unknown, n: number): Promise<IssuedKey> => admin.issueKey(id, `key ${n}`);
  const issued = await Promise.all(Array.from({ length: options.keyCount }, issue));
  const posts = issued.map(({ key }) => postRequest('messages', key, 'Hello'));

  const passed = await fillWindows(port, posts, options.windows);
  const due = options.keyCount * requests;
  proof.check(
    `by the real clock: ${requests} of each of ${options.keyCount} keys pass in each of ${options.windows} windows`,
    passed.every((count) => count === due),
    `${Math.min(...passed)} to ${Math.max(...passed)} of ${due}`,
  );
  const { responses, problems } = await blockAll(port, posts);
  proof.check(
    `by the real clock: the 61st blocks each key for ${blockMs / 1000} s by each of ${responses} answers, and then ${requests} pass`,
    problems.length === 0,
    problems.slice(0, 3).join('; '),
  );
  const code = await stopServer(server);
  if (code !== 0) throw new Error(`The server ended with ${code}:\n${server.stderr()}`);
}

/** Checks that a block survives a kill, using the machine's own clocks. */
export async function blockOverRealKill(proof: Proof): Promise<void> {
  const dataDir = join(proof.folder, 'real-kill');
  mkdirSync(dataDir);
  const start = () => spawnServer({ dataDir, env: { HUB_LOG_LEVEL: 'warn' } });
  const first = start();
  const { port } = await first.serving();
  const admin = adminOver(first.adminSocket);
  const { key } = await admin.issueKey((await admin.createHub('Real kill')).id, 'key');
  const request = postRequest('messages', key, 'Hello');
  await sendWhenDue(
    port,
    Array.from({ length: requests }, () => ({ request, dueAt: 0 })),
  );
  const beginning = await sendWhenDue(port, [{ request, dueAt: 0 }]);
  await stopServer(first, 'SIGKILL');
  const second = start();
  const again = await second.serving();
  const after = await sendWhenDue(again.port, [{ request, dueAt: 0 }]);
  const problems = problemsDuring(beginning[0] as TimedResponse, after[0] as TimedResponse, KERNEL_STEP_MS);
  proof.check("a block survives a kill by the machine's own clocks", problems.length === 0, problems.join('; '));
  await stopServer(second);
}

/**
 * Sends each request a minute after the response to the request sixty places before it, as the client's pacing does.
 * Returns the number of accepted requests in each window.
 */
async function fillWindows(port: number, posts: readonly string[], windows: number): Promise<number[]> {
  const passed: number[] = [];
  const all = Array.from({ length: requests }, () => posts).flat();
  let before: TimedResponse[] = [];
  for (let window = 0; window < windows; window += 1) {
    const dueAt = (index: number): number => (before[index]?.respondedAt ?? Number.NEGATIVE_INFINITY) + windowMs;
    before = await sendWhenDue(
      port,
      all.map((request, index) => ({ request, dueAt: dueAt(index) })),
    );
    passed.push(before.filter(({ response }) => response.status === 201).length);
  }
  return passed;
}

/** Sends one request too many, right after a full window. */
async function blockAll(port: number, posts: readonly string[]): Promise<{ responses: number; problems: string[] }> {
  const now = (request: string) => ({ request, dueAt: 0 });
  const beginnings = await sendWhenDue(port, posts.map(now));
  const problems = beginnings
    .filter(({ response }) => response.status !== 403 || headerOf(response, 'Retry-After') !== '300')
    .map(({ response }) => `the 61st returned ${response.status}`);

  const questions = posts.flatMap((request, n) =>
    Array.from({ length: QUESTIONS }, (_, question) => {
      const share = question === 0 ? 0.9999 : Math.random();
      return { n, request, dueAt: (beginnings[n]?.sentAt ?? 0) + blockMs * share };
    }),
  );
  questions.sort((one, other) => one.dueAt - other.dueAt);
  const during = await sendWhenDue(port, questions);
  for (const [index, response] of during.entries()) {
    problems.push(...problemsDuring(beginnings[questions[index]?.n ?? 0] as TimedResponse, response));
  }
  const ends = posts.map((request, n) => ({ request, dueAt: (beginnings[n]?.respondedAt ?? 0) + blockMs }));
  // The first request is sent when the block is certain to have ended, and the others follow.
  const after = await sendWhenDue(port, Array.from({ length: requests }, () => ends).flat());
  problems.push(
    ...after.filter(({ response }) => response.status !== 201).map(({ response }) => `after it: ${response.status}`),
  );
  return { responses: during.length, problems };
}

/**
 * Checks the remaining time: the block began after the 61st request was sent and before its response arrived, and the
 * response to check was sent between its own request and its arrival.
 */
function problemsDuring(
  beginning: TimedResponse,
  { sentAt, respondedAt, response }: TimedResponse,
  toleranceMs = 0,
): string[] {
  // The request may have arrived after the end of the block.
  if (respondedAt >= beginning.sentAt + blockMs) return [];
  const seconds = Number(headerOf(response, 'Retry-After') ?? Number.NaN);
  const least = Math.ceil((beginning.sentAt + blockMs - respondedAt - toleranceMs) / 1000);
  const most = Math.ceil((beginning.respondedAt + blockMs - sentAt + toleranceMs) / 1000);
  const fits = response.status === 403 && seconds >= least && seconds <= most;
  return fits ? [] : [`during it: ${response.status}, Retry-After ${seconds} in place of ${least} to ${most}`];
}
