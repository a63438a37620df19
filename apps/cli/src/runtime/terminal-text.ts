import { withoutEscapes } from '@hub/contract/markdown/without-escapes';
import { platform } from './platform.ts';

/**
 * Sanitizes untrusted text (names, error messages, posts), which must not control the terminal: move the cursor, set
 * the clipboard, fake a link or a line of output, or reverse the reading order.
 */

/** Unicode line breaks and tabs, which become spaces in one line of output. */
const LINE_BREAKS_AND_TABS = /\r\n|[\t\n\v\f\r\x85\u2028\u2029]/g;

/**
 * Control (C0, DEL, C1) and format characters: bidirectional marks, overrides and isolates, zero-width spaces, tags.
 * Keeps the zero-width joiner and non-joiner, for emoji and for scripts that need them.
 */
const CONTROLS = /[[\p{Cc}\p{Cf}]--[\u200c\u200d]]/gv;
const CONTROLS_BUT_LINES = /[[\p{Cc}\p{Cf}]--[\u200c\u200d\t\n]]/gv;

/** Sanitizes text to one line: line breaks and tabs become spaces, escapes and controls are removed. */
export function plainLine(text: string): string {
  return withoutEscapes(text.toWellFormed()).replace(LINE_BREAKS_AND_TABS, ' ').replace(CONTROLS, '');
}

/** Sanitizes text but keeps its lines and tabs. */
export function plainText(text: string): string {
  return withoutEscapes(text.toWellFormed())
    .replace(LINE_BREAKS_AND_TABS, (whitespace) => (whitespace === '\t' ? '\t' : '\n'))
    .replace(CONTROLS_BUT_LINES, '');
}

/** Characters that JSON allows but terminals may interpret or hide. A line feed comes only from the layout. */
const UNPRINTABLE = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\n]]/gv;

/** JSON whose strings are unaltered, with every unprintable character as `\uXXXX`. */
export function printableJson(document: unknown, indent = 0): string {
  return escapeUnprintable(JSON.stringify(document, null, indent));
}

/** Escapes unprintable characters in JSON text without changing its meaning. */
export function escapeUnprintable(json: string): string {
  return json.replace(UNPRINTABLE, escapeUnits);
}

function escapeUnits(character: string): string {
  return character.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Returns the width in terminal columns: an emoji or a Chinese character takes two. Colors (SGR) take none. */
export const textWidth = platform.textWidth;

/** Sanitizes text, and truncates it to a width, ending with an ellipsis. */
export function shortened(text: string, width: number): string {
  const line = plainLine(text);
  if (textWidth(line) <= width) return line;
  let start = '';
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    if (textWidth(start + segment) >= width) break;
    start += segment;
  }
  return `${start.trimEnd()}…`;
}

/** The minimum width of wrapped text, even if lines then exceed the width of the terminal. */
const MIN_WIDTH = 10;

/** Wraps a line between words, or within a word that is wider than a row. It may contain colors. */
export function wrapText(line: string, width: number): string[] {
  return textWidth(line) <= width ? [line] : platform.wrapAnsi(line, Math.max(MIN_WIDTH, width)).split('\n');
}
