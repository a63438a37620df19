import type { Database } from 'bun:sqlite';

interface SearchEntry {
  rank: number;
  title: string | null;
  body: string;
}

export type SearchIndex = ReturnType<typeof createSearchIndex>;

/**
 * Collects what a batch has to index and writes it once, before the commit and outside the savepoints: FTS5 writes its
 * pending words to a new segment at every savepoint, which costs a third of all posts per second (docs/measurements.md).
 */
export function createSearchIndex(client: Database) {
  const insert = client.prepare('INSERT INTO items_search (rowid, title, body) VALUES (?, ?, ?)');
  let pending: SearchEntry[] = [];
  let savepoint = 0;

  return {
    add: (entry: SearchEntry): void => {
      pending.push(entry);
    },
    markSavepoint: (): void => {
      savepoint = pending.length;
    },
    rollbackToSavepoint: (): void => {
      pending.length = savepoint;
    },
    write: (): void => {
      for (const { rank, title, body } of pending) insert.run(rank, title, body);
      pending = [];
    },
    discard: (): void => {
      pending = [];
    },
  };
}
