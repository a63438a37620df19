import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { HubServer, idOf, postRequest, sendOnce, temporaryFolder } from '@hub/testkit';
import { type Expected, inspectDatabase, noProblems } from './inspect-database.ts';

const folder = temporaryFolder();
const sound = folder.file('data');
let expected: Expected;
let id = '';
beforeAll(async () => {
  const server = await new HubServer(sound).start();
  const [issued] = await server.admin.issueKeys(await server.admin.createHubs(1), 1);
  const acknowledged = new Map<string, string>();
  for (const text of ['Post 1', 'Post 2'])
    acknowledged.set(idOf(await sendOnce(server.port, postRequest('messages', issued?.key ?? '', text))), text);
  await server.stop();
  const sentAs = () => ({ kind: 'messages', keyId: issued?.id ?? '' }) as const;
  expected = { acknowledged, sentAs, issued: new Set(), revoked: new Set() };
  [id = ''] = acknowledged.keys();
});
afterAll(() => folder[Symbol.dispose]());

const HUB_OF_ITEM = 'number = (select hub_number from items where id = $id)';
const COPIED = 'hub_number, kind, seq, created_at, author_kind, author_id, key_id, title, body';

test('a sound database has no problems', () => {
  const problems = noProblems();
  inspectDatabase(sound, expected, problems);
  expect(problems).toEqual(noProblems());
});

test.each([
  ['kept', 'delete from items where id = $id'],
  ['kept', "update items set title = 'Another', body = 'Another' where id = $id"],
  ['once', `insert into items (id, ${COPIED}) select 'msg_copy', ${COPIED} from items where id = $id`],
  ['sound', 'update items set hub_number = -1 where id = $id'],
  ['sequence', 'delete from events where item_id = $id'],
  ['sequence', `update hubs set seq = seq + 1 where ${HUB_OF_ITEM}`],
  ['sequence', `update hubs set item_count = 0 where ${HUB_OF_ITEM}`],
  ['created', "update events set event = 'message.changed' where item_id = $id"],
  ['created', "update events set item_id = 'msg_none' where item_id = $id"],
] as const)('the rule %p is broken by %p', (rule, sql) => {
  const damaged = folder.file('damaged');
  mkdirSync(damaged, { recursive: true });
  copyFileSync(join(sound, 'hub.db'), join(damaged, 'hub.db'));
  {
    using database = new Database(join(damaged, 'hub.db'), { strict: true });
    database.exec('PRAGMA foreign_keys = OFF');
    database.query(sql).run({ id });
  }
  const problems = noProblems();
  inspectDatabase(damaged, expected, problems);
  expect(problems[rule]).not.toEqual([]);
});
