import { searchForm } from '@hub/contract/search-text';

/** A part of a line; `isHit`: a word of the query. */
interface LinePart {
  text: string;
  isHit: boolean;
}

const BEFORE = 60;
/** How much of the beginning is shown before a match further on: it tells similar posts apart. */
const LEAD = 40;
const MAX_SHOWN = 200;
/** In UTF-16 units. Text beyond this is not searched for words to highlight. */
const MAX_READ = 50_000;

/** Returns the part of a text that matches the query, with the matching words highlighted. */
export function hitLine(text: string, query: string): LinePart[] {
  const beginning = text.slice(0, MAX_READ);
  const spans = hitsIn(beginning, query);
  const [first] = spans;
  const start = first === undefined || first[0] <= BEFORE ? 0 : wordStart(beginning, first[0] - BEFORE);
  const end = Math.min(beginning.length, start + MAX_SHOWN);
  const lead = start > LEAD ? `${wholeCharacters(beginning.slice(0, LEAD)).replace(/\s*\S*$/, '')} … ` : '…';
  const parts: LinePart[] = start > 0 ? [{ text: lead, isHit: false }] : [];
  let at = start;
  for (const [from, to] of spans) {
    if (from < at || to > end) continue;
    if (from > at) parts.push({ text: beginning.slice(at, from), isHit: false });
    parts.push({ text: beginning.slice(from, to), isHit: true });
    at = to;
  }
  if (at < end) parts.push({ text: wholeCharacters(beginning.slice(at, end)), isHit: false });
  if (end < text.length) parts.push({ text: '…', isHit: false });
  return parts;
}

/** Returns the ranges in which words of the query occur, in order. */
function hitsIn(text: string, query: string): [number, number][] {
  const { text: plain, from } = plainOf(text);
  const spans: [number, number][] = [];
  for (const { word, isStart } of wordsIn(query)) {
    for (let at = plain.indexOf(word); at >= 0; at = plain.indexOf(word, at + word.length)) {
      const after = plain[at + word.length];
      if (isLetter(plain[at - 1]) || (!isStart && isLetter(after))) continue;
      spans.push([from[at] ?? 0, from[at + word.length] ?? text.length]);
    }
  }
  spans.sort(([one], [other]) => one - other);
  return spans;
}

/** Returns the words of the query. The last one may be incomplete unless a space or punctuation follows. */
function wordsIn(query: string): { word: string; isStart: boolean }[] {
  const { text } = plainOf(query);
  const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(([word], n, all) => ({
    word,
    isStart: n === all.length - 1 && text.endsWith(word),
  }));
  return words;
}

/** Returns text as the server indexes it, without case and accents, and the original index of each character. */
function plainOf(text: string): { text: string; from: number[] } {
  let plain = '';
  const from: number[] = [];
  let at = 0;
  for (const character of text) {
    const letters = searchForm(character);
    for (let n = 0; n < letters.length; n++) from.push(at);
    plain += letters;
    at += character.length;
  }
  from.push(at);
  return { text: plain, from };
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

/** Returns the start of the next word after this index, or the index itself if no word starts nearby. */
function wordStart(text: string, at: number): number {
  const blank = text.indexOf(' ', at);
  return blank >= 0 && blank < at + BEFORE / 2 ? blank + 1 : at;
}

/** Removes half of a surrogate pair at the end. */
function wholeCharacters(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, '');
}
