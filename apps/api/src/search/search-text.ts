import { LIMITS } from '@hub/contract';
import { AppError } from '../core/errors.ts';
import type { SearchTerm } from '../storage/item-search.ts';

/** A quoted phrase, possibly without its closing quote, or a run of characters between white space and quotes. */
const PART = /"([^"]*)("|$)|[^\s"]+/g;
/** Matches text that contains something searchable. Punctuation and emoji are not in the index. */
const FINDABLE = /[\p{L}\p{N}]/u;
/** Matches a query whose last word may be incomplete. White space or a symbol, as in `c++`, completes a word. */
const ENDS_IN_WORD = /[\p{L}\p{N}\p{M}]$/u;

/**
 * Parses a search query into words and "quoted phrases". The last word is treated as a prefix, because it is still
 * being typed, unless white space or a symbol follows it. Punctuation separates terms, as it does in the index.
 */
export function searchTerms(q: string | undefined): SearchTerm[] {
  if (q === undefined || q.trim() === '') throw new AppError('invalid', 'q is required: enter the words to search for');
  const size = [...q].length;
  if (size > LIMITS.searchQueryCodePoints) {
    throw new AppError('invalid', `q has ${size} characters; at most ${LIMITS.searchQueryCodePoints} are accepted`);
  }
  const terms: SearchTerm[] = [];
  for (const match of q.replaceAll(/[“”„]/g, '"').matchAll(PART)) {
    const [part, quoted, end] = match;
    const text = quoted ?? part;
    const isLast = match.index + part.length === q.length;
    const isTyped = isLast && end !== '"' && ENDS_IN_WORD.test(text);
    if (FINDABLE.test(text)) terms.push({ text, isPrefix: isTyped });
  }
  if (terms.length === 0) throw new AppError('invalid', 'q contains no word: punctuation and emoji are not searchable');
  return terms;
}
