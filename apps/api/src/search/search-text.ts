import { LIMITS } from '@hub/contract';
import { AppError } from '../errors.ts';
import type { SearchTerms } from '../store/item-search.ts';

/** A quoted phrase, whose end may still be missing, or what stands between blanks and quotation marks. */
const PART = /"([^"]*)("|$)|[^\s"]+/g;
/** What can be found: signs and emoji are in no index. */
const FINDABLE = /[\p{L}\p{N}]/u;
/** Behind a blank or a sign, as in `c++`, nothing of the word is still to come. */
const ENDS_IN_WORD = /[\p{L}\p{N}\p{M}]$/u;

/**
 * What is asked for by a search: words, "quoted phrases", and, as the last word is still being typed unless a blank
 * or a sign follows it, whatever begins with that. Signs separate words, as they do in what is searched.
 */
export function searchTerms(q: string | undefined): SearchTerms[] {
  if (q === undefined || q.trim() === '') throw new AppError('invalid', 'q is required: the words to search for');
  const size = [...q].length;
  if (size > LIMITS.searchQueryCodePoints) {
    throw new AppError('invalid', `q has ${size} characters; at most ${LIMITS.searchQueryCodePoints} are accepted`);
  }
  const words: SearchTerms[] = [];
  for (const match of q.replaceAll(/[“”„]/g, '"').matchAll(PART)) {
    const [part, quoted, end] = match;
    const text = quoted ?? part;
    const isLast = match.index + part.length === q.length;
    const isTyped = isLast && end !== '"' && ENDS_IN_WORD.test(text);
    if (FINDABLE.test(text)) words.push({ text, isPrefix: isTyped });
  }
  if (words.length === 0) throw new AppError('invalid', 'q holds no word: signs and emoji cannot be searched for');
  return words;
}
