import { Database } from 'bun:sqlite';
import { rmSync } from 'node:fs';
import { createPrivateFile } from '../sqlite/database.ts';

export const SEARCH_FILE = 'search.db';

/** Raised when the tables below change, or what is indexed: an index of another version is thrown away and built again. */
const VERSION = 7;

/** How far the index has come. */
export interface Position {
  /** The last item that it has read. */
  rank: number;
  /** The last of the items' changes (`touched_items`) that it has followed. */
  touched: number;
}

/** Opens the index, or makes an empty one. Throws if the file is damaged, of another version or of another history of the items. */
export function openSearchFile(file: string, { epoch, touched }: { epoch: string; touched: number }): Database {
  createPrivateFile(file);
  const index = new Database(file);
  try {
    index.exec('PRAGMA journal_mode = WAL');
    // A crash of the machine may take the last runs away, never half of one: they are read again.
    index.exec('PRAGMA synchronous = NORMAL');
    const version = index.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version;
    if (version === 0) create(index, epoch, touched);
    else if (version !== VERSION) throw new Error(`The search index is of version ${version}`);
    const known = index.query<{ epoch: string }, []>('SELECT epoch FROM position').get()?.epoch;
    if (known !== epoch) throw new Error('The search index is of another epoch');
    return index;
  } catch (error) {
    index.close(false);
    throw error;
  }
}

export function readPosition(index: Database): Position {
  const position = index.query<Position, []>('SELECT rank, touched FROM position').get();
  if (!position) throw new Error('The search index does not say how far it is');
  return position;
}

export function removeSearchFile(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
}

/** What has changed until now, an index that is built from now on reads as it is. */
function create(index: Database, epoch: string, touched: number): void {
  index.transaction(() => {
    index.exec('CREATE TABLE position (rank INTEGER NOT NULL, touched INTEGER NOT NULL, epoch TEXT NOT NULL)');
    index.query('INSERT INTO position VALUES (0, ?, ?)').run(touched, epoch);
    // Two or three letters begin thousands of words, which are in nearly every item: without lists of their own, to look for them
    // took 0.4 s among a million items. They double the file, and nearly the time that it takes to index an item.
    index.exec(
      `CREATE VIRTUAL TABLE items_search USING fts5(
         title, body, facets, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2", prefix='2 3')`,
    );
    // Room for a whole run of new words in memory, so that a run becomes one segment.
    index.exec("INSERT INTO items_search (items_search, rank) VALUES ('hashsize', 8388608)");
    index.exec(`PRAGMA user_version = ${VERSION}`);
  })();
}
