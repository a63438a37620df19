import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { AuditRecord } from '../audit-store.ts';
import type { RemovalRecord, RemovalStore } from '../removal-store.ts';
import type { AuditWrites } from './audit.queries.ts';
import { AFTER_ALL_IDS, type Db } from './engine/database.ts';
import { reading } from './engine/storage-error.ts';
import type { EventWrites } from './events.queries.ts';
import { keyPosts } from './key-posts.queries.ts';
import { removals, touchedItems } from './tables/item-details.table.ts';
import { items } from './tables/items.table.ts';
import type { Writer } from './writes.ts';

/** Items per transaction: about 6 ms, during which posts wait. */
const CHUNK_ITEMS = 250;

function removalReads(db: Db) {
  const find = db
    .select()
    .from(removals)
    .where(eq(removals.id, sql.placeholder('id')))
    .prepare();
  const list = db
    .select()
    .from(removals)
    .where(and(eq(removals.keyId, sql.placeholder('keyId')), lt(removals.id, sql.placeholder('before'))))
    .orderBy(desc(removals.id))
    .limit(sql.placeholder('limit'))
    .prepare();
  return {
    find: (id: string): RemovalRecord | null => find.get({ id }) ?? null,
    list: ({ before = AFTER_ALL_IDS, ...query }: { keyId: string; limit: number; before?: string | undefined }) =>
      list.all({ ...query, before }),
  };
}

interface RemovalWriteDeps {
  audit: AuditWrites;
  events: EventWrites;
}

interface TakenItem {
  rank: number;
  id: string;
  kind: string;
}

/** Each function runs inside a writer transaction. */
export function removalWrites(db: Db, { audit, events }: RemovalWriteDeps) {
  const reads = removalReads(db);
  const columns = { rank: items.rank, id: items.id, kind: items.kind };
  const take = db
    .update(items)
    .set({ deletedAt: sql`${sql.placeholder('at')}`, removalId: sql`${sql.placeholder('removalId')}` })
    .where(
      sql`${items.rank} in (select value from json_each(${sql.placeholder('ranks')}))
        and ${items.deletedAt} is null and ${items.keyId} = ${sql.placeholder('keyId')}`,
    )
    .returning(columns)
    .prepare();
  const restore = db
    .update(items)
    .set({ deletedAt: null, removalId: null })
    .where(
      sql`${items.rank} in (select ${items.rank} from ${items} where ${items.removalId} = ${sql.placeholder('removalId')}
        order by ${items.rank} limit ${sql.placeholder('limit')})`,
    )
    .returning(columns)
    .prepare();
  const touch = db
    .insert(touchedItems)
    .values({ rank: sql.placeholder('rank'), at: sql.placeholder('at') })
    .prepare();

  const report = (taken: TakenItem[], hubId: string, change: 'deleted' | 'restored', at: number): void => {
    for (const { rank, id, kind } of taken.sort((one, other) => one.rank - other.rank)) {
      const addedItems = change === 'deleted' ? -1 : 1;
      events.append({ hubId, at, event: `${kind}.${change}`, itemId: id, addedItems });
      touch.run({ rank, at });
    }
  };
  const insertIfNew = (removal: RemovalRecord): RemovalRecord => {
    const found = reads.find(removal.id);
    if (found) return found;
    db.insert(removals).values(removal).run();
    return removal;
  };

  return {
    /** Creates the removal if it does not exist, and deletes these items unless the removal was already undone. */
    removePosts: (input: { removal: RemovalRecord; audit: AuditRecord | null; ranks: number[] }): RemovalRecord => {
      const removal = insertIfNew(input.removal);
      if (input.audit) audit.insert(input.audit);
      if (removal.undoneAt !== null) return removal;
      const { id: removalId, removedAt: at, keyId, hubId } = removal;
      const taken = take.all({ ranks: JSON.stringify(input.ranks), at, removalId, keyId });
      report(taken, hubId, 'deleted', at);
      const count = removal.count + taken.length;
      db.update(removals).set({ count }).where(eq(removals.id, removalId)).run();
      return { ...removal, count };
    },
    /** Restores some items; the removal is considered undone once none are left. */
    restorePosts: ({
      removalId,
      at,
      audit: entry,
    }: {
      removalId: string;
      at: number;
      audit: AuditRecord | null;
    }): RemovalRecord | null => {
      const removal = reads.find(removalId);
      if (!removal || removal.undoneAt !== null) return null;
      if (entry) audit.insert(entry);
      const taken = restore.all({ removalId, limit: CHUNK_ITEMS });
      report(taken, removal.hubId, 'restored', at);
      if (taken.length === CHUNK_ITEMS) return removal;
      db.update(removals).set({ undoneAt: at }).where(eq(removals.id, removalId)).run();
      return { ...removal, undoneAt: at };
    },
  };
}

export function removalStore(db: Db, writer: Writer): RemovalStore {
  const reads = removalReads(db);
  const posts = keyPosts(db);
  return {
    countPosts: async (range) => (await posts.ranks(range)).length,
    listRemovals: reading(reads.list),
    findRemoval: reading(reads.find),
    removePosts: async ({ removal, audit }) => {
      const ranks = await posts.ranks(removal);
      let entry: AuditRecord | null = { ...audit, details: { ...audit.details, count: ranks.length } };
      let from = 0;
      let state = removal;
      do {
        state = await writer.write('removePosts', {
          removal,
          audit: entry,
          ranks: ranks.slice(from, from + CHUNK_ITEMS),
        });
        entry = null;
        from += CHUNK_ITEMS;
      } while (from < ranks.length && state.undoneAt === null);
      return state;
    },
    undoRemoval: async ({ removalId, at, audit }) => {
      let state = await writer.write('restorePosts', { removalId, at, audit });
      while (state?.undoneAt === null) state = await writer.write('restorePosts', { removalId, at, audit: null });
      return state;
    },
  };
}
