/** Nobody reads so far for a title. */
const LONGEST_LINE = 2_000;
/** Headings, quotes, lists and boxes (CommonMark 0.31, section 4 and 5). */
const BLOCK_MARKS = /^\s*(?:(?:#{1,6}|>|[-*+]|\d{1,9}[.)]|\[[ xX]\])\s+|>)*/;
const LINK = /!?\[([^\]]*)\]\([^)]*\)/g;
const STRONG_OR_CODE = /\*\*|__|~~|`+/g;
const EMPHASIS = /(?<![\p{L}\p{N}])[*_](?=\S)|(?<=\S)[*_](?![\p{L}\p{N}])/gu;

/** The first line of a Markdown text that says something, as plain text of at most `longest` code points; `null` if there is none. */
export function firstLine(markdown: string, longest: number): string | null {
  for (const line of markdown.split(/\r\n|\r|\n/)) {
    const text = plain(line.slice(0, LONGEST_LINE));
    if (!/[\p{L}\p{N}\p{S}]/u.test(text.replace(/[`~=|^+<>-]/g, ''))) continue;
    const codePoints = Array.from(text);
    return codePoints.length > longest ? `${codePoints.slice(0, longest - 1).join('')}…` : text;
  }
  return null;
}

function plain(line: string): string {
  return line
    .toWellFormed()
    .replace(BLOCK_MARKS, '')
    .replace(LINK, '$1')
    .replace(STRONG_OR_CODE, '')
    .replace(EMPHASIS, '')
    .replace(/\s+/g, ' ')
    .trim();
}
