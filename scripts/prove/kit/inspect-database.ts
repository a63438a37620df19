import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import type { HubServer, PostKind } from '@hub/testkit';

/** Rules that a data folder must satisfy no matter when its server was killed. */
export const RULES = {
  kept: 'every acknowledged post is stored once, as it was sent',
  once: 'nothing is stored twice, and nothing that nobody sent',
  sound: 'integrity_check and foreign_key_check find no problems',
  sequence: 'the events of each Hub are numbered 1 to n, and the Hub knows n and its number of items',
  created: 'each item has its created event, and each created event its item',
  counts: "each key's post count is the number of its items",
  keys: 'every key that was issued is there, and every revoked one is revoked',
} as const;

/** The required and permitted contents of a data folder. */
export interface Expected {
  /** Maps the ID in each 201 to the text of the post. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** Returns how the post with this text was sent, if it was. Without this, other posts may be there too. */
  sentAs?(text: string): { readonly kind: PostKind; readonly keyId: string } | undefined;
  readonly issued: ReadonlySet<string>;
  readonly revoked: ReadonlySet<string>;
}

export type Rule = keyof typeof RULES;
export type Problems = Record<Rule, string[]>;

export function noProblems(): Problems {
  return { kept: [], once: [], sound: [], sequence: [], created: [], counts: [], keys: [] };
}

interface ItemRow {
  id: string;
  kind: string;
  keyId: string;
  text: string;
}

/**
 * Adds problems in the database to `problems`. Reads the database like any other program, while the server is running
 * or after it has exited. Returns how many items each key has.
 */
export function inspectDatabase(dataDir: string, expected: Expected, problems: Problems): Map<string, number> {
  using database = new Database(join(dataDir, 'hub.db'), { readonly: true });
  const rows = <T>(sql: string): T[] => database.query<T, []>(sql).all();
  const items = rows<ItemRow>(
    `select id, kind || 's' as kind, key_id as keyId, case kind when 'todo' then title else body end as text from items
      where key_id is not null`,
  );
  comparePosts(items, expected, problems);

  const integrity = rows<{ integrity_check: string }>('PRAGMA integrity_check').map((row) => row.integrity_check);
  if (integrity.join() !== 'ok') problems.sound.push(...integrity);
  problems.sound.push(...rows('PRAGMA foreign_key_check').map((row) => JSON.stringify(row)));
  problems.sequence.push(...rows(HUBS_OUT_OF_STEP).map((row) => JSON.stringify(row)));
  problems.created.push(...rows(ITEMS_WITHOUT_EVENT).map((row) => JSON.stringify(row)));
  problems.created.push(...rows(EVENTS_WITHOUT_ITEM).map((row) => JSON.stringify(row)));

  const ofKey = new Map<string, number>();
  for (const { keyId } of items) ofKey.set(keyId, (ofKey.get(keyId) ?? 0) + 1);
  return ofKey;
}

function comparePosts(items: readonly ItemRow[], expected: Expected, problems: Problems): void {
  const stored = new Map<string, ItemRow>();
  const texts = new Set<string>();
  for (const item of items) {
    if (stored.has(item.id) || texts.has(item.text)) problems.once.push(`twice: ${item.id} ${item.text}`);
    const sent = expected.sentAs ? expected.sentAs(item.text) : item;
    if (sent?.kind !== item.kind || sent.keyId !== item.keyId) problems.once.push(`not sent: ${JSON.stringify(item)}`);
    stored.set(item.id, item);
    texts.add(item.text);
  }
  for (const [id, text] of expected.acknowledged) {
    const item = stored.get(id);
    if (item?.text !== text) problems.kept.push(`${id} is ${item ? 'another' : 'lost'}`);
  }
}

/** Does the same for a running server, and adds everything that it reports incorrectly about its keys. */
export async function inspectServer({ admin, dataDir }: HubServer, expected: Expected, problems: Problems) {
  const keys = await admin.all('GET /keys');
  const items = inspectDatabase(dataDir, expected, problems);
  const byId = new Map(keys.map((key) => [key.id, key]));
  for (const { id, postCount } of keys) {
    const stored = items.get(id) ?? 0;
    if (postCount !== stored) problems.counts.push(`${id} counts ${postCount} posts and has ${stored}`);
  }
  for (const id of expected.issued) if (!byId.has(id)) problems.keys.push(`${id} is lost`);
  for (const id of expected.revoked) if (byId.get(id)?.state !== 'revoked') problems.keys.push(`${id} is not revoked`);
}

const HUBS_OUT_OF_STEP = `
  select * from (
    select h.id, h.seq, h.item_count as itemCount,
      (select count(*) from events e where e.hub_number = h.number) as events,
      (select coalesce(min(seq), 1) from events e where e.hub_number = h.number) as first,
      (select coalesce(max(seq), 0) from events e where e.hub_number = h.number) as last,
      (select count(*) from items i where i.hub_number = h.number) as items
    from hubs h
  ) where seq <> events or seq <> last or first <> 1 or itemCount <> items`;

const ITEMS_WITHOUT_EVENT = `
  select i.id, i.seq from items i
  left join events e on e.hub_number = i.hub_number and e.seq = i.seq and e.item_id = i.id
    and e.event = i.kind || '.created'
  where e.seq is null`;

const EVENTS_WITHOUT_ITEM = `
  select e.hub_number, e.seq, e.item_id from events e
  left join items i on i.id = e.item_id and i.seq = e.seq and i.hub_number = e.hub_number
  where e.event like '%.created' and i.id is null`;
