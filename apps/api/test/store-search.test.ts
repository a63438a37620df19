import { describe, expect, test } from 'bun:test';
import { shared } from '@hub/testkit/in-process/shared';
import { isOnPostgres } from '@hub/testkit/in-process/test-storage';
import type { NewPost } from '../src/storage/items.ts';
import { SearchIndex } from '../src/storage/search/search-index.ts';
import { SearchReader } from '../src/storage/search/search-reader.ts';
import { DATABASE_FILE } from '../src/storage/sqlite/open-store.ts';
import type { SearchQuery } from '../src/storage/store.ts';
import { newKey, newPost } from './store/records.ts';
import { openPostgresUnderTest, openSqliteUnderTest } from './store/under-test.ts';
import { insertHub, insertKey, insertPost, updateItem } from './store/writes.ts';

/** A search over a new store. `find` considers everything committed before the call. */
async function openSearch() {
  if (isOnPostgres) {
    const opened = await openPostgresUnderTest();
    return { ...opened, find: (query: SearchQuery) => opened.store.search.find(query, 'ada') };
  }
  const opened = openSqliteUnderTest();
  const files = { dataDir: opened.dataDir, databaseFile: DATABASE_FILE };
  const index = new SearchIndex(files);
  const reader = new SearchReader({ ...files, monotonic: () => 0 });
  return {
    store: opened.store,
    find: async (query: SearchQuery) => {
      while (index.followRun());
      return reader.find(query);
    },
    [Symbol.asyncDispose]: async () => {
      reader.close();
      index.close();
      await opened[Symbol.asyncDispose]();
    },
  };
}

const subject = shared(openSearch);
const keyOfNewHub = async () => insertKey(subject.store, newKey((await insertHub(subject.store)).id));
const [key, otherKey] = [shared(keyOfNewHub), shared(keyOfNewHub)];
const post = async (body: string, over: Partial<NewPost> = {}, by = key): Promise<string> => {
  const record = newPost(by, { body, ...over });
  await insertPost(subject.store, record);
  return record.id;
};
/** Returns the ids of the results, in their order. */
const idsOf = async (wanted: string | string[], over: Partial<SearchQuery> = {}): Promise<string[]> => {
  const terms = [wanted].flat().map((text) => ({ text, isPrefix: false }));
  const globalSeqs = await subject.find({ terms, hubIds: [key.hubId], limit: 10, ...over });
  const items = await subject.store.items.listByGlobalSeq(globalSeqs, [key.hubId, otherKey.hubId]);
  const idOf = (globalSeq: number) => items.find((item) => item.globalSeq === globalSeq)?.id;
  return globalSeqs.map((globalSeq) => idOf(globalSeq) ?? `nothing at ${globalSeq}`);
};

describe('finds', () => {
  test('words spelled with ß when the query has ss, and vice versa', async () => {
    const [sharp, plain] = [await post('Die Straße'), await post('DIE STRASSE')];
    for (const word of ['straße', 'STRAẞE', 'strasse']) expect(await idsOf(word)).toEqual([plain, sharp]);
    expect(await idsOf([], { terms: [{ text: 'straß', isPrefix: true }] })).toEqual([plain, sharp]);
  });

  test('an exact phrase only if its words are in the same order', async () => {
    const id = await post('the build is green again');
    expect(await idsOf('build is green')).toEqual([id]);
    expect(await idsOf('green is build')).toEqual([]);
  });

  test('a prefix, but only on request and with at least three letters or two Korean syllables', async () => {
    const [id, korean] = [await post('quixotic'), await post('서울에서')];
    const begins = (text: string) => idsOf([], { terms: [{ text, isPrefix: true }] });
    expect(await idsOf('qui')).toEqual([]);
    expect(await begins('qui')).toEqual([id]);
    expect(await begins('qu')).toEqual([]);
    expect(await begins('서울')).toEqual([korean]);
    expect(await begins('서')).toEqual([]);
  });

  test('words inside text without spaces', async () => {
    const id = await post('本番環境へのデプロイが完了しました');
    expect(await idsOf('デプロイ')).toEqual([id]);
    expect(await idsOf('環境')).toEqual([id]);
    expect(await idsOf('境環')).toEqual([]);
  });

  test('the text of blocks, but not their markup', async () => {
    const blocks = '[{"type":"paragraph","data":{"text":"a <b>zebracrossing</b>"}}]';
    const id = await post('', { body: null, blocks });
    expect(await idsOf('zebracrossing')).toEqual([id]);
    expect(await idsOf('paragraph')).toEqual([]);
  });

  test('quotation marks and operators in a query only as literal text', async () => {
    const id = await post('say "hello" OR goodbye');
    expect(await idsOf(['"hello"', 'OR'])).toEqual([id]);
    const operators = ['NEAR(hello goodbye)', 'hello*goodbye', '") OR facets : ("', 'title : hello', '^hello goodbye'];
    for (const text of operators) expect([text, await idsOf(text)]).toEqual([text, []]);
  });

  test('the text and the files of an item after an edit, and not the text before it', async () => {
    const id = await post('before the kestrel');
    expect(await idsOf('kestrel')).toEqual([id]);
    await updateItem(subject.store, id, { at: 1, userId: null, changes: { body: 'after the buzzard' } });
    expect(await idsOf('kestrel')).toEqual([]);
    expect(await idsOf('buzzard')).toEqual([id]);
    const files = JSON.stringify([{ id: 'fil_1', name: 'plover.png', size: 1, contentType: 'image/png' }]);
    await updateItem(subject.store, id, { at: 2, userId: null, changes: { files } });
    expect(await idsOf('plover')).toEqual([id]);
  });

  test('a phrase within the title or within the text, but not across them', async () => {
    await post('owl of the north', { kind: 'note', title: 'The great grey' });
    expect(await idsOf('great grey')).toHaveLength(1);
    expect(await idsOf('owl of')).toHaveLength(1);
    expect(await idsOf('grey owl')).toEqual([]);
  });

  test.each([
    ['Latin', 'İstanbul Łódź naïve', ['istanbul', 'LODZ', 'naive']],
    ['Greek', 'Ελλάδα: ΟΔΟΣ, οδός', ['ελλαδα', 'ΕΛΛΑΔΑ', 'Ελλάδα', 'ΟΔΌΣ', 'οδοσ']],
    ['Hebrew with points', 'שָׁלוֹם', ['שלום', 'שָׁלוֹם']],
    ['Arabic with marks', 'مُحَمَّد', ['محمد', 'مُحَمَّد', 'محـــمد']],
    ['full width', 'Ｄｅｐｌｏｙ２', ['deploy2', 'ＤＥＰＬＯＹ２']],
    ['decomposed Hangul', '한국'.normalize('NFD'), ['한국']],
  ])('words in %s, ignoring marks, case and width', async (_, text, words) => {
    const id = await post(text);
    for (const word of words) expect([word, await idsOf(word)]).toEqual([word, [id]]);
  });
});

test('finds only items in the requested Hubs, however many there are', async () => {
  const [mine, theirs] = [await post('pangolin'), await post('pangolin', {}, otherKey)];
  const many = Array.from({ length: 1_500 }, (_, n) => `hub_${n}`);
  const inHubs = (...hubIds: string[]) => idsOf('pangolin', { hubIds, limit: 1 });
  expect(await Promise.all([inHubs(key.hubId), inHubs(otherKey.hubId), inHubs()])).toEqual([[mine], [theirs], []]);
  expect(await Promise.all([inHubs(...many), inHubs(...many, key.hubId)])).toEqual([[], [mine]]);
  expect(await inHubs(...many, key.hubId, otherKey.hubId)).toEqual([theirs]);
});

test('finds only items in a few hundred Hubs, despite thousands of newer matches in other Hubs', async () => {
  const mine = [await post('okapi'), await post('okapi')];
  await Promise.all(Array.from({ length: 2_100 }, () => post('okapi', {}, otherKey)));
  const some = Array.from({ length: 200 }, (_, n) => `hub_${n}`);
  expect(await idsOf('okapi', { hubIds: some })).toEqual([]);
  const hubIds = [...some, key.hubId];
  expect(await idsOf('okapi', { hubIds })).toEqual(mine.toReversed());
  const [first] = await subject.find({ terms: [{ text: 'okapi', isPrefix: false }], hubIds, limit: 1 });
  expect(await idsOf('okapi', { hubIds, beforeGlobalSeq: first })).toEqual(mine.slice(0, 1));
});

test('finds only items of the requested kind, key and author', async () => {
  const [message, note] = [await post('narwhal'), await post('narwhal', { kind: 'note' })];
  const { botId } = await subject.store.workspace.find();
  for (const [over, ids] of [
    [{ kind: 'note' }, [note]],
    [{ keyId: key.id }, [note, message]],
    [{ keyId: otherKey.id }, []],
    [{ authorId: botId, kind: 'message' }, [message]],
    [{ authorId: 'usr_nobody' }, []],
    [{ authorId: '"' }, []],
  ] as [Partial<SearchQuery>, string[]][]) {
    expect([over, await idsOf('narwhal', over)]).toEqual([over, ids]);
  }
});
