/** A thread that runs search queries, one after another, and can be ended at any time. */
import { constants, setPriority } from 'node:os';
import { isDamage } from '../engine/storage-error.ts';
import type { SearchQuery } from '../store.ts';
import { SearchReader } from './search-reader.ts';

declare const self: Worker;

export interface ToQueryWorker {
  dataDir: string;
  databaseFile: string;
  query: SearchQuery;
}
export type FromQueryWorker = { globalSeqs: number[] } | { message: string; isDamaged: boolean };

// Linux gives each thread its own priority: requests come before searches.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

let reader: SearchReader | undefined;

self.onmessage = ({ data: { query, ...files } }: MessageEvent<ToQueryWorker>) => {
  self.postMessage(outcomeOf(query, files));
};

function outcomeOf(query: SearchQuery, files: Omit<ToQueryWorker, 'query'>): FromQueryWorker {
  try {
    reader ??= new SearchReader({ ...files, monotonic: () => performance.now() });
    return { globalSeqs: reader.find(query) };
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error), isDamaged: isDamage(error) };
  }
}
