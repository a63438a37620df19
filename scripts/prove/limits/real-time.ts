import { join } from 'node:path';
import { HubServer, type Proof, postRequest, RequestLoad, type TimedResponse } from '@hub/testkit';
import { PUBLISHED } from './rate-limit-rule.ts';

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
  const server = await new HubServer(join(proof.folder, 'real-time')).start();
  const { admin, port } = server;
  const issued = await admin.issueKeys(await admin.createHubs(1), options.keyCount);
  const posts = issued.map(({ key }) => postRequest('messages', key, 'Hello'));

  const load = new RequestLoad();
  const passed = await fillWindows(load, port, posts, options.windows);
  const due = options.keyCount * requests;
  proof.check(
    `by the real clock: ${requests} of each of ${options.keyCount} keys pass in each of ${options.windows} windows`,
    passed.every((count) => count === due),
    `${Math.min(...passed)} to ${Math.max(...passed)} of ${due}`,
  );
  const { responses, problems } = await blockAll(load, port, posts);
  proof.none(
    `by the real clock: the 61st blocks each key for ${blockMs / 1000} s by each of ${responses} answers, and then ${requests} pass`,
    problems,
  );
  load.close();
  const code = await server.stop();
  if (code !== 0) throw new Error(`The server ended with ${code}:\n${server.process.stderr()}`);
}

/** Checks that a block survives a kill, using the machine's own clocks. */
export async function blockOverRealKill(proof: Proof): Promise<void> {
  const server = await new HubServer(join(proof.folder, 'real-kill')).start();
  const [{ key } = { key: '' }] = await server.admin.issueKeys(await server.admin.createHubs(1), 1);
  const request = postRequest('messages', key, 'Hello');
  const load = new RequestLoad();
  await load.send(
    server.port,
    Array.from({ length: requests }, () => ({ request })),
  );
  const beginning = await load.send(server.port, [{ request }]);
  await server.kill();
  load.close();
  await server.start();
  const after = await load.send(server.port, [{ request }]);
  const problems = problemsDuring(beginning[0] as TimedResponse, after[0] as TimedResponse, KERNEL_STEP_MS);
  proof.none("a block survives a kill by the machine's own clocks", problems);
  load.close();
  await server.stop();
}

/**
 * Sends each request a minute after the response to the request sixty places before it, as the client's pacing does.
 * Returns the number of accepted requests in each window.
 */
async function fillWindows(
  load: RequestLoad,
  port: number,
  posts: readonly string[],
  windows: number,
): Promise<number[]> {
  const passed: number[] = [];
  const all = Array.from({ length: requests }, () => posts).flat();
  let before: TimedResponse[] = [];
  for (let window = 0; window < windows; window += 1) {
    const dueAt = (index: number): number => (before[index]?.respondedAt ?? Number.NEGATIVE_INFINITY) + windowMs;
    before = await load.send(
      port,
      all.map((request, index) => ({ request, dueAt: dueAt(index) })),
    );
    passed.push(before.filter(({ response }) => response.status === 201).length);
  }
  return passed;
}

/** Sends one request too many, right after a full window. */
async function blockAll(
  load: RequestLoad,
  port: number,
  posts: readonly string[],
): Promise<{ responses: number; problems: string[] }> {
  const now = (request: string) => ({ request, dueAt: 0 });
  const beginnings = await load.send(port, posts.map(now));
  const problems = beginnings
    .filter(({ response }) => response.status !== 403 || response.header('Retry-After') !== '300')
    .map(({ response }) => `the 61st returned ${response.status}`);

  const questions = posts.flatMap((request, n) =>
    Array.from({ length: QUESTIONS }, (_, question) => {
      const share = question === 0 ? 0.9999 : Math.random();
      return { n, request, dueAt: (beginnings[n]?.sentAt ?? 0) + blockMs * share };
    }),
  );
  questions.sort((one, other) => one.dueAt - other.dueAt);
  const during = await load.send(port, questions);
  for (const [index, response] of during.entries()) {
    problems.push(...problemsDuring(beginnings[questions[index]?.n ?? 0] as TimedResponse, response));
  }
  const ends = posts.map((request, n) => ({ request, dueAt: (beginnings[n]?.respondedAt ?? 0) + blockMs }));
  // The first request is sent when the block is certain to have ended, and the others follow.
  const after = await load.send(port, Array.from({ length: requests }, () => ends).flat());
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
  const seconds = Number(response.header('Retry-After') ?? Number.NaN);
  const least = Math.ceil((beginning.sentAt + blockMs - respondedAt - toleranceMs) / 1000);
  const most = Math.ceil((beginning.respondedAt + blockMs - sentAt + toleranceMs) / 1000);
  const fits = response.status === 403 && seconds >= least && seconds <= most;
  return fits ? [] : [`during it: ${response.status}, Retry-After ${seconds} in place of ${least} to ${most}`];
}
