import type { ItemSearch } from '../storage/item-search.ts';
import { SearchIndex } from '../storage/search/search-index.ts';
import { DATABASE_FILE } from '../storage/sqlite/open-store.ts';

/**
 * Searches the data of a test server with the real index but without its thread: the index is opened and updated for
 * each search, so no test has to wait for it.
 */
export function inlineSearch(dataDir: string): ItemSearch {
  return {
    find: async (query) => {
      const index = new SearchIndex({ dataDir, databaseFile: DATABASE_FILE, monotonic: () => performance.now() });
      try {
        while (index.followRun());
        return index.find(query);
      } finally {
        index.close();
      }
    },
  };
}
