import { blocksToText } from '@hub/contract/blocks/blocks-to-text';
import { namedCharacters } from '@hub/contract/markdown/named-characters';
import { withoutHtml } from '@hub/contract/markdown/without-html';
import type { SearchQuery, SearchTerms } from '../item-search.ts';

/** What the index needs of an item. */
export interface IndexedItem {
  rank: number;
  hubId: string;
  kind: string;
  keyId: string | null;
  authorId: string;
  /** Of a to-do. */
  status: string | null;
  title: string | null;
  body: string | null;
  blocks: string | null;
}

/**
 * Scripts that put no spaces between words, of which the index would make one word per sentence. Each of their characters
 * is made a word: what was one word is then found as words that stand one after the other.
 */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu;

/** Nearly every item has a word that begins with any one letter: to look for them all would help nobody. */
const MIN_PREFIX_LETTERS = 2;

/** The columns of one item in the index. */
export function columnsOf(item: IndexedItem): { title: string; body: string; facets: string } {
  const { hubId, kind, keyId, authorId, status, title } = item;
  const facets = [hubToken(hubId), kindToken(kind), tokenOf(authorId)];
  if (keyId !== null) facets.push(tokenOf(keyId));
  if (status !== null) facets.push(statusToken(status));
  return { title: indexable(title ?? ''), body: indexable(readableText(item)), facets: facets.join(' ') };
}

/**
 * The query in the language of FTS5 (sqlite.org/fts5.html, section 3). Whatever people or programs have sent stands
 * in strings, where nothing is an operator. `hubIds`: those to restrict it to, which must not be empty; `null`: all.
 */
export function ftsExpression(
  { words, kind, keyId, authorId, status }: SearchQuery,
  hubIds: readonly string[] | null,
): string {
  const facets = [
    ...(hubIds === null ? [] : [hubIds.map((id) => quoted(hubToken(id))).join(' OR ')]),
    ...(kind === undefined ? [] : [quoted(kindToken(kind))]),
    ...(keyId === undefined ? [] : [quoted(tokenOf(keyId))]),
    ...(authorId === undefined ? [] : [quoted(tokenOf(authorId))]),
    ...(status === undefined ? [] : [quoted(statusToken(status))]),
  ];
  return [`{title body} : (${words.map(phrase).join(' ')})`, ...facets.map((facet) => `facets : (${facet})`)].join(
    ' AND ',
  );
}

function phrase({ text, isPrefix }: SearchTerms): string {
  const last = /[\p{L}\p{N}]+[^\p{L}\p{N}]*$/u.exec(indexable(text))?.[0] ?? '';
  return `${quoted(indexable(text))}${isPrefix && [...last].length >= MIN_PREFIX_LETTERS ? ' *' : ''}`;
}

const hubToken = tokenOf;
/** A reply is a message to everybody but the tables. */
const kindToken = (kind: string): string => `kind${kind === 'reply' ? 'message' : kind}`;

const statusToken = (status: string): string => `status${status}`;

/** An id as one word of the index, in which a sign would end it. */
function tokenOf(id: string): string {
  return id.replace(/[^A-Za-z0-9]/g, '');
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** As the index has it, of an item and of a query alike. It folds accents and case by itself, but not ß. */
function indexable(text: string): string {
  return text.replace(UNSPACED, ' $& ').replaceAll('ß', 'ss').replaceAll('ẞ', 'SS');
}

/** What a reader sees of an item, as plain text. */
function readableText({ body, blocks }: IndexedItem): string {
  if (blocks !== null) return blocksToText(JSON.parse(blocks));
  // An emoji is no word, but its shortcode is.
  const names = { entities: namedCharacters.entities };
  return withoutHtml(body ?? '', { names, hasAddresses: true });
}
