import { Database } from 'bun:sqlite';
import type { IndexedItem } from './fts-query.ts';
import type { Position } from './search-file.ts';

export type FollowedItem = IndexedItem & { deletedAt: number | null };

/** Conditions that results must meet to be shown. */
export interface Readable {
  /** A JSON array. */
  hubIds: string;
  /** In milliseconds since 1970; `from` is inclusive, `to` exclusive. */
  from: number;
  to: number;
  /** The status that to-dos must have; `null`: any status, and items of other kinds. */
  status: string | null;
}

const COLUMNS =
  'rank, (SELECT id FROM hubs WHERE number = hub_number) AS hubId, kind, key_id AS keyId, author_id AS authorId, ' +
  'status, title, body, blocks, deleted_at AS deletedAt';

/** A read-only view of the database for the search index. */
export class FollowedItems {
  readonly #database: Database;

  constructor(file: string) {
    this.#database = new Database(file, { readonly: true });
  }

  /** Identifies the history of the items. */
  epoch(): string {
    return this.#database.query<{ epoch: string }, []>('SELECT epoch FROM workspace').get()?.epoch ?? '';
  }

  addedAfter(rank: number, limit: number): FollowedItem[] {
    return this.#database
      .query<FollowedItem, [number, number]>(`SELECT ${COLUMNS} FROM items WHERE rank > ? ORDER BY rank LIMIT ?`)
      .all(rank, limit);
  }

  touchedAfter(id: number, limit: number): { id: number; rank: number }[] {
    return this.#database
      .query<{ id: number; rank: number }, [number, number]>(
        'SELECT id, rank FROM touched_items WHERE id > ? ORDER BY id LIMIT ?',
      )
      .all(id, limit);
  }

  /** Returns the items with these ranks that exist. */
  read(ranks: readonly number[]): FollowedItem[] {
    if (ranks.length === 0) return [];
    return this.#database
      .query<FollowedItem, [string]>(`SELECT ${COLUMNS} FROM items WHERE rank IN (SELECT value FROM json_each(?))`)
      .all(JSON.stringify(ranks));
  }

  /** Returns the ranks of items that exist, are not deleted and meet these conditions. */
  present(ranks: readonly number[], { hubIds, from, to, status }: Readable): Set<number> {
    const rows = this.#database
      .query<{ rank: number }, [string, string, number, number, string | null]>(
        `SELECT rank FROM items WHERE rank IN (SELECT value FROM json_each(?)) AND deleted_at IS NULL
           AND hub_number IN (SELECT number FROM hubs WHERE id IN (SELECT value FROM json_each(?)))
           AND created_at >= ? AND created_at < ?
           AND status IS coalesce(?, status)`,
      )
      .all(JSON.stringify(ranks), hubIds, from, to, status);
    return new Set(rows.map(({ rank }) => rank));
  }

  /**
   * Returns the first rank created at or after this time, by binary search: ranks rise with time, unless the clock was
   * set back.
   */
  rankAt(time: number): number {
    const next = this.#database.query<{ rank: number; at: number }, [number]>(
      'SELECT rank, created_at AS at FROM items WHERE rank >= ? ORDER BY rank LIMIT 1',
    );
    let [low, high] = [0, this.#lastOf('items') + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const found = next.get(middle);
      if (!found || found.at >= time) high = middle;
      else low = found.rank + 1;
    }
    return low;
  }

  /** Returns the number of the last change, even if its row no longer exists. */
  lastTouched(): number {
    return this.#lastOf('touched_items');
  }

  /** Whether the index is ahead of the items (after a restore) or has missed changes whose records were erased. */
  hasLost({ rank, touched }: Position): boolean {
    const last = this.lastTouched();
    const oldest = this.#database.query<{ id: number | null }, []>('SELECT min(id) AS id FROM touched_items').get()?.id;
    return rank > this.#lastOf('items') || touched > last || touched < (oldest ?? last + 1) - 1;
  }

  close(): void {
    this.#database.close(false);
  }

  #lastOf(table: 'items' | 'touched_items'): number {
    return (
      this.#database.query<{ seq: number }, [string]>('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table)
        ?.seq ?? 0
    );
  }
}
