import type { ItemSearch } from '../store/item-search.ts';
import { SearchIndex } from '../store/search/search-index.ts';
import { DATABASE_FILE } from '../store/sqlite/open-store.ts';

/**
 * The real index over the data of a hub under test, without its thread: it is opened for each search, and has caught up
 * before it answers, so that no test has to wait for it.
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
