import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { openSqliteUnderTest, type SqliteUnderTest } from '@hub/testkit/in-process/sqlite-under-test';
import { newKey, newPost } from '@hub/testkit/storage/store-records';
import { deleteItem, insertHub, insertKey, insertPost, updateItem } from '@hub/testkit/storage/store-writes';
import { describeSearch } from '../contract-suite/search-contract.ts';
import type { SearchQuery } from '../item-search.ts';
import type { NewPost } from '../items.ts';
import type { KeyListing } from '../keys.ts';
import { DATABASE_FILE } from '../sqlite/open-store.ts';
import { SearchIndex } from './search-index.ts';
import { SearchReader } from './search-reader.ts';

let subject: SqliteUnderTest;
let key: KeyListing;

beforeAll(async () => {
  subject = openSqliteUnderTest();
  key = await keyOfNewHub();
});
afterAll(() => subject.dispose());

async function keyOfNewHub(): Promise<KeyListing> {
  const hub = await insertHub(subject.store);
  return insertKey(subject.store, newKey(hub.id));
}

async function post(body: string, over: Partial<NewPost> = {}, by = key): Promise<string> {
  const record = newPost(by, { body, ...over });
  await insertPost(subject.store, record);
  return record.id;
}

function openIndex() {
  const files = { dataDir: subject.dataDir, databaseFile: DATABASE_FILE };
  const of = new SearchIndex(files);
  const reader = new SearchReader({ ...files, monotonic: () => performance.now() });
  const follow = (): void => {
    while (of.followRun());
  };
  const ids = (wanted: string | string[], over: Partial<SearchQuery> = {}): string[] => {
    follow();
    const texts = typeof wanted === 'string' ? [wanted] : wanted;
    const query = { terms: texts.map((text) => ({ text, isPrefix: false })), hubIds: [key.hubId], limit: 10, ...over };
    return reader.find(query).map(idOf);
  };
  const close = (): void => {
    reader.close();
    of.close();
  };
  return { reader, follow, ids, close, [Symbol.dispose]: close };
}

function idOf(globalSeq: number): string {
  const found = subject.database
    .query<{ id: string }, [number]>('SELECT id FROM items WHERE global_seq = ?')
    .get(globalSeq);
  return found?.id ?? `nothing at ${globalSeq}`;
}

describeSearch('SQLite', async () => {
  const { store, dataDir, dispose } = openSqliteUnderTest();
  const files = { dataDir, databaseFile: DATABASE_FILE };
  const index = new SearchIndex(files);
  const reader = new SearchReader({ ...files, monotonic: () => performance.now() });
  return {
    store,
    find: async (query) => {
      while (index.followRun());
      return reader.find(query);
    },
    dispose: async () => {
      reader.close();
      index.close();
      await dispose();
    },
  };
});

describe('the search index picks up', () => {
  test('items added since its last position, each of them once', async () => {
    const one = await post('wanderfalke one');
    const first = openIndex();
    first.follow();
    first.close();
    const two = await post('wanderfalke two');
    using index = openIndex();
    expect(index.ids('wanderfalke')).toEqual([two, one]);
  });

  test('a deletion, even one made before the item was indexed', async () => {
    const [read, unread] = [await post('lemming'), await post('lemming')];
    using index = openIndex();
    await deleteItem(subject.store, unread, 1);
    expect(index.ids('lemming')).toEqual([read]);
    await deleteItem(subject.store, read, 1);
    expect(index.ids('lemming')).toEqual([]);
  });

  test('deletions even before it indexes them, and finds results behind thousands of deleted items', async () => {
    const kept = [await post('kittiwake'), await post('kittiwake'), await post('kittiwake')].reverse();
    const gone: string[] = [];
    for (let n = 0; n < 1_100; n += 1) gone.push(await post('kittiwake'));
    using index = openIndex();
    expect(index.ids('kittiwake', { limit: 1 })).toEqual(gone.slice(-1));
    for (const itemId of gone) await deleteItem(subject.store, itemId, 1);
    const find = (limit: number) =>
      index.reader.find({ terms: [{ text: 'kittiwake', isPrefix: false }], hubIds: [key.hubId], limit }).map(idOf);
    expect(find(2)).toEqual(kept.slice(0, 2));
    expect(find(50)).toEqual(kept);
  });

  test('many changes in many runs', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 600; n += 1) ids.push(await post('stork'));
    using index = openIndex();
    index.follow();
    for (const itemId of ids) {
      await updateItem(subject.store, itemId, { at: 1, userId: null, changes: { body: 'heron' } });
    }
    expect(index.ids('stork')).toEqual([]);
    expect(index.ids('heron', { limit: 1_000 })).toEqual(ids.toReversed());
  });
});
