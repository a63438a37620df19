/**
 * The thread that keeps the search index, so that neither indexing nor a hard query ever stops the event loop that
 * answers requests. It is told the data folder once, and then to wake whenever items were committed.
 */
import { constants, setPriority } from 'node:os';
import { SearchIndex } from './search-index.ts';

declare const self: Worker;

export type ToSearchWorker =
  | { type: 'open'; dataDir: string; databaseFile: string }
  | { type: 'wake' }
  | { type: 'close' };
export type FromSearchWorker = { type: 'followed' } | { type: 'failed'; message: string } | { type: 'closed' };

// Linux gives each thread a priority of its own: whoever waits for an answer comes before the index.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

let index: SearchIndex | undefined;
let following = false;
let closing = false;

const tell = (message: FromSearchWorker): void => self.postMessage(message);

self.onmessage = ({ data }: MessageEvent<ToSearchWorker>) => {
  if (data.type === 'open') index = new SearchIndex(data.dataDir, data.databaseFile);
  if (data.type === 'close') closing = true;
  void follow();
};

/**
 * Follows the items to their end. After each run it rests three times as long as it worked, so that a flood of posts gets the
 * processor first and is indexed when it has passed.
 */
async function follow(): Promise<void> {
  if (following) return;
  following = true;
  try {
    let more = true;
    while (more && !closing) {
      const start = performance.now();
      more = index?.followRun() ?? false;
      if (more) await Bun.sleep(3 * (performance.now() - start));
    }
    tell({ type: 'followed' });
  } catch (error) {
    // A full disk, for example. The next wake tries again from where it stood.
    tell({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
  following = false;
  if (closing) {
    index?.close();
    tell({ type: 'closed' });
  }
}
