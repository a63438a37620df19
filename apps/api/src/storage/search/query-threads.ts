import { AppError } from '../../platform/errors.ts';
import type { Clock, Log } from '../../platform/ports.ts';
import { type SearchQuery, searchTooSlow } from '../item-search.ts';
import { workerEnd } from '../sqlite/engine/worker-end.ts';
import type { FromQueryWorker, ToQueryWorker } from './query-worker.ts';

/** Threads that are kept for the next query. */
const MAX_IDLE = 2;
/** A query that takes longer is given up, and its thread replaced. */
const MAX_QUERY_MS = 3_000;
/** How many threads may still be busy with statements that were given up. */
const MAX_OVERRUNS = 4;

interface QueryThread {
  worker: Worker;
  ended: Promise<void>;
  generation: number;
}

interface QueryThreadsOptions extends Omit<ToQueryWorker, 'query'> {
  clock: Clock;
  log: Log;
  onDamaged: (reason: string) => void;
}

/**
 * The threads that run searches. SQLite cannot be interrupted, so a thread whose query takes too long ends after its
 * statement, and another takes its place. Until then, its caller cannot search.
 */
export class QueryThreads {
  readonly #options: QueryThreadsOptions;
  readonly #threads = new Set<QueryThread>();
  #idle: QueryThread[] = [];
  /** The callers whose last query took too long and still runs. */
  readonly #overruns = new Set<string>();
  /** Increased when the file of the index is replaced. */
  #generation = 0;
  #isClosed = false;

  constructor(options: QueryThreadsOptions) {
    this.#options = options;
  }

  /** Runs a query on a thread of its own. The use case limits how many run at the same time. */
  async find(query: SearchQuery, caller: string): Promise<number[]> {
    if (this.#isClosed) throw searchUnavailable();
    if (this.#overruns.has(caller) || this.#overruns.size >= MAX_OVERRUNS) throw previousRuns();
    const { clock, log, onDamaged } = this.#options;
    const thread = this.#idle.pop() ?? this.#start();
    const outcome = await Promise.race([this.#run(thread, query), clock.sleep(MAX_QUERY_MS).then(() => 'overrun')]);
    if (typeof outcome === 'string') {
      thread.worker.terminate();
      if (outcome === 'ended') throw searchUnavailable();
      log.warn({ milliseconds: MAX_QUERY_MS }, 'Search query took too long');
      this.#overruns.add(caller);
      void thread.ended.then(() => this.#overruns.delete(caller));
      throw searchTooSlow();
    }
    const isCurrent = thread.generation === this.#generation;
    if (isCurrent && !this.#isClosed && this.#idle.length < MAX_IDLE) this.#idle.push(thread);
    else thread.worker.terminate();
    if ('globalSeqs' in outcome) return outcome.globalSeqs;
    log.warn({ reason: outcome.message }, 'Search query failed');
    if (outcome.isDamaged && isCurrent) {
      this.reopen();
      onDamaged(outcome.message);
    }
    throw searchUnavailable();
  }

  /** Makes the following queries open the index again, because its file is being replaced. */
  reopen(): void {
    this.#generation += 1;
    for (const { worker } of this.#idle.splice(0)) worker.terminate();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const ended = [...this.#threads].map((thread) => thread.ended);
    for (const { worker } of this.#threads) worker.terminate();
    await Promise.all(ended);
  }

  #start(): QueryThread {
    const worker = new Worker(new URL('./query-worker.ts', import.meta.url).href);
    const thread = { worker, ended: workerEnd(worker), generation: this.#generation };
    this.#threads.add(thread);
    void thread.ended.then(() => {
      this.#threads.delete(thread);
      this.#idle = this.#idle.filter((idle) => idle !== thread);
    });
    return thread;
  }

  #run({ worker, ended }: QueryThread, query: SearchQuery): Promise<FromQueryWorker | 'ended'> {
    const { dataDir, databaseFile, log } = this.#options;
    const outcome = Promise.withResolvers<FromQueryWorker | 'ended'>();
    worker.onmessage = ({ data }: MessageEvent<FromQueryWorker>) => outcome.resolve(data);
    worker.onerror = ({ message }) => {
      log.error({ reason: message }, 'A search thread failed; the next search starts another one');
      outcome.resolve('ended');
    };
    void ended.then(() => outcome.resolve('ended'));
    worker.postMessage({ dataDir, databaseFile, query } satisfies ToQueryWorker);
    return outcome.promise;
  }
}

export function searchUnavailable(): AppError {
  return new AppError(
    'unavailable',
    'Search is temporarily unavailable. Everything else keeps working; try again in a moment.',
  );
}

function previousRuns(): AppError {
  return new AppError('unavailable', 'Your last search took too long and is still being stopped. Try again later.', {
    'retry-after': '5',
  });
}
