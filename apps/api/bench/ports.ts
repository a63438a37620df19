import type { Clock, Log, Random } from '../src/platform/ports.ts';
import type { ItemSearch } from '../src/storage/store.ts';

export const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms) => Bun.sleep(ms),
  sinceBoot: () => null,
};

export const random: Random = { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) };

const silent = (): void => {};
export const log: Log = { debug: silent, info: silent, warn: silent, error: console.error };

/** Used while a data folder is filled, which needs no search: the server that opens the folder builds the index. */
export const noSearch: ItemSearch = {
  find: () => Promise.reject(new Error('Search is not available while a folder is filled')),
};
