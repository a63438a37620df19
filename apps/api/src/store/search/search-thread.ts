import type { Clock, Log } from '../../ports.ts';
import { DATABASE_FILE } from '../sqlite/open-store.ts';
import { workerEnd } from '../worker-end.ts';
import type { FromSearchWorker, ToSearchWorker } from './search-worker.ts';

/** A post is in the search index about so many milliseconds after it was committed. */
const WAKE_AFTER_MS = 250;

export interface SearchThread {
  /** Says that items were committed. Costs nothing if it was said just now. */
  itemsCommitted(): void;
  /** Ends the thread. What is not indexed yet is at the next start. */
  close(): Promise<void>;
}

/** Starts the thread that keeps the search index. The database must be there and migrated. */
export function startSearchThread({ dataDir, clock, log }: { dataDir: string; clock: Clock; log: Log }): SearchThread {
  const worker = new Worker(new URL('./search-worker.ts', import.meta.url).href);
  const gone = workerEnd(worker);
  const send = (message: ToSearchWorker): void => worker.postMessage(message);
  let waking = false;
  const closed = new Promise<void>((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<FromSearchWorker>) => {
      if (data.type === 'failed')
        log.warn({ reason: data.message }, 'The search index could not be brought up to date');
      if (data.type === 'closed') resolve();
    };
    worker.onerror = (event) => {
      log.error({ reason: event.message }, 'The search index has stopped; posting goes on');
      resolve();
    };
  });
  send({ type: 'open', dataDir, databaseFile: DATABASE_FILE });

  return {
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
      await closed;
      worker.terminate();
      await gone;
    },
  };
}
