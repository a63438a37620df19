/** How the word under the cursor is quoted: by `"`, by `'`, or not. */
export type Quote = '"' | "'" | '';

export interface BashLine {
  /** Without their quotes; the last is the one to complete. */
  text: string[];
  quote: Quote;
  /** How many characters of the last word bash takes for an earlier word of its own, so that they are not replaced. */
  fixed: number;
}

/** These end a word of bash, but belong to the next (rl_special_prefixes of readline). */
const PREFIXES = '$@';

/** Takes a line apart as bash does, up to the cursor. `breaks` is COMP_WORDBREAKS: bash ends words at those too. */
export function readBashLine(line: string, breaks: string): BashLine {
  const words: string[] = [];
  let word: string | undefined;
  let quote: Quote = '';
  let fixed = 0;
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (quote === '' && (character === ' ' || character === '\t')) {
      if (word !== undefined) words.push(word);
      word = undefined;
      fixed = 0;
    } else if (quote === '' && (character === '"' || character === "'")) {
      quote = character;
      word ??= '';
      // Bash begins its word behind the quote.
      fixed = word.length;
    } else if (character === quote) {
      quote = '';
    } else if (character === '\\' && quote !== "'") {
      index += 1;
      word = (word ?? '') + line.charAt(index);
    } else {
      word = (word ?? '') + character;
      if (quote === '' && breaks.includes(character)) fixed = word.length - (PREFIXES.includes(character) ? 1 : 0);
    }
  }
  return { text: [...words, word ?? ''], quote, fixed };
}

/** A word as it is typed in bash, within quotes that are open already. */
export function bashWord(text: string, quote: Quote): string {
  if (quote === "'") return text.replaceAll("'", "'\\''");
  if (quote === '"') return text.replaceAll(/["\\$`]/g, '\\$&');
  return text.replaceAll(/[^\w./:@%+,=\u0080-\uffff-]/g, '\\$&');
}
