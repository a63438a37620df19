/** A part of a line; `isHit`: one of the words that were looked for. */
export interface LinePart {
  text: string;
  isHit: boolean;
}

const BEFORE = 60;
const MAX_SHOWN = 200;
/** Of a longer text the rest is not looked through for words to highlight. */
const MAX_READ = 50_000;

/** As the index of the server sees it: without case and accents; where each character came from. */
interface Plain {
  text: string;
  from: number[];
}

/** The line of a text that shows why it was found, with the words that were looked for marked. */
export function hitLine(text: string, query: string): LinePart[] {
  const read = text.slice(0, MAX_READ);
  const spans = hitsIn(read, query);
  const [first] = spans;
  const start = first === undefined || first[0] <= BEFORE ? 0 : wordStart(read, first[0] - BEFORE);
  const end = Math.min(read.length, start + MAX_SHOWN);
  const parts: LinePart[] = start > 0 ? [{ text: '…', isHit: false }] : [];
  let at = start;
  for (const [from, to] of spans) {
    if (from < at || to > end) continue;
    if (from > at) parts.push({ text: read.slice(at, from), isHit: false });
    parts.push({ text: read.slice(from, to), isHit: true });
    at = to;
  }
  if (at < end) parts.push({ text: wholeCharacters(read.slice(at, end)), isHit: false });
  if (end < text.length) parts.push({ text: '…', isHit: false });
  return parts;
}

/** Where words of the query stand, one after the other and apart. */
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

/** The last word counts as the beginning of one unless a blank or a sign follows it. */
function wordsIn(query: string): { word: string; isStart: boolean }[] {
  const { text } = plainOf(query);
  const found = [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(([word], n, all) => ({
    word,
    isStart: n === all.length - 1 && text.endsWith(word),
  }));
  return found;
}

function plainOf(text: string): Plain {
  let plain = '';
  const from: number[] = [];
  let at = 0;
  for (const character of text) {
    const letters = character.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');
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

/** The beginning of a word from this place on, if one is near. */
function wordStart(text: string, at: number): number {
  const blank = text.indexOf(' ', at);
  return blank >= 0 && blank < at + BEFORE / 2 ? blank + 1 : at;
}

/** Without half a character at the end. */
function wholeCharacters(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, '');
}
