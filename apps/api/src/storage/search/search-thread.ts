import { AppError } from '../../core/errors.ts';
import type { Clock, Log } from '../../core/ports.ts';
import type { ItemSearch } from '../item-search.ts';
import { workerEnd } from '../sqlite/engine/worker-end.ts';
import { DATABASE_FILE } from '../sqlite/open-store.ts';
import type { FromSearchWorker, ToSearchWorker } from './search-worker.ts';

/** Posts are searchable about this many milliseconds after their commit. */
const WAKE_AFTER_MS = 250;
/** A query that gets no response within this many milliseconds is rejected as unavailable. */
const RESPONSE_WITHIN_MS = 5_000;

export interface SearchThread extends ItemSearch {
  /** Signals that items were committed. Costs nothing if the last signal was only a moment ago. */
  itemsCommitted(): void;
  /** Ends the thread. Items not indexed yet are indexed at the next start. */
  close(): Promise<void>;
}

interface Waiting {
  resolve: (ranks: number[]) => void;
  reject: (error: Error) => void;
}

/** Starts the thread that maintains the search index. The database must exist and be migrated. */
export function startSearchThread({ dataDir, clock, log }: { dataDir: string; clock: Clock; log: Log }): SearchThread {
  const worker = new Worker(new URL('./search-worker.ts', import.meta.url).href);
  const gone = workerEnd(worker);
  const send = (message: ToSearchWorker): void => worker.postMessage(message);
  const waiting = new Map<number, Waiting>();
  const closed = Promise.withResolvers<void>();
  let lastId = 0;
  let waking = false;
  let isGone = false;

  const settle = (id: number, action: (caller: Waiting) => void): void => {
    const caller = waiting.get(id);
    waiting.delete(id);
    if (caller) action(caller);
  };
  const end = (): void => {
    isGone = true;
    for (const id of [...waiting.keys()]) settle(id, ({ reject }) => reject(noResponse()));
    closed.resolve();
  };
  worker.onmessage = ({ data }: MessageEvent<FromSearchWorker>) => {
    if (data.type === 'found') settle(data.id, ({ resolve }) => resolve(data.ranks));
    if (data.type === 'not_searched') {
      log.warn({ reason: data.message }, 'Search query failed');
      settle(data.id, ({ reject }) => reject(noResponse()));
    }
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

  return {
    find: (query) => {
      if (isGone) return Promise.reject(noResponse());
      lastId += 1;
      const id = lastId;
      const response = new Promise<number[]>((resolve, reject) => waiting.set(id, { resolve, reject }));
      void clock.sleep(RESPONSE_WITHIN_MS).then(() => settle(id, ({ reject }) => reject(noResponse())));
      send({ type: 'find', id, query });
      return response;
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
      await closed.promise;
      worker.terminate();
      await gone;
    },
  };
}

function noResponse(): AppError {
  return new AppError(
    'unavailable',
    'Search is temporarily unavailable. Everything else keeps working; try again in a moment.',
  );
}
