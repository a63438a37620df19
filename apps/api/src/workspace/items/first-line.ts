import { isBlank } from '@hub/contract/blank-text';
import { namedCharacters } from '@hub/contract/markdown/named-characters';
import { withoutHtml } from '@hub/contract/markdown/without-html';

/** Longer lines are cut before they are parsed. */
const MAX_LINE_CHARACTERS = 2_000;
/** Headings, quotes, lists and checkboxes (CommonMark 0.31, sections 4 and 5). */
const BLOCK_MARKS = /^\s*(?:(?:#{1,6}|>|[-*+]|\d{1,9}[.)]|\[[ xX]\])\s+|>)*/;
const IMAGE = /!\[([^[\]]*)\]\([^)]*\)/g;
const LINK = /\[([^[\]]*)\]\([^)]*\)/g;
const STRONG_OR_CODE = /\*\*|__|~~|`+/g;
const EMPHASIS = /(?<![\p{L}\p{N}])[*_](?=\S)|(?<=\S)[*_](?![\p{L}\p{N}])/gu;

/** Returns the first line of Markdown that has text, as plain text of at most `maxCodePoints`, or null. */
export function firstLine(markdown: string, maxCodePoints: number): string | null {
  const text = withoutHtml(markdown, { names: namedCharacters });
  return firstOf(text, maxCodePoints, (line) => withoutMarks(line.replace(BLOCK_MARKS, '')));
}

/** Returns the first non-empty line in the text of blocks, which is plain except for markers at the start of a line. */
export function firstPlainLine(text: string, maxCodePoints: number): string | null {
  return firstOf(text, maxCodePoints, (line) => line.replace(BLOCK_MARKS, ''));
}

function firstOf(lines: string, maxCodePoints: number, plain: (line: string) => string): string | null {
  for (const line of lines.split(/\r\n|\r|\n/)) {
    const text = plain(line.slice(0, MAX_LINE_CHARACTERS).toWellFormed()).replace(/\s+/g, ' ').trim();
    if (isBlank(text) || !/[\p{L}\p{N}\p{S}]/u.test(text.replace(/[`~=|^+<>-]/g, ''))) continue;
    const codePoints = Array.from(text);
    return codePoints.length > maxCodePoints ? `${codePoints.slice(0, maxCodePoints - 1).join('')}…` : text;
  }
  return null;
}

function withoutMarks(line: string): string {
  return line.replace(IMAGE, '$1').replace(LINK, '$1').replace(STRONG_OR_CODE, '').replace(EMPHASIS, '');
}
