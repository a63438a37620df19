import { eq, sql } from 'drizzle-orm';
import { AppError } from '../../errors.ts';
import { notFound } from '../../printable.ts';
import type { ItemRecord, ItemRowKind, NewItem } from '../item-store.ts';
import type { KeyStatus } from '../state.ts';
import type { Db } from './database.ts';
import type { EventWrites } from './events.queries.ts';
import { selectItems, toItemRecord } from './item-records.ts';
import type { MentionWrites } from './mentions.queries.ts';
import type { StandingReads } from './state.queries.ts';
import { touchedItems } from './tables/item-details.table.ts';
import { items } from './tables/items.table.ts';

/** What one calls the kinds of rows, and what an event of them begins with. */
export const NOUN = { message: 'message', reply: 'message', note: 'note', todo: 'to-do' } as const;
const EVENT_OF = { message: 'message', reply: 'message', note: 'note', todo: 'todo' } as const;

export type ItemChange = 'created' | 'changed' | 'deleted' | 'restored';

interface ItemEvent {
  item: { id: string; hubId: string; kind: ItemRowKind };
  change: ItemChange;
  at: number;
  /** By how many the items of the Hub become more with it. */
  addedItems?: number;
  /** What the item itself does not tell. */
  data?: Record<string, unknown> | undefined;
}

export type ItemBasics = ReturnType<typeof itemBasics>;

/** What the writes of items share. Each function runs inside a transaction of the writer. */
export function itemBasics(
  db: Db,
  { events, mentions, state }: { events: EventWrites; mentions: MentionWrites; state: StandingReads },
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

  /** The item, deleted or not; what is not there is refused, and so is who does not belong to its Hub any more. */
  const known = (id: string, by?: KeyStatus): ItemRecord => {
    const row = find.get({ id });
    if (!row) throw new AppError('not_found', notFound('item', id));
    state.requireMember(by, row.hubId, [NOUN[row.kind], id]);
    return toItemRecord(row);
  };

  /** The same, of what was not deleted. */
  const present = (id: string, by?: KeyStatus): ItemRecord => {
    const item = known(id, by);
    if (item.deletedAt !== null) throw wasDeleted(item);
    return item;
  };

  /** Writes the event of an item, and refuses if its Hub was deleted. Returns the number of the event. */
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
    if (!row) throw new Error('The inserted item came back without its rank');
    // A copy names nobody anew: the message that it was made of does.
    if (item.sourceId === null) mentions.write({ ...item, rank: row.rank, blocks: null });
    return present(item.id);
  };

  return {
    find: (id: string): ItemRecord | undefined => {
      const row = find.get({ id });
      return row && toItemRecord(row);
    },
    known,
    present,
    report,
    create,
    /** Lets the search index read it again. */
    touch: (item: { rank: number }, at: number): void => void touch.run({ rank: item.rank, at }),
  };
}

export function wasDeleted({ kind, id }: { kind: ItemRowKind; id: string }): AppError {
  return new AppError('not_found', `The ${NOUN[kind]} ${id} was deleted.`);
}
