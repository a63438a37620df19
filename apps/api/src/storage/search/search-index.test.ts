import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { cpSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { failureOf, until } from '@hub/testkit/concurrency';
import { shared } from '@hub/testkit/in-process/shared';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { newKey, newPost } from '../../../test/store/records.ts';
import { openSqliteUnderTest } from '../../../test/store/under-test.ts';
import { deleteItem, insertHub, insertKey, insertPost, updateItem } from '../../../test/store/writes.ts';
import type { Log } from '../../platform/ports.ts';
import { DATABASE_FILE } from '../sqlite/open-store.ts';
import { SEARCH_FILE, SearchIndex, type SearchIndexOptions } from './search-index.ts';
import { SearchReader } from './search-reader.ts';
import { startSearchThread } from './search-thread.ts';

const subject = shared(async () => openSqliteUnderTest());
const key = shared(async () => insertKey(subject.store, newKey((await insertHub(subject.store)).id)));

async function post(body: string): Promise<string> {
  const record = newPost(key, { body });
  await insertPost(subject.store, record);
  return record.id;
}

function openIndex(options: Partial<SearchIndexOptions> = {}) {
  const files = { dataDir: subject.dataDir, databaseFile: DATABASE_FILE, ...options };
  const of = new SearchIndex(files);
  /** Like the thread for queries, which opens the index again when it is replaced. */
  const read = (text: string, limit = 10): unknown[] => {
    using reader = new SearchReader({ ...files, monotonic: () => 0 });
    const find = subject.database.query('SELECT id FROM items WHERE global_seq = ?');
    const globalSeqs = reader.find({ terms: [{ text, isPrefix: false }], hubIds: [key.hubId], limit });
    return globalSeqs.map((globalSeq) => find.values(globalSeq)[0]?.[0]);
  };
  const ids = (word: string, limit?: number): unknown[] => {
    while (of.followRun());
    return read(word, limit);
  };
  return { of, read, ids, [Symbol.dispose]: () => of.close() };
}

test('the search index picks up items added since its last position, each of them once', async () => {
  const one = await post('wanderfalke one');
  {
    using former = openIndex();
    expect(former.ids('wanderfalke')).toEqual([one]);
  }
  const two = await post('wanderfalke two');
  using index = openIndex();
  expect(index.ids('wanderfalke')).toEqual([two, one]);
});

test('the search index picks up deletions even before it indexes them, and finds results behind thousands of deleted items', async () => {
  const kept = [await post('kittiwake'), await post('kittiwake'), await post('kittiwake')].reverse();
  const gone: string[] = [];
  for (let n = 0; n < 1_100; n += 1) gone.push(await post('kittiwake'));
  using index = openIndex();
  expect(index.ids('kittiwake', 1)).toEqual(gone.slice(-1));
  for (const itemId of gone) await deleteItem(subject.store, itemId, 1);
  expect(index.read('kittiwake', 2)).toEqual(kept.slice(0, 2));
  expect(index.read('kittiwake', 50)).toEqual(kept);
});

const search = () => new Database(join(subject.dataDir, SEARCH_FILE));

test('the search index is rebuilt when it is ahead of the items, as after a snapshot is restored', async () => {
  const id = await post('basilisk');
  {
    using former = openIndex();
    expect(former.ids('basilisk')).toEqual([id]);
    using raw = search();
    raw.exec('UPDATE position SET global_seq = global_seq + 1000; DELETE FROM items_search');
  }
  using index = openIndex();
  expect(index.ids('basilisk')).toEqual([id]);
});

test('the search index is rebuilt if change records were erased before it had read them, even while it is open', async () => {
  const id = await post('dodo');
  using index = openIndex();
  index.ids('dodo');
  await updateItem(subject.store, id, { at: 1, userId: null, changes: { body: 'solitaire' } });
  await post('the very last change');
  subject.database.exec('DELETE FROM touched_items');
  expect(index.ids('dodo')).toEqual([]);
  expect(index.ids('solitaire')).toEqual([id]);
});

test('the search index is rebuilt when a query finds it damaged', async () => {
  const id = await post('roc');
  const reasons: string[] = [];
  using index = openIndex({ onDamaged: (reason) => reasons.push(reason) });
  expect(index.ids('roc')).toEqual([id]);
  // Overwrites all pages except the first, after a change that makes the index reread its pages.
  const raw = search();
  raw.exec('UPDATE position SET global_seq = global_seq + 1; UPDATE position SET global_seq = global_seq - 1');
  raw.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  raw.close();
  const file = join(subject.dataDir, SEARCH_FILE);
  writeFileSync(file, readFileSync(file).fill(0xa5, 4096));
  expect(() => index.read('roc')).toThrow();
  index.of.replaceDamaged('a query has found it damaged');
  expect(reasons).toEqual(['a query has found it damaged']);
  expect(index.ids('roc')).toEqual([id]);
});

test('the search index is not rebuilt when it temporarily cannot be opened, as on a full disk', async () => {
  await post('garuda');
  using former = openIndex();
  former.ids('garuda');
  using folder = temporaryFolder();
  for (const name of ['hub.db', 'hub.db-wal', 'search.db', 'search.db-wal'])
    cpSync(join(subject.dataDir, name), folder.file(name));
  const [dataDir, file] = [folder.path, folder.file(SEARCH_FILE)];
  const other = new Database(file);
  other.exec('PRAGMA locking_mode = EXCLUSIVE');
  other.exec('CREATE TABLE of_this_very_file (n INTEGER)');
  expect(() => openIndex({ dataDir })).toThrow('locked');
  other.close();
  openIndex({ dataDir }).of.close();
  using same = new Database(file);
  expect(same.query('SELECT count(*) AS n FROM of_this_very_file').get()).toEqual({ n: 0 });
});

const log: Log = { debug() {}, info() {}, warn() {}, error() {} };
const startThread = (clock = new TestClock()) => startSearchThread({ dataDir: subject.dataDir, clock, log });
const forWord = (text: string) => ({ terms: [{ text, isPrefix: false }], hubIds: [key.hubId], limit: 10 });
const costly = () => forWord(`${'ab '.repeat(64)}qx`);
const error = { code: 'unavailable', message: expect.stringContaining('Search is temporarily unavailable') };

test('the search index thread returns the right results for simultaneous queries', async () => {
  const thread = startThread();
  for (const body of ['gecko', 'iguana iguana', 'iguana']) await post(body);
  const responses = await Promise.all(
    ['gecko', 'iguana', 'absent', 'gecko'].map((word) => thread.find(forWord(word), 'ada')),
  );
  expect(responses.map((globalSeqs) => globalSeqs.length)).toEqual([1, 2, 0, 1]);
  await thread.close();
});

test('the search index thread gives up a query after three seconds, whose caller waits for its end while others search', async () => {
  const clock = new TestClock();
  const thread = startThread(clock);
  for (let n = 0; n < 40; n += 1) await post(`qx ${'ab '.repeat(66_000)}`);
  expect(await thread.find(forWord('qx'), 'ada')).toHaveLength(10);
  const sleeping = clock.sleeping;
  const rejection = failureOf(thread.find(costly(), 'ada'));
  await clock.untilSleeping(sleeping + 2);
  expect(await thread.find(forWord('qx'), 'bob')).toHaveLength(10);
  clock.advance(3_000);
  expect(await rejection).toMatchObject({ message: expect.stringContaining('took too long') });
  const again = thread.find(forWord('qx'), 'ada');
  await expect(again).rejects.toMatchObject({ code: 'unavailable', headers: { 'retry-after': '5' } });
  expect(await thread.find(forWord('qx'), 'bob')).toHaveLength(10);
  expect(await until(60_000, async () => (await failureOf(thread.find(forWord('qx'), 'ada'))) === null)).toBe(true);
  await thread.close();
});

test('the search index thread closes within a few seconds, whatever its threads do, and rejects further queries', async () => {
  const clock = new TestClock();
  const thread = startThread(clock);
  expect(await thread.find(forWord('qx'), 'bob')).toHaveLength(10);
  const rejection = failureOf(thread.find(costly(), 'ada'));
  expect(await thread.find(forWord('qx'), 'bob')).toHaveLength(10);
  const closed = thread.close();
  clock.advance(1_000);
  // The index thread has nothing to do, and ends by itself.
  await closed;
  clock.advance(3_000);
  expect(await rejection).toMatchObject({ code: 'unavailable' });
  await expect(thread.find(forWord('chameleon'), 'ada')).rejects.toMatchObject(error);
});

test('the search index thread works again after a rebuild of its index has failed', async () => {
  const file = join(subject.dataDir, SEARCH_FILE);
  const thread = startThread();
  const axolotl = newPost(key, { body: 'axolotl' });
  await insertPost(subject.store, axolotl);
  const finds = (word: string) => until(60_000, async () => (await thread.find(forWord(word), 'ada')).length === 1);
  // A thread of the test before may still be closing its connection, which locks the index.
  expect(await finds('axolotl')).toBe(true);
  // Without the record of this change, the index has to be rebuilt.
  await updateItem(subject.store, axolotl.id, { at: 1, userId: null, changes: { body: 'newt' } });
  subject.database.exec('DELETE FROM touched_items');
  // A folder in place of the file cannot be replaced, as on a disk with errors.
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  mkdirSync(file);
  await expect(thread.find(forWord('newt'), 'ada')).rejects.toMatchObject(error);
  rmdirSync(file);
  // A search does not wait until all is indexed again.
  expect(await finds('newt')).toBe(true);
  await thread.close();
});
