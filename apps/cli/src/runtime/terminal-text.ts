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
  let escaped = '';
  for (let index = 0; index < character.length; index += 1) {
    escaped += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}

/** Lays out text, which may contain colors (SGR). They take no width. */
const { sliceAnsi, stripAnsi, wrapAnsi } = platform;

/** The minimum width of wrapped text, even if lines then exceed the width of the terminal. */
const MIN_ROOM = 10;

/** Returns the width in terminal columns: an emoji or a Chinese character takes two. */
export function textWidth(text: string): number {
  return platform.textWidth(text);
}

/** Sanitizes text, and truncates it to a width, ending with an ellipsis. */
export function shortened(text: string, width: number): string {
  return startOf(plainLine(text), width, '…').replace(/\s+…$/, '…');
}

/** Returns the characters that fit. Bun includes one that takes two columns even if only the first of them fits. */
function startOf(text: string, width: number, ellipsis = ''): string {
  const start = sliceAnsi(text, 0, width, ellipsis);
  return textWidth(start) <= width ? start : sliceAnsi(text, 0, width - 1, ellipsis);
}

/** The start of a line in a list, a quote or code. The following rows are indented to its right. */
const LEAD = /^(?:\s+|│ |[•-] |[☑☐] |\d+\. )*/;

/**
 * Wraps a line between words, or within a word that is wider than a row. The first row follows `before`. The others
 * start with `indent` spaces, line up with the text of a list item, and repeat the bars of a quote.
 */
export function wrapText(line: string, width: number, { before = '', indent = 0 } = {}): string[] {
  const firstRoom = width - textWidth(before);
  if (textWidth(line) <= firstRoom) return [before + line];
  const [lead = ''] = LEAD.exec(stripAnsi(line)) ?? [];
  const leadWidth = Math.min(textWidth(lead), Math.floor((width - indent) / 2));
  const start = before + sliceAnsi(line, 0, leadWidth);
  const text = sliceAnsi(line, textWidth(lead));
  const [first = ''] = rowsOf(text, firstRoom - leadWidth);
  const rest = sliceAnsi(text, textWidth(first));
  if (rest.trim() === '') return [start + first];
  const hanging = ' '.repeat(indent) + lead.slice(0, leadWidth).replaceAll(/[^│]/g, ' ');
  return [start + first, ...rowsOf(rest, width - hanging.length).map((row) => hanging + row)];
}

function rowsOf(text: string, room: number): string[] {
  const width = Math.max(MIN_ROOM, room);
  return wrapAnsi(text, width)
    .split('\n')
    .flatMap((row) => pieces(row, width));
}

/** Cuts a word that is wider than a row, but no character: an emoji may have several code points. */
function pieces(word: string, width: number): string[] {
  const cut: string[] = [];
  let rest = word;
  while (textWidth(rest) > width) {
    const piece = startOf(rest, width);
    cut.push(piece);
    rest = sliceAnsi(rest, textWidth(piece));
  }
  return [...cut, rest];
}

/** The word after `hubctl` in a command, as a pattern. */
let firstWord = '--[a-z]';

/** Sets the names of the commands, which tell a command from a sentence about hubctl. */
export function setCommandNames(names: readonly string[]): void {
  firstWord = `(?:--[a-z]|(?:${names.join('|')})(?![\\w-]))`;
}

/** Matches `hubctl` in a command that the user may copy, after `start`; not in a sentence, nor in a name in backquotes. */
export function commandPattern(start = ''): RegExp {
  return new RegExp(`(?<![\\w/.\`-])${start}hubctl(?= ${firstWord})`, 'g');
}

const HOW_STARTED = '(?:sudo (?:-u \\S+ )?|npx --yes \\S+ bun\\S* run |bun run )?';

/** Wraps prose between words. A command in it stays on one row, by itself if necessary. */
export function wrapAdvice(line: string, width: number, indent = 0): string[] {
  const plain = stripAnsi(line);
  const at = commandPattern(HOW_STARTED).exec(plain)?.index;
  if (textWidth(line) <= width || at === undefined) return wrapText(line, width, { indent });
  const prose = plain.slice(0, at);
  if (prose.trim() === '') return [line];
  const rows = wrapText(sliceAnsi(line, 0, textWidth(prose.trimEnd())), width, { indent });
  const command = sliceAnsi(line, textWidth(prose));
  const last = rows.pop() ?? '';
  if (textWidth(last) + 1 + textWidth(command) <= width) return [...rows, `${last} ${command}`];
  return [...rows, last, ' '.repeat(indent + 2) + command];
}
