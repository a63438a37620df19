import { withoutEscapes } from '@hub/contract/markdown/without-escapes';

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
    .replace(LINE_BREAKS_AND_TABS, (found) => (found === '\t' ? '\t' : '\n'))
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
  let escaped = '';
  for (let index = 0; index < character.length; index += 1) {
    escaped += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}
