import { namedCharacters } from '@hub/contract/markdown/named-characters';
import { withoutHtml } from '@hub/contract/markdown/without-html';

/** Nobody reads so far for a title. */
const MAX_LINE_CHARACTERS = 2_000;
/** Headings, quotes, lists and boxes (CommonMark 0.31, section 4 and 5). */
const BLOCK_MARKS = /^\s*(?:(?:#{1,6}|>|[-*+]|\d{1,9}[.)]|\[[ xX]\])\s+|>)*/;
const AVATAR = /!\[([^[\]]*)\]\([^)]*\)/g;
const LINK = /\[([^\]]*)\]\([^)]*\)/g;
const STRONG_OR_CODE = /\*\*|__|~~|`+/g;
const EMPHASIS = /(?<![\p{L}\p{N}])[*_](?=\S)|(?<=\S)[*_](?![\p{L}\p{N}])/gu;

/** The first line of a Markdown text that says something, as plain text of at most `longest` code points; `null` if there is none. */
export function firstLine(markdown: string, longest: number): string | null {
  const text = withoutHtml(markdown, { names: namedCharacters });
  return firstOf(text, longest, (line) => withoutMarks(line.replace(BLOCK_MARKS, '')));
}

/** The same of what blocks say: plain text but for what stands at the beginning of a line. */
export function firstPlainLine(text: string, longest: number): string | null {
  return firstOf(text, longest, (line) => line.replace(BLOCK_MARKS, ''));
}

function firstOf(lines: string, longest: number, plain: (line: string) => string): string | null {
  for (const line of lines.split(/\r\n|\r|\n/)) {
    const text = plain(line.slice(0, MAX_LINE_CHARACTERS).toWellFormed()).replace(/\s+/g, ' ').trim();
    if (!/[\p{L}\p{N}\p{S}]/u.test(text.replace(/[`~=|^+<>-]/g, ''))) continue;
    const codePoints = Array.from(text);
    return codePoints.length > longest ? `${codePoints.slice(0, longest - 1).join('')}…` : text;
  }
  return null;
}

function withoutMarks(line: string): string {
  return line.replace(AVATAR, '$1').replace(LINK, '$1').replace(STRONG_OR_CODE, '').replace(EMPHASIS, '');
}
