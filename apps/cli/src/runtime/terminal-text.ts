import { withoutEscapes } from '@hub/contract/markdown/without-escapes';

/**
 * Text that others wrote (names, error messages, posts) must not drive the terminal: move the cursor, set the clipboard,
 * fake a link or a line of output, or turn the order of what is read.
 */

/** What ends a line, in any of Unicode's ways, with the tab: white space within one line of output. */
const LINE_BREAKS_AND_TABS = /\r\n|[\t\n\v\f\r\x85\u2028\u2029]/g;

/**
 * Controls (C0, DEL, C1) and format characters: bidirectional marks, overrides and isolates, zero-width spaces, tags. The
 * zero-width joiner and non-joiner stay, for emoji and for scripts that need them.
 */
const CONTROLS = /[[\p{Cc}\p{Cf}]--[\u200c\u200d]]/gv;
const CONTROLS_BUT_LINES = /[[\p{Cc}\p{Cf}]--[\u200c\u200d\t\n]]/gv;

/** One line of harmless text: line breaks and tabs become spaces, escapes and controls vanish. */
export function plainLine(text: string): string {
  return withoutEscapes(text.toWellFormed()).replace(LINE_BREAKS_AND_TABS, ' ').replace(CONTROLS, '');
}

/** Harmless text that keeps its lines and tabs. */
export function plainText(text: string): string {
  return withoutEscapes(text.toWellFormed())
    .replace(LINE_BREAKS_AND_TABS, (found) => (found === '\t' ? '\t' : '\n'))
    .replace(CONTROLS_BUT_LINES, '');
}

/** What JSON may carry raw but a terminal may act on, or a reader not see. A line feed comes only from the layout. */
const UNPRINTABLE = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\n]]/gv;

/** JSON whose strings are unaltered, with every unprintable character as `\uXXXX`. */
export function printableJson(document: unknown, indent = 0): string {
  return escapeUnprintable(JSON.stringify(document, null, indent));
}

/** The same for JSON that is text already: it means the same afterwards. */
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
