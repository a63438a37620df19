import { Database } from 'bun:sqlite';
import { rmSync } from 'node:fs';
import { createPrivateFile } from '../sqlite/engine/private-file.ts';

export const SEARCH_FILE = 'search.db';

/** Increased when the tables below or the indexed content change: an index of another version is rebuilt. */
const VERSION = 10;

export interface Position {
  globalSeq: number;
  /** The number of the last change that the index includes (`touched_items`). */
  touched: number;
}

/** Opens the index, or creates an empty one. Throws if it is damaged, or of another version or history of the items. */
export function openSearchFile(file: string, { epoch, touched }: { epoch: string; touched: number }): Database {
  createPrivateFile(file);
  const index = new Database(file);
  try {
    index.exec('PRAGMA journal_mode = WAL');
    // A machine crash can lose the last runs, but never half of one. Lost runs are indexed again.
    index.exec('PRAGMA synchronous = NORMAL');
    const version = index.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version;
    if (version === 0) create(index, epoch, touched);
    else if (version !== VERSION) throw new Error(`The search index has version ${version}`);
    const known = index.query<{ epoch: string }, []>('SELECT epoch FROM position').get()?.epoch;
    if (known !== epoch) throw new Error('The search index has another epoch');
    return index;
  } catch (error) {
    index.close(false);
    throw error;
  }
}

export function readPosition(index: Database): Position {
  const position = index.query<Position, []>('SELECT global_seq AS globalSeq, touched FROM position').get();
  if (!position) throw new Error('The search index has no position');
  return position;
}

export function removeSearchFile(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
}

function create(index: Database, epoch: string, touched: number): void {
  index.transaction(() => {
    index.exec('CREATE TABLE position (global_seq INTEGER NOT NULL, touched INTEGER NOT NULL, epoch TEXT NOT NULL)');
    index.query('INSERT INTO position VALUES (0, ?, ?)').run(touched, epoch);
    // Hundreds of words begin with the same three letters, and most items contain one of them: without these lists,
    // such a search would take a few tenths of a second with a million items.
    index.exec(
      `CREATE VIRTUAL TABLE items_search USING fts5(
         title, body, facets, content='', contentless_delete=1, prefix='3',
         tokenize="unicode61 remove_diacritics 0 categories 'L* N* M* Co'")`,
    );
    // Enough memory for all new words in a run, so that each run becomes one segment.
    index.exec("INSERT INTO items_search (items_search, rank) VALUES ('hashsize', 16777216)");
    // Merging segments is the largest cost. Eight at a time, not four, take a quarter off the time to index an item.
    index.exec("INSERT INTO items_search (items_search, rank) VALUES ('automerge', 8)");
    index.exec(`PRAGMA user_version = ${VERSION}`);
  })();
}
