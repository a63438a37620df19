import { blocksToText } from '@hub/contract/blocks/blocks-to-text';
import { namedCharacters } from '@hub/contract/markdown/named-characters';
import { withoutHtml } from '@hub/contract/markdown/without-html';
import { indexable } from '@hub/contract/search-text';
import type { ItemRecord } from '../items.ts';
import type { SearchQuery, SearchTerm } from '../store.ts';

/** The part of an item that the index needs. */
export type IndexedItem = Pick<
  ItemRecord,
  'globalSeq' | 'hubId' | 'kind' | 'keyId' | 'authorId' | 'status' | 'title' | 'body' | 'blocks' | 'files'
>;

/** A version that follows letters, as in `v1.2.3-rc.4`. It is indexed without them, too, so that `1.2.3` finds it. */
const LETTERED_VERSION = /[a-z](\d+\.\d\S{0,60})/g;

/** Nearly every item has words that begin with any two letters. Lists for these would slow indexing by a quarter. */
const MIN_PREFIX_LETTERS = 3;
/** A Korean word has few syllables, and begins like few others. */
const MIN_PREFIX_SYLLABLES = 2;
const SYLLABLE = /\p{sc=Hangul}/u;

export function columnsOf(item: IndexedItem): { title: string; body: string; facets: string } {
  const { hubId, kind, keyId, authorId, status } = item;
  const facets = [hubToken(hubId), kindToken(kind), tokenOf(authorId)];
  if (keyId !== null) facets.push(tokenOf(keyId));
  if (status !== null) facets.push(statusToken(status));
  return { ...textOf(item), facets: facets.join(' ') };
}

type IndexedText = Pick<IndexedItem, 'title' | 'body' | 'blocks' | 'files'>;

/** Returns the text of an item that searches find, with the names of its files. */
export function textOf(item: IndexedText): { title: string; body: string } {
  return { title: withBareVersions(item.title ?? ''), body: withBareVersions(readableText(item)) };
}

function withBareVersions(text: string): string {
  const plain = indexable(text);
  const versions = [...plain.matchAll(LETTERED_VERSION)].map(([, version]) => version);
  return versions.length === 0 ? plain : `${plain}\n${versions.join(' ')}`;
}

/**
 * Returns the query in FTS5 syntax (sqlite.org/fts5.html, section 3). All input is quoted, so nothing in it is an
 * operator. `hubIds` must not be empty; `null`: all Hubs.
 */
export function ftsExpression(
  { terms, kind, keyId, authorId, status }: SearchQuery,
  hubIds: readonly string[] | null,
): string {
  const facets = [
    ...(hubIds === null ? [] : [hubIds.map((id) => quoted(hubToken(id))).join(' OR ')]),
    ...(kind === undefined ? [] : [quoted(kindToken(kind))]),
    ...(keyId === undefined ? [] : [quoted(tokenOf(keyId))]),
    ...(authorId === undefined ? [] : [quoted(tokenOf(authorId))]),
    ...(status === undefined ? [] : [quoted(statusToken(status))]),
  ];
  return [`{title body} : (${terms.map(phrase).join(' ')})`, ...facets.map((facet) => `facets : (${facet})`)].join(
    ' AND ',
  );
}

function phrase(term: SearchTerm): string {
  const { text, isPrefix } = searchedPhrase(term);
  return `${quoted(text)}${isPrefix ? ' *' : ''}`;
}

/** Returns a term in the form in which text is indexed. */
export function searchedPhrase(term: SearchTerm): SearchTerm {
  const text = indexable(term.text);
  const last = /[\p{L}\p{N}]+[^\p{L}\p{N}]*$/u.exec(text)?.[0] ?? '';
  const minLength = SYLLABLE.test(last) ? MIN_PREFIX_SYLLABLES : MIN_PREFIX_LETTERS;
  return { text, isPrefix: term.isPrefix && [...last].length >= minLength };
}

const hubToken = tokenOf;
/** The index treats replies as messages. */
const kindToken = (kind: string): string => `kind${kind === 'reply' ? 'message' : kind}`;

const statusToken = (status: string): string => `status${status}`;

/** Returns an id as one word for the index, where punctuation would otherwise split it. */
function tokenOf(id: string): string {
  return id.replace(/[^A-Za-z0-9]/g, '');
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function readableText({ files, ...item }: IndexedText): string {
  const text = shownText(item);
  if (files === null) return text;
  return [text, ...(JSON.parse(files) as { name: string }[]).map(({ name }) => name)].join('\n');
}

function shownText({ body, blocks }: Pick<IndexedItem, 'body' | 'blocks'>): string {
  if (blocks !== null) return blocksToText(JSON.parse(blocks));
  // An emoji is not a word, but its shortcode is.
  const names = { entities: namedCharacters.entities };
  return withoutHtml(body ?? '', { names, hasAddresses: true });
}
