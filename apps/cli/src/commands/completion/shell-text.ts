/** The quote that is open at the cursor: `"`, `'` or none. */
type Quote = '"' | "'" | '';

interface BashLine {
  /** The words without their quotes. The last one is the one to complete. */
  text: string[];
  quote: Quote;
  /** How many leading characters of the last word bash considers an earlier word, and so does not replace. */
  fixed: number;
}

/** Characters that end a bash word but belong to the next one (rl_special_prefixes of readline). */
const PREFIXES = '$@';

/** Splits a line up to the cursor as bash does. `breaks` is COMP_WORDBREAKS: further characters that end a word. */
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
      // To bash, the current word starts after the quote.
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

/** Quotes a word for bash, given the quote that is already open. */
export function bashWord(text: string, quote: Quote): string {
  if (quote === "'") return text.replaceAll("'", "'\\''");
  if (quote === '"') return text.replaceAll(/["\\$`]/g, '\\$&');
  return text.replaceAll(/[^\w./:@%+,=\u0080-\uffff-]/g, '\\$&');
}
