import { eq, sql } from 'drizzle-orm';
import { AppError } from '../../errors.ts';
import { notFound } from '../../printable.ts';
import type { ActingUser } from '../acting-user.ts';
import type { ItemRecord, ItemRowKind, NewItem } from '../item-store.ts';
import type { AccessChecks } from './access-checks.queries.ts';
import type { Db } from './engine/database.ts';
import type { EventWrites } from './events.queries.ts';
import { selectItems, toItemRecord } from './item-records.ts';
import type { MentionWrites } from './mentions.queries.ts';
import { touchedItems } from './tables/item-details.table.ts';
import { items } from './tables/items.table.ts';

/** The noun for each kind of row. */
export const NOUN = { message: 'message', reply: 'message', note: 'note', todo: 'to-do' } as const;
const EVENT_OF = { message: 'message', reply: 'message', note: 'note', todo: 'todo' } as const;

export type ItemChange = 'created' | 'changed' | 'deleted' | 'restored';

interface ItemEvent {
  item: { id: string; hubId: string; kind: ItemRowKind };
  change: ItemChange;
  at: number;
  /** The change in the number of items in the Hub. */
  addedItems?: number;
  /** Event data that the item itself does not contain. */
  data?: Record<string, unknown> | undefined;
}

export type ItemBasics = ReturnType<typeof itemBasics>;

/** The operations shared by all writes to items. Each function runs inside a writer transaction. */
export function itemBasics(
  db: Db,
  { events, mentions, access }: { events: EventWrites; mentions: MentionWrites; access: AccessChecks },
) {
  const find = selectItems(db)
    .where(eq(items.id, sql.placeholder('id')))
    .prepare();
  const insert = db
    .insert(items)
    .values({
      id: sql.placeholder('id'),
      hubId: sql.placeholder('hubId'),
      kind: sql.placeholder('kind'),
      seq: sql.placeholder('seq'),
      createdAt: sql.placeholder('createdAt'),
      authorKind: 'person',
      authorId: sql.placeholder('authorId'),
      title: sql.placeholder('title'),
      body: sql.placeholder('body'),
      dueAt: sql.placeholder('dueAt'),
      priority: sql.placeholder('priority'),
      status: sql.placeholder('status'),
      assigneeId: sql.placeholder('assigneeId'),
      parentId: sql.placeholder('parentId'),
      sourceId: sql.placeholder('sourceId'),
    })
    .returning({ rank: items.rank })
    .prepare();
  const touch = db
    .insert(touchedItems)
    .values({ rank: sql.placeholder('rank'), at: sql.placeholder('at') })
    .prepare();

  /** Returns the item, deleted or not. Rejects if it does not exist, or the caller is no longer a member of its Hub. */
  const requireItem = (id: string, actingUser?: ActingUser): ItemRecord => {
    const row = find.get({ id });
    if (!row) throw new AppError('not_found', notFound('item', id));
    access.requireMember(actingUser, row.hubId, [NOUN[row.kind], id]);
    return toItemRecord(row);
  };

  /** Like `requireItem`, but rejects deleted items. */
  const requireUndeleted = (id: string, actingUser?: ActingUser): ItemRecord => {
    const item = requireItem(id, actingUser);
    if (item.deletedAt !== null) throw wasDeleted(item);
    return item;
  };

  /** Writes an event about an item and returns the event's sequence number. Rejects if the Hub was deleted. */
  const report = ({ item, change, at, addedItems = 0, data }: ItemEvent): number => {
    const event = `${EVENT_OF[item.kind]}.${change}`;
    const hub = events.append({ hubId: item.hubId, at, event, itemId: item.id, addedItems, ...(data && { data }) });
    if (!hub || hub.deletedAt !== null)
      throw new AppError('not_found', `The Hub of this ${NOUN[item.kind]} was deleted.`);
    return hub.seq;
  };

  const create = (item: NewItem): ItemRecord => {
    const seq = report({ item, change: 'created', at: item.createdAt, addedItems: 1 });
    const row = insert.get({ ...item, seq, status: item.kind === 'todo' ? 'open' : null });
    if (!row) throw new Error('The insert returned no rank');
    // A converted item does not mention anyone again: its source message already does.
    if (item.sourceId === null) mentions.write({ ...item, rank: row.rank, blocks: null });
    return requireUndeleted(item.id);
  };

  return {
    find: (id: string): ItemRecord | undefined => {
      const row = find.get({ id });
      return row && toItemRecord(row);
    },
    requireItem,
    requireUndeleted,
    report,
    create,
    /** Makes the search index read the item again. */
    touch: (item: { rank: number }, at: number): void => void touch.run({ rank: item.rank, at }),
  };
}

export function wasDeleted({ kind, id }: { kind: ItemRowKind; id: string }): AppError {
  return new AppError('not_found', `The ${NOUN[kind]} ${id} was deleted.`);
}
