import { Database } from 'bun:sqlite';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { blocksToText } from '@hub/contract/blocks/blocks-to-text';
import { createPrivateFile } from '../sqlite/database.ts';

export const SEARCH_FILE = 'search.db';

/** Raised when the table below changes: an index of another version is thrown away and built again. */
const VERSION = 2;

/** So many items make one transaction: FTS5 writes a segment for each, and merging many small ones costs the most. */
const RUN_ITEMS = 256;

interface Row {
  rank: number;
  title: string | null;
  body: string | null;
  blocks: string | null;
}

/**
 * The full-text index, in a file of its own beside the database. It follows the items: it knows up to which rank it has
 * read them, in the same transaction as what it read. All of it can be built again from the items, so its commits need not
 * wait for the disk, a backup need not hold it, and a damaged one, or one that stayed when a backup was put in the place
 * of the database, is thrown away. It opens the database for reading only.
 *
 * Diacritics fold, so that "resume" finds "résumé". The words are in the index, the text stays with the items.
 */
export class SearchIndex {
  readonly #items: Database;
  readonly #index: Database;

  constructor(dataDir: string, databaseFile: string) {
    this.#items = new Database(join(dataDir, databaseFile), { readonly: true });
    const epoch = this.#items.query<{ epoch: string }, []>('SELECT epoch FROM workspace').get()?.epoch ?? '';
    const last = this.#items.query<{ rank: number | null }, []>('SELECT max(rank) AS rank FROM items').get()?.rank ?? 0;
    const file = join(dataDir, SEARCH_FILE);
    try {
      this.#index = open(file, epoch);
      if (this.#position() > last) throw new Error('The search index is ahead of the items');
    } catch {
      // Damaged, of another version, or of another history of the items: nothing in it cannot be had again.
      for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
      this.#index = open(file, epoch);
    }
  }

  /** Reads one run of items that are not in the index yet. Returns whether there may be more. */
  followRun(): boolean {
    const rows = this.#items
      .query<Row, [number]>('SELECT rank, title, body, blocks FROM items WHERE rank > ? ORDER BY rank LIMIT 256')
      .all(this.#position());
    const last = rows.at(-1);
    if (!last) return false;
    const insert = this.#index.query('INSERT INTO items_search (rowid, title, body) VALUES (?, ?, ?)');
    const advance = this.#index.query('UPDATE position SET rank = ?');
    this.#index.transaction(() => {
      for (const row of rows) insert.run(row.rank, row.title, readableText(row));
      advance.run(last.rank);
    })();
    return rows.length === RUN_ITEMS;
  }

  /** The ranks of the items that hold all these words, newest first. `words` are taken literally. */
  find(words: readonly string[], limit: number): number[] {
    if (words.length === 0) return [];
    const phrases = words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' ');
    return this.#index
      .query<{ rank: number }, [string, number]>(
        'SELECT rowid AS rank FROM items_search WHERE items_search MATCH ? ORDER BY rowid DESC LIMIT ?',
      )
      .all(phrases, limit)
      .map(({ rank }) => rank);
  }

  close(): void {
    this.#items.close(false);
    this.#index.close(false);
  }

  #position(): number {
    return this.#index.query<{ rank: number }, []>('SELECT rank FROM position').get()?.rank ?? 0;
  }
}

function open(file: string, epoch: string): Database {
  createPrivateFile(file);
  const index = new Database(file);
  try {
    index.exec('PRAGMA journal_mode = WAL');
    // A crash of the machine may take the last runs away, never half of one: they are read again.
    index.exec('PRAGMA synchronous = NORMAL');
    const version = index.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version;
    if (version === 0) create(index, epoch);
    else if (version !== VERSION) throw new Error(`The search index is of version ${version}`);
    const known = index.query<{ epoch: string }, []>('SELECT epoch FROM position').get()?.epoch;
    if (known !== epoch) throw new Error('The search index is of another epoch');
    return index;
  } catch (error) {
    index.close(false);
    throw error;
  }
}

function create(index: Database, epoch: string): void {
  index.transaction(() => {
    index.exec('CREATE TABLE position (rank INTEGER NOT NULL, epoch TEXT NOT NULL)');
    index.query('INSERT INTO position VALUES (0, ?)').run(epoch);
    index.exec(
      `CREATE VIRTUAL TABLE items_search USING fts5(
         title, body, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2")`,
    );
    // Room for a whole run of new words in memory, so that a run becomes one segment.
    index.exec("INSERT INTO items_search (items_search, rank) VALUES ('hashsize', 8388608)");
    index.exec(`PRAGMA user_version = ${VERSION}`);
  })();
}

/** What a reader sees of an item, as plain text. */
function readableText({ body, blocks }: Row): string {
  return blocks === null ? (body ?? '') : blocksToText(JSON.parse(blocks));
}
