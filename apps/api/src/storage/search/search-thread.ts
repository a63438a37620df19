import { AppError } from '../../platform/errors.ts';
import type { Clock, Log } from '../../platform/ports.ts';
import { workerEnd } from '../sqlite/engine/worker-end.ts';
import { DATABASE_FILE } from '../sqlite/open-store.ts';
import { type SearchQuery, searchTooSlow } from '../store.ts';
import type { FromQueryWorker, ToQueryWorker } from './query-worker.ts';
import type { FromSearchWorker, ToSearchWorker } from './search-worker.ts';

/** Posts are searchable about this many milliseconds after their commit. */
const WAKE_AFTER_MS = 250;
/** How long a query waits for the index to catch up. After that, it uses the index as it is. */
const CATCH_UP_WITHIN_MS = 200;
const CLOSE_WITHIN_MS = 1_000;

export type SearchThread = ReturnType<typeof startSearchThread>;

/** Starts the thread that maintains the index of a migrated database. Queries run on threads of their own. */
export function startSearchThread({ dataDir, clock, log }: { dataDir: string; clock: Clock; log: Log }) {
  const worker = new Worker(new URL('./search-worker.ts', import.meta.url).href);
  const gone = workerEnd(worker);
  const send = (message: ToSearchWorker): void => worker.postMessage(message);
  const onDamaged = (reason: string): void => send({ type: 'replace', reason });
  const queries = new QueryThreads({ dataDir, databaseFile: DATABASE_FILE, clock, log, onDamaged });
  const catchingUp = new Map<number, () => void>();
  const closed = Promise.withResolvers<void>();
  let lastId = 0;
  let waking = false;
  let isGone = false;

  const end = (): void => {
    isGone = true;
    for (const resume of catchingUp.values()) resume();
    closed.resolve();
  };
  worker.onmessage = ({ data }: MessageEvent<FromSearchWorker>) => {
    if (data.type === 'caught_up') catchingUp.get(data.id)?.();
    if (data.type === 'replacing') queries.reopen();
    if (data.type === 'failed') log.warn({ reason: data.message }, 'Search index update failed');
    if (data.type === 'damaged')
      log.error({ reason: data.message }, 'The search index was damaged and is being rebuilt');
    if (data.type === 'closed') end();
  };
  worker.onerror = (event) => {
    log.error({ reason: event.message }, 'The search index thread ended; posting is not affected');
    end();
  };
  send({ type: 'open', dataDir, databaseFile: DATABASE_FILE });

  const catchUp = async (): Promise<void> => {
    lastId += 1;
    const id = lastId;
    const caughtUp = new Promise<void>((resolve) => catchingUp.set(id, resolve));
    send({ type: 'catch_up', id });
    await Promise.race([caughtUp, clock.sleep(CATCH_UP_WITHIN_MS)]);
    catchingUp.delete(id);
  };

  return {
    find: async (query: SearchQuery, caller: string): Promise<number[]> => {
      if (!isGone) await catchUp();
      if (isGone) throw searchUnavailable();
      return queries.find(query, caller);
    },
    /** Signals that items were committed. Costs nothing if the last signal was only a moment ago. */
    itemsCommitted: (): void => {
      if (waking) return;
      waking = true;
      void clock.sleep(WAKE_AFTER_MS).then(() => {
        waking = false;
        send({ type: 'wake' });
      });
    },
    /** Resolves when the threads have ended, or after a second. Items not indexed yet are indexed at the next start. */
    close: async (): Promise<void> => {
      send({ type: 'close' });
      const indexEnded = closed.promise.then(() => {
        worker.terminate();
        return gone;
      });
      const ended = Promise.all([indexEnded, queries.close()]);
      // A run that takes longer is lost, and repeated at the next start.
      await Promise.race([ended, clock.sleep(CLOSE_WITHIN_MS)]);
      isGone = true;
      worker.terminate();
    },
  };
}

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
class QueryThreads {
  readonly #threads = new Set<QueryThread>();
  #idle: QueryThread[] = [];
  /** The callers whose last query took too long and still runs. */
  readonly #overruns = new Set<string>();
  /** Increased when the file of the index is replaced. */
  #generation = 0;
  #isClosed = false;

  constructor(private readonly options: QueryThreadsOptions) {}

  /** Runs a query on a thread of its own. The use case limits how many run at the same time. */
  async find(query: SearchQuery, caller: string): Promise<number[]> {
    if (this.#isClosed) throw searchUnavailable();
    if (this.#overruns.has(caller) || this.#overruns.size >= MAX_OVERRUNS) throw previousRuns();
    const { clock, log, onDamaged } = this.options;
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
    const { dataDir, databaseFile, log } = this.options;
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

function searchUnavailable(): AppError {
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
