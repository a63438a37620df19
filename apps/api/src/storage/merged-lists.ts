import { type SQL, sql } from 'drizzle-orm';
import type { Query } from './engine/connection.ts';
import { given, inPostgres, rawQuery } from './engine/query.ts';
import type { Direction, ListedRow } from './item-pages.ts';

const lists = sql`cast(${given('lists')} as text)`;
const toListed = ([globalSeq, hubId, kind, keyId, authorId, status, assigneeId, deletedAt]: readonly unknown[]) =>
  ({
    ...{ globalSeq: Number(globalSeq), hubId, kind, keyId, authorId, status, assigneeId },
    deletedAt: deletedAt === null ? null : Number(deletedAt),
  }) as ListedRow;

/**
 * Merges lists, each read from its own place in the index `items_by_hub`. SQLite keeps the next row of each list in a
 * queue. PostgreSQL has none: it first reads the first global sequence number of each list, which decides whether the
 * list can contribute to the page.
 */
export function mergedLists(direction: Direction): Query<ListedRow> {
  const [end, order, side] = direction === 'older' ? [sql`max`, sql`desc`, sql`<`] : [sql`min`, sql`asc`, sql`>`];
  const [from, limit] = [given('from'), given('limit')];
  const columns = sql`item.key_id, item.author_id, item.status, item.assignee_id, item.deleted_at`;
  /** Must be exactly the condition of the index, or SQLite does not use it. */
  const isListed = sql`(item.deleted_at is null or item.reply_count > 0)`;
  const nextIn = (list: SQL, position: SQL) => {
    // SQLite might start reading at a second lower bound instead of at the first.
    const range =
      direction === 'older'
        ? sql`< ${position} and item.global_seq > ${list}.floor`
        : sql`> max(${position}, ${list}.floor)`;
    return sql`(select ${end}(item.global_seq) from items as item
      where item.hub_number = ${list}.number and item.kind = ${list}.kind and ${isListed} and item.global_seq ${range})`;
  };
  const [list, head] = [sql`list`, sql`head`];
  const inSqlite = sql`with recursive
    list (number, id, kind, floor) as (
      select hubs.number, hubs.id, wanted.value ->> 'kind', wanted.value ->> 'floor'
        from json_each(${lists}) as wanted cross join hubs on hubs.id = wanted.value ->> 'hubId'),
    head (global_seq, number, id, kind, floor) as (
      select item.global_seq, list.* from list cross join items as item on item.global_seq = ${nextIn(list, sql`${from}`)}
      union all
      select item.global_seq, head.number, head.id, head.kind, head.floor
        from head cross join items as item on item.global_seq = ${nextIn(head, sql`head.global_seq`)}
      order by 1 ${order} limit ${limit})
    select head.global_seq, head.id, head.kind, ${columns} from head cross join items as item on item.global_seq = head.global_seq`;
  const isIn = sql`item.hub_number = list.number and item.kind = list.kind and ${isListed}
    and item.global_seq > list.floor and item.global_seq ${side} ${from}`;
  const inOther = sql`with list as (
      select hubs.number, hubs.id, wanted.kind, wanted.floor
        from json_to_recordset(${lists}::json) as wanted ("hubId" text, kind text, floor bigint)
        join hubs on hubs.id = wanted."hubId"),
    opened as (
      select list.*, (select ${end}(item.global_seq) from items as item where ${isIn}) as head from list
        order by head ${order} nulls last limit ${limit})
    select item.global_seq, list.id, list.kind, ${columns}
      from opened as list cross join lateral (
        select * from items as item where ${isIn} order by item.global_seq ${order} limit ${limit}) as item
      where list.head is not null
      order by item.global_seq ${order} limit ${limit}`;
  return inPostgres(rawQuery(inSqlite, toListed), () => inOther);
}
