import { wordsIn } from '@hub/contract/search-text';
import { sql } from 'drizzle-orm';
import { oneAtATime } from '../../platform/repeat.ts';
import { given, rawQuery } from '../engine/query.ts';
import { isStatementTimeout } from '../engine/storage-error.ts';
import { rawWrite } from '../engine/write.ts';
import type { ItemIndexing, ItemRecord } from '../items.ts';
import { searchedPhrase, textOf } from '../search/fts-query.ts';
import { type ItemSearch, type SearchQuery, type SearchTerm, searchTooSlow } from '../store.ts';
import type { Connection, ReadConnection } from './engine/connection.ts';

/** PostgreSQL rejects a `tsvector` of more than 1 MiB. A text of other than Arabic ligatures stays far below it. */
const MAX_WORDS_BYTES = 1_000_000;
/** Longer words, which PostgreSQL could not store, are found by their beginning. */
const MAX_WORD_LENGTH = 255;
/** A query that names more Hubs than this takes longer than examining the results in other Hubs, too. */
const MAX_HUBS_NAMED = 100;

/** Returns the words of a text that is indexable, as PostgreSQL can store them. */
export function termsIn(text: string): string[] {
  return wordsIn(text).map((word) =>
    word.length > MAX_WORD_LENGTH ? word.slice(0, MAX_WORD_LENGTH).replace(/[\ud800-\udbff]$/, '') : word,
  );
}

/** The words of a phrase, between spaces, so that it is found only as whole words. */
const spaced = (words: readonly string[]): string => ` ${words.join(' ')} `;

/** A word that no text contains, so that a search can be limited to some Hubs. */
const hubToken = (hubId: string): string => `:${hubId}`;

type IndexedText = Pick<ItemRecord, 'hubId' | 'title' | 'body' | 'blocks' | 'files'>;

export function indexedTerms(item: IndexedText): { words: string[]; phrases: string } {
  const { title, body } = textOf(item);
  const [inTitle, inBody] = [termsIn(title), termsIn(body)];
  return {
    words: thatFit([...new Set([hubToken(item.hubId), ...inTitle, ...inBody])]),
    // The line break keeps a phrase from matching the end of the title and the beginning of the body.
    phrases: `${spaced(inTitle)}\n${spaced(inBody)}`,
  };
}

function thatFit(words: string[]): string[] {
  // Words have at most 765 bytes.
  if (words.length < MAX_WORDS_BYTES / 1_000) return words;
  let bytes = 0;
  const end = words.findIndex((word) => {
    bytes += Buffer.byteLength(word);
    return bytes > MAX_WORDS_BYTES;
  });
  return end === -1 ? words : words.slice(0, end);
}

const saveTerms = rawWrite(
  sql`insert into item_terms (global_seq, words, phrases)
    select global_seq, array_to_tsvector(${given('words')}::text[]), ${given('phrases')}::text
      from items where id = ${given('id')}
    on conflict (global_seq) do update set words = excluded.words, phrases = excluded.phrases`,
);
const readTexts = rawQuery(
  sql`select id, (select id from hubs where number = hub_number), title, body, blocks, files from items
    where global_seq = any(${given('globalSeqs')}::bigint[])`,
  ([id, hubId, ...texts]: [string, string, ...(string | null)[]]) => {
    const [title = null, body = null, blocks = null, files = null] = texts;
    return { id, hubId, title, body, blocks, files };
  },
);
const eraseTerms = rawWrite(sql`delete from item_terms where global_seq = any(${given('globalSeqs')}::bigint[])`);

/** So many posts have about 8 MiB of terms, which a search still reads one by one. */
const MERGED_POSTS = 2_000;
const merge = rawQuery(sql`select gin_clean_pending_list('item_terms_by_word')`, () => null);

/** Returns what merges new terms into their index, for each so many posts, so that no post has to wait for it. */
export function mergeTerms(on: ReadConnection): (posts: number) => void {
  const run = oneAtATime(async () => {
    // It goes on next time. Searches find the terms anyway.
    await on.first(merge).catch(() => {});
  });
  let added = 0;
  return (posts) => {
    added += posts;
    if (added < MERGED_POSTS) return;
    added = 0;
    void run();
  };
}

/** Searches use only these fields; the others they read from the items themselves. */
const INDEXED_FIELDS = ['title', 'body', 'blocks', 'files'];

/** Saves the words of items in the transaction that writes them, so that a search finds what was committed. */
export function itemTermsOn(on: Connection): ItemIndexing {
  const save = ({ id, ...item }: IndexedText & { id: string }) => on.run(saveTerms, { id, ...indexedTerms(item) });
  return {
    inserted: async (item) => {
      await save(item);
    },
    changed: async (globalSeqs, fields) => {
      if (!fields.some((field) => INDEXED_FIELDS.includes(field))) return;
      for (const item of await on.all(readTexts, { globalSeqs: [...globalSeqs] })) await save(item);
    },
    erased: async (globalSeqs) => {
      await on.run(eraseTerms, { globalSeqs: [...globalSeqs] });
    },
    eraseTouched: () => 0,
  };
}

const find = rawQuery(
  sql`select item_terms.global_seq from item_terms
      join items on items.global_seq = item_terms.global_seq
      join hubs on hubs.number = items.hub_number
    where item_terms.words @@ ${given('words')}::text::tsquery
      and not exists (select 1 from unnest(${given('phrases')}::text[]) as phrase
        where strpos(item_terms.phrases, phrase) = 0)
      and items.deleted_at is null and hubs.id = any(${given('hubIds')}::text[])
      and (${given('kinds')}::text[] is null or items.kind = any(${given('kinds')}::text[]))
      and (${given('keyId')}::text is null or items.key_id = ${given('keyId')})
      and (${given('authorId')}::text is null or items.author_id = ${given('authorId')})
      and (${given('status')}::text is null or items.status = ${given('status')})
      and items.created_at >= ${given('from')}::bigint and items.created_at < ${given('to')}::bigint
      and item_terms.global_seq < ${given('beforeGlobalSeq')}::bigint
    order by item_terms.global_seq desc limit ${given('limit')}::bigint`,
  ([globalSeq]: [string]) => Number(globalSeq),
);

/** The full-text search over all items. The index is part of the database, and never lags behind the items. */
export function postgresSearch(on: ReadConnection): ItemSearch {
  return {
    find: async ({ terms, hubIds, kind, keyId, authorId, status, from, to, beforeGlobalSeq, limit }: SearchQuery) => {
      const phrases = terms.map(phraseOf).filter(({ words }) => words.length > 0);
      if (phrases.length === 0 || hubIds.length === 0) return [];
      const areNamed = hubIds.length <= MAX_HUBS_NAMED;
      const hubs = areNamed ? [`(${hubIds.map((id) => quoted(hubToken(id))).join(' | ')})`] : [];
      const found = on.all(find, {
        words: [...phrases.flatMap(operandsOf), ...hubs].join(' & '),
        phrases: phrases
          .filter(({ words }) => words.length > 1)
          .map(({ words, isPrefix }) => (isPrefix ? spaced(words).trimEnd() : spaced(words))),
        hubIds: [...hubIds],
        kinds: kind === undefined ? null : kind === 'message' ? ['message', 'reply'] : [kind],
        keyId: keyId ?? null,
        authorId: authorId ?? null,
        status: status ?? null,
        from: from ?? Number.MIN_SAFE_INTEGER,
        to: to ?? Number.MAX_SAFE_INTEGER,
        beforeGlobalSeq: beforeGlobalSeq ?? Number.MAX_SAFE_INTEGER,
        limit,
      });
      return found.catch((error) => {
        throw isStatementTimeout(error) ? searchTooSlow() : error;
      });
    },
  };
}

interface Phrase {
  words: string[];
  isPrefix: boolean;
}

function phraseOf(term: SearchTerm): Phrase {
  const { text, isPrefix } = searchedPhrase(term);
  return { words: termsIn(text), isPrefix };
}

function operandsOf({ words, isPrefix }: Phrase): string[] {
  return words.map((word, index) => `${quoted(word)}${isPrefix && index === words.length - 1 ? ':*' : ''}`);
}

/** Quotes a word for PostgreSQL's `tsquery`. */
function quoted(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
