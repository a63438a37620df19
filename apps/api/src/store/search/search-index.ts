import type { Database } from 'bun:sqlite';
import { join } from 'node:path';
import type { SearchQuery } from '../item-search.ts';
import { isDamage, isStorageError } from '../sqlite/storage-error.ts';
import { type FollowedItem, FollowedItems } from './followed-items.ts';
import { columnsOf, ftsExpression } from './fts-query.ts';
import { openSearchFile, type Position, readPosition, removeSearchFile, SEARCH_FILE } from './search-file.ts';

/** So many items make one transaction: FTS5 writes a segment for each, and merging many small ones costs the most. */
const RUN_ITEMS = 256;

/**
 * FTS5 looks at every Hub that a query names at each step. So a few are named; of more, it is first looked into the newest finds,
 * of which some are mostly in one of them, and they are named if not.
 */
const FEW_HUBS = 100;
const LOOKS_BEFORE_NAMED = 2;
/** To name more than these takes longer than to look into all that is found. */
const MAX_HUBS_NAMED = 1_000;
/** Where some of them cannot be read: how many finds are looked at together, and for how long at most. */
const FINDS_AT_A_TIME = 1_000;
const MAX_FIND_MS = 5_000;
/** A clock that is corrected by more than this leaves ranks that are not in the order of time. */
const CLOCK_SLACK_MS = 3_600_000;

export interface SearchIndexOptions {
  dataDir: string;
  databaseFile: string;
  monotonic: () => number;
  /** Told why, when the index was found damaged and is built again. */
  onDamaged?: (reason: string) => void;
}

/**
 * The full-text index, in a file of its own beside the database. It follows the items and their changes: it knows how far it
 * has read both, in the same transaction as what it read. All of it can be built again from the items, so its commits
 * need not wait for the disk, a backup need not hold it, and a damaged one, or one that stayed when a backup was put in
 * the place of the database, is thrown away.
 *
 * Diacritics fold, so that "resume" finds "résumé". The words are in the index, the text stays with the items. Beside its
 * words an item has facets: its Hub, kind, author and key, so that a query finds only where it may look.
 */
export class SearchIndex {
  readonly #items: FollowedItems;
  readonly #file: string;
  readonly #monotonic: () => number;
  readonly #onDamaged: (reason: string) => void;
  #index: Database;

  constructor({ dataDir, databaseFile, monotonic, onDamaged = () => {} }: SearchIndexOptions) {
    this.#items = new FollowedItems(join(dataDir, databaseFile));
    this.#file = join(dataDir, SEARCH_FILE);
    this.#monotonic = monotonic;
    this.#onDamaged = onDamaged;
    try {
      this.#index = this.#open();
    } catch (error) {
      // A full disk or a lock says nothing against the index, and to build it again takes much longer than to wait.
      if (isStorageError(error) && !isDamage(error)) throw error;
      // Damaged, of another version, or of another history of the items: nothing in it cannot be had again.
      this.#index = this.#openAnew();
    }
  }

  /** Reads one run of items, and of changes of items, that are not in the index yet. Returns whether there may be more. */
  followRun(): boolean {
    if (this.#items.hasLost(this.#position())) this.#startOver();
    const position = this.#position();
    const added = this.#items.addedAfter(position.rank, RUN_ITEMS);
    const touched = this.#items.touchedAfter(position.touched, RUN_ITEMS);
    if (added.length === 0 && touched.length === 0) return false;
    const reached = { rank: added.at(-1)?.rank ?? position.rank, touched: touched.at(-1)?.id ?? position.touched };
    // What lies beyond will be read as it is by then.
    const changed = [...new Set(touched.map(({ rank }) => rank).filter((rank) => rank <= reached.rank))];
    const present = this.#items.read(changed);
    this.#inIndex(() => this.#write({ added, changed, present, reached }));
    return added.length === RUN_ITEMS || touched.length === RUN_ITEMS;
  }

  /**
   * The ranks of the items that hold all the words, newest first. What was deleted is not among them, also if that has not been
   * followed yet: a removal may take thousands at once.
   */
  find(query: SearchQuery): number[] {
    const { words, hubIds, beforeRank, limit, from = 0, to = Number.MAX_SAFE_INTEGER } = query;
    if (words.length === 0 || hubIds.length === 0) return [];
    let areNamed = hubIds.length <= FEW_HUBS;
    let expression = ftsExpression(query, areNamed ? hubIds : null);
    const readable = { hubIds: JSON.stringify(hubIds), from, to, status: query.status ?? null };
    const deadline = this.#monotonic() + MAX_FIND_MS;
    const found: number[] = [];
    // Which of them were made in this time, to the millisecond, is judged by the items themselves.
    const least = query.from === undefined ? 0 : this.#items.rankAt(from - CLOCK_SLACK_MS);
    const most = query.to === undefined ? Number.MAX_SAFE_INTEGER : this.#items.rankAt(to + CLOCK_SLACK_MS);
    let before = Math.min(beforeRank ?? Number.MAX_SAFE_INTEGER, most);
    let atATime = areNamed ? limit : FINDS_AT_A_TIME;
    for (let looks = 1; found.length < limit; looks += 1) {
      const some = this.#inIndex(() => this.#match(expression, { least, before, limit: atATime }));
      const shown = this.#items.present(some, readable);
      found.push(...some.filter((rank) => shown.has(rank)));
      if (some.length < atATime) break;
      if (this.#monotonic() > deadline) throw new Error('The search took too long');
      before = some.at(-1) ?? 0;
      atATime = FINDS_AT_A_TIME;
      if (areNamed || looks < LOOKS_BEFORE_NAMED || hubIds.length > MAX_HUBS_NAMED) continue;
      areNamed = true;
      expression = ftsExpression(query, hubIds);
    }
    return found.slice(0, limit);
  }

  close(): void {
    this.#items.close();
    this.#index.close(false);
  }

  #position(): Position {
    return this.#inIndex(() => readPosition(this.#index));
  }

  /** Throws away an index that turns out to be damaged; the next run begins to build it again. */
  #inIndex<T>(use: () => T): T {
    try {
      return use();
    } catch (error) {
      if (isDamage(error)) {
        this.#startOver();
        this.#onDamaged((error as Error).message);
      }
      throw error;
    }
  }

  #startOver(): void {
    this.#index.close(false);
    this.#index = this.#openAnew();
  }

  #match(expression: string, { least, before, limit }: { least: number; before: number; limit: number }): number[] {
    return this.#index
      .query<{ rank: number }, [string, number, number, number]>(
        `SELECT rowid AS rank FROM items_search
           WHERE items_search MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid DESC LIMIT ?`,
      )
      .all(expression, least, before, limit)
      .map(({ rank }) => rank);
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
      insert.run(item.rank, title, body, facets);
    };
    this.#index.transaction(() => {
      for (const item of run.added) put(item);
      for (const rank of run.changed) remove.run(rank);
      for (const item of run.present) put(item);
      this.#index.query('UPDATE position SET rank = ?, touched = ?').run(run.reached.rank, run.reached.touched);
    })();
  }

  #open(): Database {
    const index = openSearchFile(this.#file, { epoch: this.#items.epoch(), touched: this.#items.lastTouched() });
    try {
      if (!this.#items.hasLost(readPosition(index))) return index;
      throw new Error('The search index is not of these items');
    } catch (error) {
      index.close(false);
      throw error;
    }
  }

  #openAnew(): Database {
    removeSearchFile(this.#file);
    return this.#open();
  }
}
