import type { Job, NumberedJob, Reply, Results } from './post-jobs.ts';
import { startPostWorker } from './worker-address.ts';

/** What takes longer to read than this is shown as it was sent. */
const DEADLINE_MS = 700;
/** Until the worker and what a job needs have been loaded. */
const LOADING_MS = 15_000;
/** An answer that is under way when the time is up still counts: it was the page that was busy. */
const GRACE_MS = 60;

interface Waiting {
  job: Job;
  settle: (result: Results[Job['do']] | null) => void;
}

let worker: Worker | null = null;
let running: (NumberedJob & { timer: ReturnType<typeof setTimeout>; settle: Waiting['settle'] }) | null = null;
let last = 0;
const queue: Waiting[] = [];

/** Reads in the worker, where it holds nobody up. `null`: it took too long, or could not be read. */
export function readApart<J extends Job>(job: J): Promise<Results[J['do']] | null> {
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
  const started = startPostWorker();
  started.addEventListener('message', ({ data }: MessageEvent<Reply>) => take(data));
  started.addEventListener('error', giveUp);
  return started;
}

function take(reply: Reply): void {
  if (reply.number !== running?.number) return;
  if (reply.is === 'begun') {
    clearTimeout(running.timer);
    running.timer = setTimeout(timeOutUnlessAnswered, DEADLINE_MS);
  } else finish(reply.is === 'done' ? reply.result : null);
}

function timeOutUnlessAnswered(): void {
  if (running) running.timer = setTimeout(giveUp, GRACE_MS);
}

/** A worker that is busy cannot be told to stop, so it is ended; the next job gets another. */
function giveUp(): void {
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
