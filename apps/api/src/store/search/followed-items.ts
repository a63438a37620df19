import { Database } from 'bun:sqlite';
import type { IndexedItem } from './fts-query.ts';
import type { Position } from './search-file.ts';

export type FollowedItem = IndexedItem & { deletedAt: number | null };

const COLUMNS =
  'rank, hub_id AS hubId, kind, key_id AS keyId, author_id AS authorId, title, body, blocks, deleted_at AS deletedAt';

/** The database as the search index sees it: for reading only. */
export class FollowedItems {
  readonly #database: Database;

  constructor(file: string) {
    this.#database = new Database(file, { readonly: true });
  }

  /** Which history of the items it is. */
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

  /** Those of them that are there. */
  read(ranks: readonly number[]): FollowedItem[] {
    if (ranks.length === 0) return [];
    return this.#database
      .query<FollowedItem, [string]>(`SELECT ${COLUMNS} FROM items WHERE rank IN (SELECT value FROM json_each(?))`)
      .all(JSON.stringify(ranks));
  }

  /** Those of them that are there, not deleted, and in one of these Hubs, which are a list in JSON. */
  present(ranks: readonly number[], hubIds: string): Set<number> {
    const rows = this.#database
      .query<{ rank: number }, [string, string]>(
        `SELECT rank FROM items WHERE rank IN (SELECT value FROM json_each(?)) AND deleted_at IS NULL
           AND hub_id IN (SELECT value FROM json_each(?))`,
      )
      .all(JSON.stringify(ranks), hubIds);
    return new Set(rows.map(({ rank }) => rank));
  }

  /** The number of the last change, whether its row is still there or not. */
  lastTouched(): number {
    return this.#lastOf('touched_items');
  }

  /** Whether an index there is ahead of the items, as after a file was put back, or changes that it has not followed are gone. */
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
