import type { Block } from '@hub/contract';
import { postWorkerAddress, trustedScript } from '../trusted-script.ts';
import type { PostTree } from './post-tree.ts';

/** A job for the worker: `post-worker.ts` runs it. */
export type Job =
  | { do: 'markdown'; text: string }
  | { do: 'blocks'; blocks: readonly Block[] }
  | { do: 'findTask'; text: string; task: number }
  | { do: 'highlight'; code: string; language: string };

/** A piece of code and its kind: comment, keyword, string, number, or `null` for the rest. */
export type Run = readonly [kind: 'c' | 'k' | 's' | 'n' | null, text: string];

/** Code in runs, which together are the whole code, and the display name of its language, or `null` if it is unknown. */
export interface HighlightedCode {
  language: string | null;
  runs: readonly Run[];
}

export interface Results {
  markdown: PostTree;
  blocks: PostTree;
  /** The index of the character between the brackets, or null if it cannot be found. */
  findTask: number | null;
  highlight: HighlightedCode;
}

export type Reply =
  | { number: number; type: 'started' }
  | { number: number; type: 'done'; result: Results[Job['do']] }
  | { number: number; type: 'failed' };

export interface NumberedJob {
  number: number;
  job: Job;
}

/** A post that takes longer than this is shown as it was sent. */
const DEADLINE_MS = 700;
/** The time limit for loading the worker and the code that a job needs. */
const LOADING_MS = 15_000;
/** Extra time for a reply that was sent before the deadline but not received because the page was busy. */
const GRACE_MS = 60;

interface Waiting {
  job: Job;
  settle: (result: Results[Job['do']] | null) => void;
}

let worker: Worker | null = null;
let running: (NumberedJob & { timer: ReturnType<typeof setTimeout>; settle: Waiting['settle'] }) | null = null;
let last = 0;
const queue: Waiting[] = [];

/** Runs a job in the worker, so that the page stays responsive. Resolves to `null` if it failed or took too long. */
export function readInWorker<J extends Job>(job: J): Promise<Results[J['do']] | null> {
  return new Promise((resolve) => {
    queue.push({ job, settle: (result) => resolve(result as Results[J['do']] | null) });
    next();
  });
}

function next(): void {
  if (running !== null) return;
  const first = queue.shift();
  if (!first) return;
  last += 1;
  running = { number: last, job: first.job, settle: first.settle, timer: setTimeout(giveUp, LOADING_MS) };
  try {
    worker ??= start();
    worker.postMessage({ number: last, job: first.job } satisfies NumberedJob);
  } catch {
    finish(null);
  }
}

function start(): Worker {
  const started = new Worker(trustedScript(postWorkerAddress()), { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<Reply>) => take(data));
  started.addEventListener('error', stop);
  return started;
}

function take(reply: Reply): void {
  if (reply.number !== running?.number) return;
  if (reply.type === 'started') {
    clearTimeout(running.timer);
    running.timer = setTimeout(waitForLateReply, DEADLINE_MS);
  } else finish(reply.type === 'done' ? reply.result : null);
}

function waitForLateReply(): void {
  if (running) running.timer = setTimeout(giveUp, GRACE_MS);
}

/** Replaces the worker, since a busy one cannot be interrupted. Starting takes 0.5 s, so it does not wait for a job. */
function giveUp(): void {
  stop();
  worker ??= start();
}

function stop(): void {
  worker?.terminate();
  worker = null;
  finish(null);
}

function finish(result: Results[Job['do']] | null): void {
  const done = running;
  running = null;
  if (!done) return;
  clearTimeout(done.timer);
  done.settle(result);
  next();
}
