import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shared } from '@hub/testkit/in-process/shared';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { newKey, newPost } from '../../../test/store/records.ts';
import { openSqliteUnderTest } from '../../../test/store/under-test.ts';
import { deleteItem, insertHub, insertKey, insertPost, updateItem } from '../../../test/store/writes.ts';
import { DATABASE_FILE } from '../sqlite/open-store.ts';
import { SEARCH_FILE, SearchIndex, type SearchIndexOptions } from './search-index.ts';
import { SearchReader } from './search-reader.ts';

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

describe('the search index picks up', () => {
  test('items added since its last position, each of them once', async () => {
    const one = await post('wanderfalke one');
    {
      using former = openIndex();
      expect(former.ids('wanderfalke')).toEqual([one]);
    }
    const two = await post('wanderfalke two');
    using index = openIndex();
    expect(index.ids('wanderfalke')).toEqual([two, one]);
  });

  test('deletions even before it indexes them, and finds results behind thousands of deleted items', async () => {
    const kept = [await post('kittiwake'), await post('kittiwake'), await post('kittiwake')].reverse();
    const gone: string[] = [];
    for (let n = 0; n < 1_100; n += 1) gone.push(await post('kittiwake'));
    using index = openIndex();
    expect(index.ids('kittiwake', 1)).toEqual(gone.slice(-1));
    for (const itemId of gone) await deleteItem(subject.store, itemId, 1);
    expect(index.read('kittiwake', 2)).toEqual(kept.slice(0, 2));
    expect(index.read('kittiwake', 50)).toEqual(kept);
  });
});

describe('the search index', () => {
  const search = () => new Database(join(subject.dataDir, SEARCH_FILE));

  test('is rebuilt when it is ahead of the items, as after a snapshot is restored', async () => {
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

  test('is rebuilt if change records were erased before it had read them, even while it is open', async () => {
    const id = await post('dodo');
    using index = openIndex();
    index.ids('dodo');
    await updateItem(subject.store, id, { at: 1, userId: null, changes: { body: 'solitaire' } });
    await post('the very last change');
    subject.database.exec('DELETE FROM touched_items');
    expect(index.ids('dodo')).toEqual([]);
    expect(index.ids('solitaire')).toEqual([id]);
  });

  test('is rebuilt when a query finds it damaged', async () => {
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

  test('is not rebuilt when it temporarily cannot be opened, as on a full disk', async () => {
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
});
