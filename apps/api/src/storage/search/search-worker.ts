/** The thread that maintains the search index, so that indexing does not block the event loop of requests. */
import { constants, setPriority } from 'node:os';
import { SearchIndex, type SearchIndexOptions } from './search-index.ts';

declare const self: Worker;

export type ToSearchWorker =
  | { type: 'open'; dataDir: string; databaseFile: string }
  | { type: 'wake' }
  | { type: 'catch_up'; id: number }
  | { type: 'replace'; reason: string }
  | { type: 'close' };
export type FromSearchWorker =
  | { type: 'caught_up'; id: number }
  | { type: 'replacing' }
  | { type: 'failed'; message: string }
  | { type: 'damaged'; message: string }
  | { type: 'closed' };

/** How long a query first lets the index catch up, so that items posted just before the query are found. */
const CATCH_UP_MS = 100;
/** Posts are assumed to be arriving if the last wake-up was less than this long ago: twice the wake-up interval. */
const FLOOD_MS = 500;

// Linux gives each thread its own priority: requests come before the index.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

let options: SearchIndexOptions | undefined;
let index: SearchIndex | undefined;
let following = false;
let closing = false;
let wokenAt = Number.NEGATIVE_INFINITY;

const monotonic = (): number => performance.now();
const report = (message: FromSearchWorker): void => self.postMessage(message);
const onDamaged = (message: string): void => {
  report({ type: 'damaged', message });
  // Searches need the rebuilt index, so do not wait for the next post.
  setImmediate(() => void follow());
};
const onReplace = (): void => report({ type: 'replacing' });
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

self.onmessage = ({ data }: MessageEvent<ToSearchWorker>) => {
  if (data.type === 'open') options = { dataDir: data.dataDir, databaseFile: data.databaseFile, onDamaged, onReplace };
  if (data.type === 'close') closing = true;
  if (data.type === 'wake') wokenAt = monotonic();
  if (data.type === 'catch_up') {
    catchUp();
    report({ type: 'caught_up', id: data.id });
  } else if (data.type === 'replace') replace(data.reason);
  else void follow();
};

/** Opens the index unless it is already open. Earlier attempts may have failed, for example because of a full disk. */
function openIndex(): SearchIndex {
  if (!options) throw new Error('The search thread has not received its data folder');
  if (!index || index.isClosed) index = new SearchIndex(options);
  return index;
}

/** If catching up fails, queries use the index as it is; the next wake-up tries again. */
function catchUp(): void {
  const end = monotonic() + CATCH_UP_MS;
  try {
    const opened = openIndex();
    while (opened.followRun() && monotonic() < end);
  } catch (error) {
    report({ type: 'failed', message: messageOf(error) });
  }
}

function replace(reason: string): void {
  try {
    openIndex().replaceDamaged(reason);
  } catch (error) {
    report({ type: 'failed', message: messageOf(error) });
  }
}

/** Indexes pending items. While posts arrive, it pauses for ten times as long as each run: they come first. */
async function follow(): Promise<void> {
  if (following) return;
  following = true;
  try {
    let more = true;
    while (more && !closing) {
      const start = monotonic();
      more = openIndex().followRun();
      const worked = monotonic() - start;
      if (more) await Bun.sleep(worked * (monotonic() - wokenAt < FLOOD_MS ? 10 : 1));
    }
  } catch (error) {
    // For example, a full disk. The next wake-up continues from the same position.
    report({ type: 'failed', message: messageOf(error) });
  }
  following = false;
  if (closing) {
    index?.close();
    report({ type: 'closed' });
  }
}
