import type { Clock, Log } from '../../platform/ports.ts';
import type { ItemSearch } from '../item-search.ts';
import { workerEnd } from '../sqlite/engine/worker-end.ts';
import { DATABASE_FILE } from '../sqlite/open-store.ts';
import { QueryThreads, searchUnavailable } from './query-threads.ts';
import type { FromSearchWorker, ToSearchWorker } from './search-worker.ts';

/** Posts are searchable about this many milliseconds after their commit. */
const WAKE_AFTER_MS = 250;
/** How long a query waits for the index to catch up. After that, it uses the index as it is. */
const CATCH_UP_WITHIN_MS = 200;
const CLOSE_WITHIN_MS = 1_000;

export interface SearchThread extends ItemSearch {
  /** Signals that items were committed. Costs nothing if the last signal was only a moment ago. */
  itemsCommitted(): void;
  /** Resolves when the threads have ended, or after a second. Items not indexed yet are indexed at the next start. */
  close(): Promise<void>;
}

/** Starts the thread that maintains the index of a migrated database. Queries run on threads of their own. */
export function startSearchThread({ dataDir, clock, log }: { dataDir: string; clock: Clock; log: Log }): SearchThread {
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
    find: async (query, caller) => {
      if (!isGone) await catchUp();
      if (isGone) throw searchUnavailable();
      return queries.find(query, caller);
    },
    itemsCommitted: () => {
      if (waking) return;
      waking = true;
      void clock.sleep(WAKE_AFTER_MS).then(() => {
        waking = false;
        send({ type: 'wake' });
      });
    },
    close: async () => {
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
