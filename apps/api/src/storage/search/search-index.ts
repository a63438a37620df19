import { Database } from 'bun:sqlite';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDamage, isStorageError } from '../engine/storage-error.ts';
import { createPrivateFile } from '../sqlite/engine/private-file.ts';
import { type FollowedItem, FollowedItems, type Position } from './followed-items.ts';
import { columnsOf } from './fts-query.ts';

/** Items per transaction: FTS5 writes a segment for each, and merging many small ones is the largest cost. */
const RUN_ITEMS = 512;

export interface SearchIndexOptions {
  dataDir: string;
  databaseFile: string;
  onDamaged?: (reason: string) => void;
  /** Called before the file of the index is replaced. Its readers must open it again. */
  onReplace?: () => void;
}

/**
 * Writes the full-text index, in a separate file. It stores its position in the same transaction as each update, and
 * can be rebuilt from the items at any time: so its commits need not be flushed, and it is deleted if it is damaged or
 * predates a restore.
 *
 * Accents are ignored. Besides its words, an item has facets: its Hub, kind, author and key, so that a query can be
 * limited to them.
 */
export class SearchIndex {
  readonly #items: FollowedItems;
  readonly #file: string;
  readonly #onDamaged: (reason: string) => void;
  readonly #onReplace: () => void;
  #index: Database;
  /** Whether it could not be rebuilt, such as on a full disk. Only a new one can be used then. */
  isClosed = false;

  constructor({ dataDir, databaseFile, onDamaged = () => {}, onReplace = () => {} }: SearchIndexOptions) {
    this.#items = new FollowedItems(join(dataDir, databaseFile));
    this.#file = join(dataDir, SEARCH_FILE);
    this.#onDamaged = onDamaged;
    this.#onReplace = onReplace;
    try {
      this.#index = this.#openOrRebuild();
    } catch (error) {
      this.#items.close();
      throw error;
    }
  }

  #openOrRebuild(): Database {
    try {
      return this.#open();
    } catch (error) {
      // Neither a full disk nor a lock means damage, and rebuilding takes much longer than waiting.
      if (isStorageError(error) && !isDamage(error)) throw error;
      // The index is damaged, or has another version or item history: everything in it can be rebuilt.
      return this.#rebuild();
    }
  }

  /** Indexes one run of new and changed items. Returns whether there may be more. */
  followRun(): boolean {
    if (this.#items.hasLost(this.#position())) this.#startOver();
    const position = this.#position();
    const added = this.#items.addedAfter(position.globalSeq, RUN_ITEMS);
    const touched = this.#items.touchedAfter(position.touched, RUN_ITEMS);
    if (added.length === 0 && touched.length === 0) return false;
    const reached = {
      globalSeq: added.at(-1)?.globalSeq ?? position.globalSeq,
      touched: touched.at(-1)?.id ?? position.touched,
    };
    // Changed items beyond the position will be indexed in their current state.
    const changed = [
      ...new Set(touched.map(({ globalSeq }) => globalSeq).filter((globalSeq) => globalSeq <= reached.globalSeq)),
    ];
    const present = this.#items.read(changed);
    this.#inIndex(() => this.#write({ added, changed, present, reached }));
    return added.length === RUN_ITEMS || touched.length === RUN_ITEMS;
  }

  /** Starts the index over because a reader found it damaged; the next run begins to rebuild it. */
  replaceDamaged(reason: string): void {
    this.#startOver();
    this.#onDamaged(reason);
  }

  close(): void {
    if (this.isClosed) return;
    this.#items.close();
    this.#index.close(false);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #position(): Position {
    return this.#inIndex(() => readPosition(this.#index));
  }

  /** Deletes an index that turns out to be damaged; the next run begins to rebuild it. */
  #inIndex<T>(use: () => T): T {
    try {
      return use();
    } catch (error) {
      if (isDamage(error)) {
        this.replaceDamaged((error as Error).message);
      }
      throw error;
    }
  }

  #startOver(): void {
    this.#index.close(false);
    try {
      this.#index = this.#rebuild();
    } catch (error) {
      this.isClosed = true;
      this.#items.close();
      throw error;
    }
  }

  #write(run: {
    added: readonly FollowedItem[];
    changed: readonly number[];
    present: readonly FollowedItem[];
    reached: Position;
  }): void {
    const insert = this.#index.query('INSERT INTO items_search (rowid, title, body, facets) VALUES (?, ?, ?, ?)');
    const remove = this.#index.query('DELETE FROM items_search WHERE rowid = ?');
    const put = (item: FollowedItem): void => {
      if (item.deletedAt !== null) return;
      const { title, body, facets } = columnsOf(item);
      insert.run(item.globalSeq, title, body, facets);
    };
    this.#index.transaction(() => {
      for (const item of run.added) put(item);
      for (const globalSeq of run.changed) remove.run(globalSeq);
      for (const item of run.present) put(item);
      this.#index
        .query('UPDATE position SET global_seq = ?, touched = ?')
        .run(run.reached.globalSeq, run.reached.touched);
    })();
  }

  #open(): Database {
    const index = openSearchFile(this.#file, { epoch: this.#items.epoch(), touched: this.#items.lastTouched() });
    try {
      if (!this.#items.hasLost(readPosition(index))) return index;
      throw new Error('The search index belongs to other items');
    } catch (error) {
      index.close(false);
      throw error;
    }
  }

  #rebuild(): Database {
    this.#onReplace();
    removeSearchFile(this.#file);
    return this.#open();
  }
}

export const SEARCH_FILE = 'search.db';

/** Increased when the tables below or the indexed content change: an index of another version is rebuilt. */
const VERSION = 10;

/** Opens the index, or creates an empty one. Throws if it is damaged, or of another version or history of the items. */
function openSearchFile(file: string, { epoch, touched }: { epoch: string; touched: number }): Database {
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

function readPosition(index: Database): Position {
  const position = index.query<Position, []>('SELECT global_seq AS globalSeq, touched FROM position').get();
  if (!position) throw new Error('The search index has no position');
  return position;
}

function removeSearchFile(file: string): void {
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
