/**
 * The thread that keeps the search index, so that neither indexing nor a hard query ever stops the event loop that
 * answers requests. It is told the data folder once, and then to wake whenever items were committed.
 */
import { constants, setPriority } from 'node:os';
import type { SearchQuery } from '../item-search.ts';
import { SearchIndex, type SearchIndexOptions } from './search-index.ts';

declare const self: Worker;

export type ToSearchWorker =
  | { type: 'open'; dataDir: string; databaseFile: string }
  | { type: 'wake' }
  | { type: 'find'; id: number; query: SearchQuery }
  | { type: 'close' };
export type FromSearchWorker =
  | { type: 'found'; id: number; ranks: number[] }
  | { type: 'not_searched'; id: number; message: string }
  | { type: 'failed'; message: string }
  | { type: 'damaged'; message: string }
  | { type: 'closed' };

/** For so long a query lets the index catch up first, so that it finds what was posted just before it. */
const CATCH_UP_MS = 100;

// Linux gives each thread a priority of its own: whoever waits for an answer comes before the index.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

let options: SearchIndexOptions | undefined;
let index: SearchIndex | undefined;
let following = false;
let closing = false;

const monotonic = (): number => performance.now();
const report = (message: FromSearchWorker): void => self.postMessage(message);
const onDamaged = (message: string): void => {
  report({ type: 'damaged', message });
  // Whoever searches waits for the items to come back; nobody needs to post for that.
  setImmediate(() => void follow());
};
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

self.onmessage = ({ data }: MessageEvent<ToSearchWorker>) => {
  if (data.type === 'open') options = { dataDir: data.dataDir, databaseFile: data.databaseFile, monotonic, onDamaged };
  if (data.type === 'close') closing = true;
  if (data.type === 'find') find(data.id, data.query);
  else void follow();
};

/** A disk that was full when it was opened first may have room by now. */
function openIndex(): SearchIndex {
  if (!options) throw new Error('The search was not told where its files are');
  index ??= new SearchIndex(options);
  return index;
}

function find(id: number, query: SearchQuery): void {
  try {
    const opened = openIndex();
    catchUp(opened);
    report({ type: 'found', id, ranks: opened.find(query) });
  } catch (error) {
    report({ type: 'not_searched', id, message: messageOf(error) });
  }
}

/** What cannot be read now is read at the next wake: the query finds what the index has. */
function catchUp(opened: SearchIndex): void {
  const end = monotonic() + CATCH_UP_MS;
  try {
    while (opened.followRun() && monotonic() < end);
  } catch (error) {
    report({ type: 'failed', message: messageOf(error) });
  }
}

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
      const start = monotonic();
      more = openIndex().followRun();
      if (more) await Bun.sleep(3 * (monotonic() - start));
    }
  } catch (error) {
    // A full disk, for example. The next wake tries again from where it stood.
    report({ type: 'failed', message: messageOf(error) });
  }
  following = false;
  if (closing) {
    index?.close();
    report({ type: 'closed' });
  }
}
