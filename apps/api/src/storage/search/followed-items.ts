import { Database, type SQLQueryBindings } from 'bun:sqlite';
import type { IndexedItem } from './fts-query.ts';

export type FollowedItem = IndexedItem & { deletedAt: number | null };

/** How far the index has followed the items. */
export interface Position {
  globalSeq: number;
  /** The number of the last change that the index includes (`touched_items`). */
  touched: number;
}

/** Conditions that results must meet to be shown. */
interface Readable {
  hubIds: string;
  /** In milliseconds since 1970; `from` is inclusive, `to` exclusive. */
  from: number;
  to: number;
  /** The status that to-dos must have; `null`: any status, and items of other kinds. */
  status: string | null;
}

const COLUMNS =
  'global_seq AS globalSeq, (SELECT id FROM hubs WHERE number = hub_number) AS hubId, kind, key_id AS keyId, author_id AS authorId, ' +
  'status, title, body, blocks, files, deleted_at AS deletedAt';

/** A read-only view of the database for the search index. */
export class FollowedItems {
  readonly #database: Database;

  constructor(file: string) {
    this.#database = new Database(file, { readonly: true });
  }

  #all<Row>(text: string, ...values: SQLQueryBindings[]): Row[] {
    return this.#database.query<Row, SQLQueryBindings[]>(text).all(...values);
  }

  /** Identifies the history of the items. */
  epoch(): string {
    return this.#all<{ epoch: string }>('SELECT epoch FROM workspace')[0]?.epoch ?? '';
  }

  addedAfter(globalSeq: number, limit: number): FollowedItem[] {
    return this.#all(`SELECT ${COLUMNS} FROM items WHERE global_seq > ? ORDER BY global_seq LIMIT ?`, globalSeq, limit);
  }

  touchedAfter(id: number, limit: number): { id: number; globalSeq: number }[] {
    const text = 'SELECT id, global_seq AS globalSeq FROM touched_items WHERE id > ? ORDER BY id LIMIT ?';
    return this.#all(text, id, limit);
  }

  read(globalSeqs: readonly number[]): FollowedItem[] {
    if (globalSeqs.length === 0) return [];
    const text = `SELECT ${COLUMNS} FROM items WHERE global_seq IN (SELECT value FROM json_each(?))`;
    return this.#all(text, JSON.stringify(globalSeqs));
  }

  /** Returns the global sequence numbers of items that exist, are not deleted and meet these conditions. */
  present(globalSeqs: readonly number[], { hubIds, from, to, status }: Readable): Set<number> {
    const rows = this.#all<{ globalSeq: number }>(
      `SELECT global_seq AS globalSeq FROM items WHERE global_seq IN (SELECT value FROM json_each(?)) AND deleted_at IS NULL
         AND hub_number IN (SELECT number FROM hubs WHERE id IN (SELECT value FROM json_each(?)))
         AND created_at >= ? AND created_at < ? AND status IS coalesce(?, status)`,
      ...[JSON.stringify(globalSeqs), hubIds, from, to, status],
    );
    return new Set(rows.map(({ globalSeq }) => globalSeq));
  }

  /** Finds the first global sequence number since this time by binary search: they rise with time. */
  globalSeqAt(time: number): number {
    const next = this.#database.query<{ globalSeq: number; at: number }, [number]>(
      'SELECT global_seq AS globalSeq, created_at AS at FROM items WHERE global_seq >= ? ORDER BY global_seq LIMIT 1',
    );
    let [low, high] = [0, this.#lastOf('items') + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const found = next.get(middle);
      if (!found || found.at >= time) high = middle;
      else low = found.globalSeq + 1;
    }
    return low;
  }

  /** Returns the number of the last change, even if its row no longer exists. */
  lastTouched(): number {
    return this.#lastOf('touched_items');
  }

  /** Whether the index is ahead of the items (after a restore) or has missed changes whose records were erased. */
  hasLost({ globalSeq, touched }: Position): boolean {
    const last = this.lastTouched();
    const [oldest] = this.#all<{ id: number | null }>('SELECT min(id) AS id FROM touched_items');
    return globalSeq > this.#lastOf('items') || touched > last || touched < (oldest?.id ?? last + 1) - 1;
  }

  close(): void {
    this.#database.close(false);
  }

  #lastOf(table: 'items' | 'touched_items'): number {
    return this.#all<{ seq: number }>('SELECT seq FROM sqlite_sequence WHERE name = ?', table)[0]?.seq ?? 0;
  }
}
