import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { newKey, newPost } from '@hub/testkit/storage/store-records';
import { insertHub, insertKey, insertPost, updateItem } from '@hub/testkit/storage/store-writes';
import type { SearchQuery } from '../item-search.ts';
import type { NewPost } from '../items.ts';
import type { KeyListing } from '../keys.ts';
import type { Store } from '../store.ts';

/** A search over a store. `find` must consider everything committed before the call. */
interface SearchUnderTest {
  store: Store;
  find(query: SearchQuery): Promise<number[]>;
  dispose(): Promise<void>;
}

/** Describes what every full-text search promises. Call it with a function that opens a search over a new store. */
export function describeSearch(name: string, open: () => Promise<SearchUnderTest>): void {
  describe(`the search on ${name}`, () => {
    let subject: SearchUnderTest;
    let key: KeyListing;
    let otherKey: KeyListing;

    beforeAll(async () => {
      subject = await open();
      key = await keyOfNewHub();
      otherKey = await keyOfNewHub();
    });
    afterAll(() => subject.dispose());

    const keyOfNewHub = async (): Promise<KeyListing> => {
      const hub = await insertHub(subject.store);
      return insertKey(subject.store, newKey(hub.id));
    };
    const post = async (body: string, over: Partial<NewPost> = {}, by = key): Promise<string> => {
      const record = newPost(by, { body, ...over });
      await insertPost(subject.store, record);
      return record.id;
    };
    const search = {
      get store(): Store {
        return subject.store;
      },
      find: (query: SearchQuery) => subject.find(query),
      /** Returns the ids of the results, in their order. */
      ids: async (wanted: string | string[], over: Partial<SearchQuery> = {}): Promise<string[]> => {
        const texts = typeof wanted === 'string' ? [wanted] : wanted;
        const terms = texts.map((text) => ({ text, isPrefix: false }));
        const globalSeqs = await subject.find({ terms, hubIds: [key.hubId], limit: 10, ...over });
        const items = await subject.store.items.listByGlobalSeq(globalSeqs, [key.hubId, otherKey.hubId]);
        const idOf = (globalSeq: number) => items.find((item) => item.globalSeq === globalSeq)?.id;
        return globalSeqs.map((globalSeq) => idOf(globalSeq) ?? `nothing at ${globalSeq}`);
      },
    };

    describe('finds', () => {
      test('words spelled with ß when the query has ss, and vice versa', async () => {
        const [sharp, plain] = [await post('Die Straße'), await post('DIE STRASSE')];
        for (const word of ['straße', 'STRAẞE', 'strasse']) expect(await search.ids(word)).toEqual([plain, sharp]);
        expect(await search.ids([], { terms: [{ text: 'straß', isPrefix: true }] })).toEqual([plain, sharp]);
      });

      test('an exact phrase only if its words are in the same order', async () => {
        const id = await post('the build is green again');
        expect(await search.ids('build is green')).toEqual([id]);
        expect(await search.ids('green is build')).toEqual([]);
      });

      test('a prefix, but only on request and with at least three letters or two Korean syllables', async () => {
        const [id, korean] = [await post('quixotic'), await post('서울에서')];
        const begins = (text: string) => search.ids([], { terms: [{ text, isPrefix: true }] });
        expect(await begins('quix')).toEqual([id]);
        expect(await search.ids('quix')).toEqual([]);
        expect(await begins('qui')).toEqual([id]);
        expect(await begins('qu')).toEqual([]);
        expect(await begins('서울')).toEqual([korean]);
        expect(await begins('서')).toEqual([]);
      });

      test('words inside text without spaces', async () => {
        const id = await post('本番環境へのデプロイが完了しました');
        expect(await search.ids('デプロイ')).toEqual([id]);
        expect(await search.ids('環境')).toEqual([id]);
        expect(await search.ids('境環')).toEqual([]);
      });

      test('the text of blocks, but not their markup', async () => {
        const id = await post('', {
          body: null,
          blocks: '[{"type":"paragraph","data":{"text":"a <b>zebracrossing</b>"}}]',
        });
        expect(await search.ids('zebracrossing')).toEqual([id]);
        expect(await search.ids('paragraph')).toEqual([]);
      });

      test('quotation marks and operators in a query only as literal text', async () => {
        const id = await post('say "hello" OR goodbye');
        expect(await search.ids(['"hello"', 'OR'])).toEqual([id]);
        for (const text of [
          'NEAR(hello goodbye)',
          'hello*goodbye',
          '") OR facets : ("',
          'title : hello',
          '^hello goodbye',
        ]) {
          expect(await search.ids(text)).toEqual([]);
        }
      });

      test('the text of an item after an edit, and not the text before it', async () => {
        const id = await post('before the kestrel');
        expect(await search.ids('kestrel')).toEqual([id]);
        await updateItem(search.store, id, { at: 1, userId: null, changes: { body: 'after the buzzard' } });
        expect(await search.ids('kestrel')).toEqual([]);
        expect(await search.ids('buzzard')).toEqual([id]);
      });

      test('a phrase within the title or within the text, but not across them', async () => {
        await post('owl of the north', { kind: 'note', title: 'The great grey' });
        expect(await search.ids('great grey')).toHaveLength(1);
        expect(await search.ids('owl of')).toHaveLength(1);
        expect(await search.ids('grey owl')).toEqual([]);
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
        for (const word of words) expect([word, await search.ids(word)]).toEqual([word, [id]]);
      });
    });

    describe('finds only items', () => {
      test('in the requested Hubs, however many there are', async () => {
        const [mine, theirs] = [await post('pangolin'), await post('pangolin', {}, otherKey)];
        expect(await search.ids('pangolin')).toEqual([mine]);
        expect(await search.ids('pangolin', { hubIds: [otherKey.hubId] })).toEqual([theirs]);
        expect(await search.ids('pangolin', { hubIds: [] })).toEqual([]);
        const many = Array.from({ length: 1_500 }, (_, n) => `hub_${n}`);
        expect(await search.ids('pangolin', { hubIds: many })).toEqual([]);
        expect(await search.ids('pangolin', { hubIds: [...many, key.hubId] })).toEqual([mine]);
        expect(await search.ids('pangolin', { hubIds: [...many, key.hubId, otherKey.hubId], limit: 1 })).toEqual([
          theirs,
        ]);
      });

      test('in a few hundred Hubs, despite thousands of newer matches in other Hubs', async () => {
        const mine = [await post('okapi'), await post('okapi')];
        await Promise.all(Array.from({ length: 2_100 }, () => post('okapi', {}, otherKey)));
        const some = Array.from({ length: 200 }, (_, n) => `hub_${n}`);
        expect(await search.ids('okapi', { hubIds: [...some, key.hubId] })).toEqual(mine.toReversed());
        expect(await search.ids('okapi', { hubIds: some })).toEqual([]);
        const [first] = await search.find({
          terms: [{ text: 'okapi', isPrefix: false }],
          hubIds: [...some, key.hubId],
          limit: 1,
        });
        expect(await search.ids('okapi', { hubIds: [...some, key.hubId], beforeGlobalSeq: first })).toEqual(
          mine.slice(0, 1),
        );
      });

      test('of the requested kind, key and author', async () => {
        const message = await post('narwhal');
        const note = await post('narwhal', { kind: 'note' });
        expect(await search.ids('narwhal', { kind: 'note' })).toEqual([note]);
        expect(await search.ids('narwhal', { keyId: key.id })).toEqual([note, message]);
        expect(await search.ids('narwhal', { keyId: otherKey.id })).toEqual([]);
        const { botId } = await search.store.workspace.find();
        expect(await search.ids('narwhal', { authorId: botId, kind: 'message' })).toEqual([message]);
        expect(await search.ids('narwhal', { authorId: 'usr_nobody' })).toEqual([]);
        expect(await search.ids('narwhal', { authorId: '"' })).toEqual([]);
      });
    });
  });
}
