import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import type { SearchQuery } from '../store.ts';
import { FollowedItems } from './followed-items.ts';
import { ftsExpression } from './fts-query.ts';
import { SEARCH_FILE } from './search-index.ts';

/**
 * FTS5 checks every Hub named in a query at each step, so only few are named. With more, the newest results for all
 * Hubs are examined first: most are usually in one of them. If that does not yield enough, the Hubs are named.
 */
const FEW_HUBS = 100;
const ROUNDS_BEFORE_NAMED = 2;
/** Naming more Hubs than this takes longer than examining all results. */
const MAX_HUBS_NAMED = 1_000;
/** How many results are examined at a time when some may be in other Hubs, and when the last statement may begin. */
const RESULTS_AT_A_TIME = 1_000;
const MAX_FIND_MS = 2_000;
/** If the clock was ever set back by more than this, a search by time may miss items. */
const CLOCK_SLACK_MS = 3_600_000;

interface SearchReaderOptions {
  dataDir: string;
  databaseFile: string;
  monotonic: () => number;
}

/** Reads the full-text index that `SearchIndex` writes. It must exist. */
export class SearchReader {
  readonly #items: FollowedItems;
  readonly #index: Database;
  readonly #monotonic: () => number;

  constructor({ dataDir, databaseFile, monotonic }: SearchReaderOptions) {
    this.#index = new Database(join(dataDir, SEARCH_FILE), { readonly: true });
    this.#items = new FollowedItems(join(dataDir, databaseFile));
    this.#monotonic = monotonic;
  }

  /**
   * Returns the global sequence numbers of items that contain all terms, newest first, and no deleted ones: a removal
   * can delete thousands at once, and the index follows later.
   */
  find(query: SearchQuery): number[] {
    const { terms, hubIds, beforeGlobalSeq, limit, from = 0, to = Number.MAX_SAFE_INTEGER } = query;
    if (terms.length === 0 || hubIds.length === 0) return [];
    let areNamed = hubIds.length <= FEW_HUBS;
    let expression = ftsExpression(query, areNamed ? hubIds : null);
    const readable = { hubIds: JSON.stringify(hubIds), from, to, status: query.status ?? null };
    const deadline = this.#monotonic() + MAX_FIND_MS;
    const found: number[] = [];
    // These bounds are approximate: the creation time of each result is then compared with the period exactly.
    const minGlobalSeq = query.from === undefined ? 0 : this.#items.globalSeqAt(from - CLOCK_SLACK_MS);
    const maxGlobalSeq =
      query.to === undefined ? Number.MAX_SAFE_INTEGER : this.#items.globalSeqAt(to + CLOCK_SLACK_MS);
    let before = Math.min(beforeGlobalSeq ?? Number.MAX_SAFE_INTEGER, maxGlobalSeq);
    let batchSize = areNamed ? limit : RESULTS_AT_A_TIME;
    for (let rounds = 1; found.length < limit; rounds += 1) {
      const some = this.#match(expression, { minGlobalSeq, before, limit: batchSize });
      const shown = this.#items.present(some, readable);
      found.push(...some.filter((globalSeq) => shown.has(globalSeq)));
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
    this.#items.close();
    this.#index.close(false);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #match(
    expression: string,
    { minGlobalSeq, before, limit }: { minGlobalSeq: number; before: number; limit: number },
  ): number[] {
    return this.#index
      .query<{ globalSeq: number }, [string, number, number, number]>(
        `SELECT rowid AS globalSeq FROM items_search
           WHERE items_search MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid DESC LIMIT ?`,
      )
      .all(expression, minGlobalSeq, before, limit)
      .map(({ globalSeq }) => globalSeq);
  }
}
