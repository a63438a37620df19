import type { Database } from 'bun:sqlite';
import { join } from 'node:path';
import type { SearchQuery } from '../item-search.ts';
import { isDamage, isStorageError } from '../sqlite/engine/storage-error.ts';
import { type FollowedItem, FollowedItems } from './followed-items.ts';
import { columnsOf, ftsExpression } from './fts-query.ts';
import { openSearchFile, type Position, readPosition, removeSearchFile, SEARCH_FILE } from './search-file.ts';

/**
 * Items per transaction: FTS5 writes a segment for each transaction, and merging many small ones is the largest cost.
 */
const RUN_ITEMS = 512;

/**
 * FTS5 checks every Hub named in a query at each step, so a query names Hubs only if there are few. If there are more,
 * the newest results for all Hubs are examined first, because most of them are usually in one of the requested Hubs; if
 * that does not yield enough, the Hubs are named.
 */
const FEW_HUBS = 100;
const ROUNDS_BEFORE_NAMED = 2;
/** Naming more Hubs than this takes longer than examining all results. */
const MAX_HUBS_NAMED = 1_000;
/** How many results are examined at a time when some may be in other Hubs, and the time limit for the search. */
const RESULTS_AT_A_TIME = 1_000;
const MAX_FIND_MS = 5_000;
/**
 * If the clock was ever set back by more than this, a search by time may miss items, since their ranks are then not in
 * chronological order.
 */
const CLOCK_SLACK_MS = 3_600_000;

export interface SearchIndexOptions {
  dataDir: string;
  databaseFile: string;
  monotonic: () => number;
  /** Called with the reason when the index turns out to be damaged and is being rebuilt. */
  onDamaged?: (reason: string) => void;
}

/**
 * The full-text index, in a separate file next to the database. It is updated from the items and their changes, and
 * stores its position in the same transaction as each update. It can be rebuilt from the items at any time. So its
 * commits need not be flushed, a backup need not contain it, and it is deleted if it is damaged or predates the restore
 * of a backup.
 *
 * Accents are ignored, so that "resume" finds "résumé". The index contains the words; the text stays with the items.
 * Besides its words, an item has facets: its Hub, kind, author and key, so that a query can be limited to them.
 */
export class SearchIndex {
  readonly #items: FollowedItems;
  readonly #file: string;
  readonly #monotonic: () => number;
  readonly #onDamaged: (reason: string) => void;
  #index: Database;
  /** Whether it could not be rebuilt, such as on a full disk. Only a new one can be used then. */
  isClosed = false;

  constructor({ dataDir, databaseFile, monotonic, onDamaged = () => {} }: SearchIndexOptions) {
    this.#items = new FollowedItems(join(dataDir, databaseFile));
    this.#file = join(dataDir, SEARCH_FILE);
    this.#monotonic = monotonic;
    this.#onDamaged = onDamaged;
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
      // A full disk or a lock does not mean that the index is damaged, and rebuilding it takes much longer than
      // waiting.
      if (isStorageError(error) && !isDamage(error)) throw error;
      // The index is damaged, or has another version or item history: everything in it can be rebuilt.
      return this.#rebuild();
    }
  }

  /** Indexes one run of new and changed items. Returns whether there may be more. */
  followRun(): boolean {
    if (this.#items.hasLost(this.#position())) this.#startOver();
    const position = this.#position();
    const added = this.#items.addedAfter(position.rank, RUN_ITEMS);
    const touched = this.#items.touchedAfter(position.touched, RUN_ITEMS);
    if (added.length === 0 && touched.length === 0) return false;
    const reached = { rank: added.at(-1)?.rank ?? position.rank, touched: touched.at(-1)?.id ?? position.touched };
    // Changed items beyond the position will be indexed in their current state.
    const changed = [...new Set(touched.map(({ rank }) => rank).filter((rank) => rank <= reached.rank))];
    const present = this.#items.read(changed);
    this.#inIndex(() => this.#write({ added, changed, present, reached }));
    return added.length === RUN_ITEMS || touched.length === RUN_ITEMS;
  }

  /**
   * Returns the ranks of the items that contain all terms, newest first. Deleted items are left out even if the index
   * does not reflect their deletion yet: a removal can delete thousands of items in one go.
   */
  find(query: SearchQuery): number[] {
    const { terms, hubIds, beforeRank, limit, from = 0, to = Number.MAX_SAFE_INTEGER } = query;
    if (terms.length === 0 || hubIds.length === 0) return [];
    let areNamed = hubIds.length <= FEW_HUBS;
    let expression = ftsExpression(query, areNamed ? hubIds : null);
    const readable = { hubIds: JSON.stringify(hubIds), from, to, status: query.status ?? null };
    const deadline = this.#monotonic() + MAX_FIND_MS;
    const found: number[] = [];
    // These bounds are approximate: the creation time of each result is then compared with the period exactly.
    const minRank = query.from === undefined ? 0 : this.#items.rankAt(from - CLOCK_SLACK_MS);
    const maxRank = query.to === undefined ? Number.MAX_SAFE_INTEGER : this.#items.rankAt(to + CLOCK_SLACK_MS);
    let before = Math.min(beforeRank ?? Number.MAX_SAFE_INTEGER, maxRank);
    let batchSize = areNamed ? limit : RESULTS_AT_A_TIME;
    for (let rounds = 1; found.length < limit; rounds += 1) {
      const some = this.#inIndex(() => this.#match(expression, { minRank, before, limit: batchSize }));
      const shown = this.#items.present(some, readable);
      found.push(...some.filter((rank) => shown.has(rank)));
      if (some.length < batchSize) break;
      if (this.#monotonic() > deadline) throw new Error('The search timed out');
      before = some.at(-1) ?? 0;
      batchSize = RESULTS_AT_A_TIME;
      if (areNamed || rounds < ROUNDS_BEFORE_NAMED || hubIds.length > MAX_HUBS_NAMED) continue;
      areNamed = true;
      expression = ftsExpression(query, hubIds);
    }
    return found.slice(0, limit);
  }

  close(): void {
    if (this.isClosed) return;
    this.#items.close();
    this.#index.close(false);
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
        this.#startOver();
        this.#onDamaged((error as Error).message);
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

  #match(expression: string, { minRank, before, limit }: { minRank: number; before: number; limit: number }): number[] {
    return this.#index
      .query<{ rank: number }, [string, number, number, number]>(
        `SELECT rowid AS rank FROM items_search
           WHERE items_search MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid DESC LIMIT ?`,
      )
      .all(expression, minRank, before, limit)
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
      throw new Error('The search index belongs to other items');
    } catch (error) {
      index.close(false);
      throw error;
    }
  }

  #rebuild(): Database {
    removeSearchFile(this.#file);
    return this.#open();
  }
}
