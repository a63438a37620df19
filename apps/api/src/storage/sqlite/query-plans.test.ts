import { Database } from 'bun:sqlite';
import { expect, spyOn, test } from 'bun:test';
import { failureOf } from '@hub/testkit/concurrency';
import { costlySteps } from '@hub/testkit/in-process/query-plans';
import { newKey, newPost } from '../../../test/store/records.ts';
import { openSqliteUnderTest } from '../../../test/store/under-test.ts';
import { insertHub, insertKey, insertPost, updateItem } from '../../../test/store/writes.ts';
import { SearchIndex } from '../search/search-index.ts';
import { SearchReader } from '../search/search-reader.ts';
import { DATABASE_FILE } from './open-store.ts';

test.each([
  ['select "id" from "items" where "body" = ?', 'SCAN items'],
  ['select "id" from "items" where "reply_count" > 0 and "id" = ?', 'SEARCH items USING INDEX'],
  ['select "id" from "users" order by "last_seen_at"', 'USE TEMP B-TREE FOR ORDER BY'],
])('a store that has prepared a costly statement cannot be disposed of without an error: %s', async (sql, step) => {
  const subject = openSqliteUnderTest();
  subject.database.prepare(sql);
  expect(String(await failureOf(Promise.resolve(subject[Symbol.asyncDispose]())))).toContain(step);
});

test('the search index and its queries neither scan nor sort a growing table', async () => {
  await using subject = openSqliteUnderTest();
  const { store, dataDir } = subject;
  const { id: hubId } = await insertHub(store);
  const post = newPost(await insertKey(store, newKey(hubId)), { body: 'Tally' });
  await insertPost(store, post);
  const queries = spyOn(Database.prototype, 'query');
  using index = new SearchIndex({ dataDir, databaseFile: DATABASE_FILE });
  while (index.followRun());
  await updateItem(store, post.id, { at: 3, userId: null, changes: { body: 'Tally-ho' } });
  while (index.followRun());
  using reader = new SearchReader({ dataDir, databaseFile: DATABASE_FILE, monotonic: () => 0 });
  reader.find({ terms: [{ text: 'Tally', isPrefix: true }], hubIds: [hubId], limit: 10, from: 1, to: 2 });
  const statements = queries.mock.calls.map(([sql]) => sql).filter((sql) => / (?:items|touched_items) /.test(sql));
  queries.mockRestore();
  expect(statements.length).toBeGreaterThan(3);
  expect((await Promise.all(statements.map(costlySteps))).flat()).toEqual([]);
});
