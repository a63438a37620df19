/**
 * Marks that are no part of a word: accents, Hebrew points, Arabic marks and the Arabic stretching character. The vowel
 * signs of other scripts, such as Devanagari and Thai, are letters to their readers, and so are the marks that make が
 * of か.
 */
const MARKS = /\u0640|[\p{M}--[[\p{Alphabetic}--[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Inherited}]]\u3099\u309a]]/gv;
/** Letters that Unicode does not decompose, although people type them without the stroke or as two letters. */
const UNDECOMPOSED: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd', ħ: 'h', ŧ: 't', æ: 'ae', œ: 'oe' };

/**
 * Returns text in the form in which it is searched: without case, accents and other marks, and with one form of each
 * character, whatever its width (NFKD, unicode.org/reports/tr15). `ß` becomes `ss`, and the final `ς` becomes `σ`.
 * Folding a folded text has no effect.
 */
export function foldText(text: string): string {
  return text.replace(/[^\0-\x7f]+/g, foldRun).toLowerCase();
}

function foldRun(run: string): string {
  return (
    run
      // Symbols such as ™ are no part of the word before them, although they decompose into letters.
      .replace(/\p{So}/gu, ' ')
      .normalize('NFKD')
      .replace(MARKS, '')
      // Both cases have letters that share their form in the other one, such as ß, ẞ and ss.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .replaceAll('ς', 'σ')
      .replace(/[łøđħŧæœ]/g, (letter) => UNDECOMPOSED[letter] ?? letter)
      .normalize('NFC')
  );
}
