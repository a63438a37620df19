import { Database } from 'bun:sqlite';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Expected, inspectDatabase, noProblems, type Problems, type Rule } from '@hub/testkit';

/** Violations of the rules, each applied to an acknowledged post or its Hub. */
const DAMAGES: readonly { readonly rule: Exclude<Rule, 'counts' | 'keys'>; readonly sql: string }[] = [
  { rule: 'kept', sql: 'delete from items where id = $id' },
  { rule: 'kept', sql: "update items set title = 'Another', body = 'Another' where id = $id" },
  { rule: 'once', sql: `${insertCopy()} where id = $id` },
  { rule: 'sound', sql: 'update items set hub_number = -1 where id = $id' },
  { rule: 'sequence', sql: 'delete from events where item_id = $id' },
  {
    rule: 'sequence',
    sql: 'update hubs set seq = seq + 1 where number = (select hub_number from items where id = $id)',
  },
  {
    rule: 'sequence',
    sql: 'update hubs set item_count = 0 where number = (select hub_number from items where id = $id)',
  },
  { rule: 'created', sql: "update events set event = 'message.changed' where item_id = $id" },
  { rule: 'created', sql: "update events set item_id = 'msg_none' where item_id = $id" },
];

function insertCopy(): string {
  const copied = 'hub_number, kind, seq, created_at, author_kind, author_id, key_id, title, body';
  return `insert into items (id, ${copied}) select 'msg_copy', ${copied} from items`;
}

/**
 * Returns the kinds of damage that the inspection does not detect. The server of `dataDir` must have exited; only
 * copies are damaged.
 */
export function unseenDamages(dataDir: string, expected: Expected): string[] {
  const id = [...expected.acknowledged.keys()][Math.floor(expected.acknowledged.size / 2)] ?? '';
  return DAMAGES.flatMap(({ rule, sql }, number) => {
    const copy = join(dataDir, `damaged-${number}`);
    mkdirSync(copy);
    copyFileSync(join(dataDir, 'hub.db'), join(copy, 'hub.db'));
    using database = new Database(join(copy, 'hub.db'), { strict: true });
    database.exec('PRAGMA foreign_keys = OFF');
    database.query(sql).run({ id });
    const problems: Problems = noProblems();
    inspectDatabase(copy, expected, problems);
    return problems[rule].length > 0 ? [] : [sql];
  });
}
