import { and, desc, eq, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { AuditRecord, HubChange, HubFilter, HubRecord, PageRequest } from '../store.ts';
import type { AuditWrites } from './audit.queries.ts';
import { AFTER_ALL_IDS, type Db } from './database.ts';
import type { EventWrites } from './events.queries.ts';
import { hubs } from './tables/hubs.table.ts';

const columns = {
  id: hubs.id,
  name: hubs.name,
  conversationId: hubs.conversationId,
  notesBucketId: hubs.notesBucketId,
  todosBucketId: hubs.todosBucketId,
  createdAt: hubs.createdAt,
  deletedAt: hubs.deletedAt,
};

export function hubReads(db: Db) {
  const find = db
    .select(columns)
    .from(hubs)
    .where(eq(hubs.id, sql.placeholder('id')))
    .prepare();
  const listing = (filter?: SQL) =>
    db
      .select(columns)
      .from(hubs)
      .where(and(filter, lt(hubs.id, sql.placeholder('before'))))
      .orderBy(desc(hubs.id))
      .limit(sql.placeholder('limit'))
      .prepare();
  const lists = {
    live: listing(isNull(hubs.deletedAt)),
    deleted: listing(isNotNull(hubs.deletedAt)),
    all: listing(),
  } as const;

  return {
    find: (id: string): HubRecord | null => find.get({ id }) ?? null,
    list: ({ filter, limit, before = AFTER_ALL_IDS }: PageRequest & { filter: HubFilter }): HubRecord[] =>
      lists[filter].all({ limit, before }),
  };
}

/** Each function runs inside a transaction of the writer. */
export function hubWrites(db: Db, audit: AuditWrites, events: EventWrites) {
  const reads = hubReads(db);

  const change = (
    { hubId, audit: entry }: HubChange,
    event: string,
    applies: (hub: HubRecord) => boolean,
    values: Partial<HubRecord>,
  ): HubRecord | null => {
    const hub = reads.find(hubId);
    if (!hub || !applies(hub)) return hub;
    db.update(hubs).set(values).where(eq(hubs.id, hubId)).run();
    events.append({ hubId, at: entry.at, event, itemId: null, addedItems: 0 });
    audit.insert(entry);
    return { ...hub, ...values };
  };

  return {
    create: (input: { hub: HubRecord; audit: AuditRecord }): HubRecord => {
      db.insert(hubs).values(input.hub).run();
      audit.insert(input.audit);
      return input.hub;
    },
    rename: (input: HubChange & { name: string }) =>
      change(input, 'hub.changed', (hub) => hub.name !== input.name, { name: input.name }),
    delete: (input: HubChange) =>
      change(input, 'hub.deleted', (hub) => hub.deletedAt === null, { deletedAt: input.audit.at }),
    restore: (input: HubChange) => change(input, 'hub.restored', (hub) => hub.deletedAt !== null, { deletedAt: null }),
  };
}
