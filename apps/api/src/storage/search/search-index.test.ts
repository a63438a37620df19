import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { openSqliteUnderTest, type SqliteUnderTest } from '../../../test/support/sqlite-under-test.ts';
import { newKey, newPost } from '../../../test/support/store-records.ts';
import { deleteItem, insertHub, insertKey, insertPost, updateItem } from '../../../test/support/store-writes.ts';
import type { SearchQuery } from '../item-search.ts';
import type { NewPost } from '../item-store.ts';
import type { KeyListing } from '../key-store.ts';
import { DATABASE_FILE } from '../sqlite/open-store.ts';
import { SearchIndex } from './search-index.ts';

let subject: SqliteUnderTest;
let key: KeyListing;
let otherKey: KeyListing;

beforeAll(async () => {
  subject = openSqliteUnderTest();
  key = await keyOfNewHub();
  otherKey = await keyOfNewHub();
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
  const { dataDir } = subject;
  const of = new SearchIndex({ dataDir, databaseFile: DATABASE_FILE, monotonic: () => performance.now() });
  const follow = (): void => {
    while (of.followRun());
  };
  const ids = (wanted: string | string[], over: Partial<SearchQuery> = {}): string[] => {
    follow();
    const texts = typeof wanted === 'string' ? [wanted] : wanted;
    const query = { terms: texts.map((text) => ({ text, isPrefix: false })), hubIds: [key.hubId], limit: 10, ...over };
    return of.find(query).map(idOf);
  };
  return { of, follow, ids, [Symbol.dispose]: () => of.close() };
}

function idOf(rank: number): string {
  const found = subject.database.query<{ id: string }, [number]>('SELECT id FROM items WHERE rank = ?').get(rank);
  return found?.id ?? `nothing at ${rank}`;
}

describe('the search index finds', () => {
  test('an item by its words, in any order, ignoring accents and case', async () => {
    const id = await post('Le résumé du Déploiement');
    await post('nothing of the kind');
    using index = openIndex();
    expect(index.ids(['deploiement', 'RESUME'])).toEqual([id]);
    expect(index.ids(['resume', 'absent'])).toEqual([]);
  });

  test('words spelled with ß when the query has ss, and vice versa', async () => {
    const [sharp, plain] = [await post('Die Straße'), await post('DIE STRASSE')];
    using index = openIndex();
    for (const word of ['straße', 'STRAẞE', 'strasse']) expect(index.ids(word)).toEqual([plain, sharp]);
    expect(index.ids([], { terms: [{ text: 'straß', isPrefix: true }] })).toEqual([plain, sharp]);
  });

  test('words of the title', async () => {
    const id = await post('body', { kind: 'note', title: 'Heading ostrich' });
    using index = openIndex();
    expect(index.ids(['ostrich', 'body'])).toEqual([id]);
  });

  test('an exact phrase only if its words are in the same order', async () => {
    const id = await post('the build is green again');
    using index = openIndex();
    expect(index.ids('build is green')).toEqual([id]);
    expect(index.ids('green is build')).toEqual([]);
  });

  test('a prefix, but only on request and with at least two letters', async () => {
    const id = await post('quixotic');
    using index = openIndex();
    const begins = (text: string) => index.ids([], { terms: [{ text, isPrefix: true }] });
    expect(begins('quix')).toEqual([id]);
    expect(index.ids('quix')).toEqual([]);
    expect(begins('q')).toEqual([]);
  });

  test('words inside text without spaces', async () => {
    const id = await post('本番環境へのデプロイが完了しました');
    using index = openIndex();
    expect(index.ids('デプロイ')).toEqual([id]);
    expect(index.ids('環境')).toEqual([id]);
    expect(index.ids('境環')).toEqual([]);
  });

  test('the text of blocks, but not their markup', async () => {
    const id = await post('', {
      body: null,
      blocks: '[{"type":"paragraph","data":{"text":"a <b>zebracrossing</b>"}}]',
    });
    using index = openIndex();
    expect(index.ids('zebracrossing')).toEqual([id]);
    expect(index.ids('paragraph')).toEqual([]);
  });

  test('quotation marks and operators in a query only as literal text', async () => {
    const id = await post('say "hello" OR goodbye');
    using index = openIndex();
    expect(index.ids(['"hello"', 'OR'])).toEqual([id]);
    for (const text of [
      'NEAR(hello goodbye)',
      'hello*goodbye',
      '") OR facets : ("',
      'title : hello',
      '^hello goodbye',
    ]) {
      expect(index.ids(text)).toEqual([]);
    }
  });

  test('nothing for symbols alone, and words despite symbols next to them', async () => {
    const id = await post('a lone marmoset 🚀');
    using index = openIndex();
    expect(index.ids('🚀')).toEqual([]);
    expect(index.ids(['🚀', 'marmoset'])).toEqual([id]);
  });

  test('the newest items first, or only those before a given rank', async () => {
    const ids = [await post('toucan 1'), await post('toucan 2'), await post('toucan 3')].toReversed();
    using index = openIndex();
    expect(index.ids('toucan', { limit: 2 })).toEqual(ids.slice(0, 2));
    const [, second] = index.of.find({ terms: [{ text: 'toucan', isPrefix: false }], hubIds: [key.hubId], limit: 2 });
    expect(index.ids('toucan', { beforeRank: second })).toEqual(ids.slice(2));
  });
});

describe('the search index finds only items', () => {
  test('in the requested Hubs, however many there are', async () => {
    const [mine, theirs] = [await post('pangolin'), await post('pangolin', {}, otherKey)];
    using index = openIndex();
    expect(index.ids('pangolin')).toEqual([mine]);
    expect(index.ids('pangolin', { hubIds: [otherKey.hubId] })).toEqual([theirs]);
    expect(index.ids('pangolin', { hubIds: [] })).toEqual([]);
    const many = Array.from({ length: 1_500 }, (_, n) => `hub_${n}`);
    expect(index.ids('pangolin', { hubIds: many })).toEqual([]);
    expect(index.ids('pangolin', { hubIds: [...many, key.hubId] })).toEqual([mine]);
    expect(index.ids('pangolin', { hubIds: [...many, key.hubId, otherKey.hubId], limit: 1 })).toEqual([theirs]);
  });

  test('in a few hundred Hubs, despite thousands of newer matches in other Hubs', async () => {
    const mine = await Promise.all([post('okapi'), post('okapi')]);
    await Promise.all(Array.from({ length: 2_100 }, () => post('okapi', {}, otherKey)));
    using index = openIndex();
    const some = Array.from({ length: 200 }, (_, n) => `hub_${n}`);
    expect(index.ids('okapi', { hubIds: [...some, key.hubId] })).toEqual(mine.toReversed());
    expect(index.ids('okapi', { hubIds: some })).toEqual([]);
    const [first] = index.of.find({
      terms: [{ text: 'okapi', isPrefix: false }],
      hubIds: [...some, key.hubId],
      limit: 1,
    });
    expect(index.ids('okapi', { hubIds: [...some, key.hubId], beforeRank: first })).toEqual(mine.slice(0, 1));
  });

  test('of the requested kind, key and author', async () => {
    const message = await post('narwhal');
    const note = await post('narwhal', { kind: 'note' });
    using index = openIndex();
    expect(index.ids('narwhal', { kind: 'note' })).toEqual([note]);
    expect(index.ids('narwhal', { keyId: key.id })).toEqual([note, message]);
    expect(index.ids('narwhal', { keyId: otherKey.id })).toEqual([]);
    const { botId } = await subject.store.workspace.find();
    expect(index.ids('narwhal', { authorId: botId, kind: 'message' })).toEqual([message]);
    expect(index.ids('narwhal', { authorId: 'usr_nobody' })).toEqual([]);
    expect(index.ids('narwhal', { authorId: '"' })).toEqual([]);
  });

  test('with matching text, not with a matching id or kind name', async () => {
    await post('axolotl');
    using index = openIndex();
    for (const word of [key.hubId, key.id, 'kindmessage', key.hubId.replace('_', '')]) {
      expect(index.ids(word)).toEqual([]);
    }
  });
});

describe('the search index picks up', () => {
  test('items added since its last position, each of them once', async () => {
    const one = await post('wanderfalke one');
    const first = openIndex();
    first.follow();
    first.of.close();
    const two = await post('wanderfalke two');
    using index = openIndex();
    expect(index.ids('wanderfalke')).toEqual([two, one]);
  });

  test('an edit: the new text is found, the old text is not', async () => {
    const id = await post('before the kestrel');
    using index = openIndex();
    expect(index.ids('kestrel')).toEqual([id]);
    await updateItem(subject.store, id, { at: 1, personId: null, changes: { body: 'after the buzzard' } });
    expect(index.ids('kestrel')).toEqual([]);
    expect(index.ids('buzzard')).toEqual([id]);
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
      index.of.find({ terms: [{ text: 'kittiwake', isPrefix: false }], hubIds: [key.hubId], limit }).map(idOf);
    expect(find(2)).toEqual(kept.slice(0, 2));
    expect(find(50)).toEqual(kept);
  });

  test('many changes in many runs', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 600; n += 1) ids.push(await post('stork'));
    using index = openIndex();
    index.follow();
    for (const itemId of ids) {
      await updateItem(subject.store, itemId, { at: 1, personId: null, changes: { body: 'heron' } });
    }
    expect(index.ids('stork')).toEqual([]);
    expect(index.ids('heron', { limit: 1_000 })).toEqual(ids.toReversed());
  });
});
