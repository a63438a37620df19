import { normalizeText } from './normalize-text.ts';

/**
 * Marks that are no part of a word: accents, Hebrew points, Arabic marks and the Arabic stretching character. The vowel
 * signs of other scripts, such as Devanagari and Thai, are letters to their readers, and so are the marks that make が
 * of か.
 */
const MARKS =
  /\u0640|[\p{M}--[[\p{Alphabetic}--[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Inherited}]]\u3099\u309a]]/gv;
/**
 * Symbols such as ™, which are no part of the word before them although they decompose into letters, and two characters
 * that decompose into whole phrases.
 */
const NO_LETTERS = /[\p{So}\ufdfa\ufdfb]/gu;
/** Letters that Unicode does not decompose, although people type them without the stroke or as two letters. */
const UNDECOMPOSED: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd', ħ: 'h', ŧ: 't', æ: 'ae', œ: 'oe' };

/**
 * Returns text in the form in which it is searched: without case, accents and other marks, and with one form of each
 * character, whatever its width (NFKD, unicode.org/reports/tr15). `ß` becomes `ss`, and the final `ς` becomes `σ`.
 * Converting it again has no effect.
 */
export function searchForm(text: string): string {
  return text
    .replace(/[^\0-\x7f]+/g, (run) => (run.length === 1 ? convertCharacter(run) : convertRun(run)))
    .toLowerCase();
}

/** The forms of single characters between ASCII: most of those in the text of European languages. */
const convertedCharacters = new Map<string, string>();

function convertCharacter(character: string): string {
  const cached = convertedCharacters.get(character);
  if (cached !== undefined) return cached;
  const result = convertRun(character);
  convertedCharacters.set(character, result);
  return result;
}

function convertRun(run: string): string {
  const plain = normalizeText(run.replace(NO_LETTERS, ' '), 'NFKD')
    .replace(MARKS, '')
    // Both cases have letters that share their form in the other one, such as ß, ẞ and ss.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replace(/[łøđħŧæœ]/g, (letter) => UNDECOMPOSED[letter] ?? letter);
  return normalizeText(plain, 'NFC');
}

/**
 * Scripts without spaces between words, which an index would treat as one word per sentence. Each of their characters
 * is indexed as a word, so that a word in them is found as a phrase.
 */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu;
const NON_ASCII = /[^\0-\x7f]/;
/** The same characters as in the tokenizer of the embedded index (`search-index.ts`). */
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;

/** Returns text as it is indexed and searched: converted, with all its words between spaces or punctuation. */
export function indexable(text: string): string {
  const converted = searchForm(text);
  return NON_ASCII.test(converted) ? converted.replace(UNSPACED, ' $& ') : converted;
}

/** Returns the words of a text that is indexable. */
export function wordsIn(text: string): string[] {
  return text.match(WORD) ?? [];
}

/** Returns how many words a search is charged for this part of it. Characters of scripts without spaces count by half. */
export function wordCount(text: string): number {
  const converted = searchForm(text);
  const unspaced = converted.match(UNSPACED)?.length ?? 0;
  return Math.ceil(unspaced / 2) + wordsIn(converted.replace(UNSPACED, ' ')).length;
}
