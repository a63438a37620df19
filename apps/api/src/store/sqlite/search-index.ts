import { blocksToText } from '@hub/contract/blocks/blocks-to-text';
import { asc, gt } from 'drizzle-orm';
import type { BatchRider } from './batch-rider.ts';
import type { Db } from './database.ts';
import { followers } from './followers.queries.ts';
import { items } from './tables/items.table.ts';

export interface SearchEntry {
  rank: number;
  title: string | null;
  body: string;
}

export interface SearchIndex extends BatchRider {
  add(entry: SearchEntry): void;
  /** Committed items that are not in the index yet. */
  waiting(): number;
  /** Makes the next batch index what is waiting, however little it is. */
  hurry(): void;
}

/**
 * So many items make one batch carry an index run. FTS5 writes a segment per transaction, and merging small segments
 * costs more than all other rows of a post together: docs/measurements.md.
 */
const RUN_ITEMS = 256;

/**
 * The full-text index follows the items instead of being written with each: entries wait here until there are enough
 * for a run, or until somebody hurries (a timer for the last few, and every search before it reads). A row in
 * `followers` says up to which rank the index has come, and is written in the same transaction as the run; what was
 * waiting when a process was killed is read from the items again at the next start.
 */
export function createSearchIndex(db: Db): SearchIndex {
  const insert = db.$client.prepare('INSERT INTO items_search (rowid, title, body) VALUES (?, ?, ?)');
  const progress = followers(db, 'search');
  let waiting: SearchEntry[] = [];
  let thisBatch: SearchEntry[] = [];
  let indexed = 0;
  let savepoint = 0;
  let hurried = false;

  const index = (entries: SearchEntry[]): void => {
    const last = entries.at(-1);
    if (!last) return;
    for (const { rank, title, body } of entries) insert.run(rank, title, body);
    progress.write(last.rank);
  };
  catchUp(db, progress.read(), index);

  return {
    add: (entry) => void thisBatch.push(entry),
    waiting: () => waiting.length,
    hurry: () => {
      hurried = true;
    },
    markSavepoint: () => {
      savepoint = thisBatch.length;
    },
    rollbackToSavepoint: () => {
      thisBatch.length = savepoint;
    },
    beforeCommit: () => {
      if (waiting.length < RUN_ITEMS && !hurried) return;
      const run = waiting.slice(0, RUN_ITEMS);
      index(run);
      indexed = run.length;
    },
    committed: () => {
      waiting = indexed === 0 ? waiting : waiting.slice(indexed);
      for (const entry of thisBatch) waiting.push(entry);
      hurried &&= waiting.length > 0;
      thisBatch = [];
      indexed = 0;
    },
    rolledBack: () => {
      thisBatch = [];
      indexed = 0;
    },
  };
}

/** Indexes what a former process left, run by run, each in a transaction of its own. */
function catchUp(db: Db, from: number, index: (entries: SearchEntry[]) => void): void {
  let rank = from;
  while (true) {
    const rows = db
      .select({ rank: items.rank, title: items.title, body: items.body, blocks: items.blocks })
      .from(items)
      .where(gt(items.rank, rank))
      .orderBy(asc(items.rank))
      .limit(RUN_ITEMS)
      .all();
    const last = rows.at(-1);
    if (!last) return;
    db.$client.transaction(() => index(rows.map(toEntry)))();
    rank = last.rank;
  }
}

function toEntry(row: { rank: number; title: string | null; body: string | null; blocks: string | null }): SearchEntry {
  const body = row.blocks === null ? (row.body ?? '') : blocksToText(JSON.parse(row.blocks));
  return { rank: row.rank, title: row.title, body };
}
