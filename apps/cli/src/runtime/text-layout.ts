import { platform } from './platform.ts';
import { plainLine } from './terminal-text.ts';

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
const LEAD = /^(?:\s+|│ |[•-] |[☒☐] |\d+\. )*/;

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

/** Matches the start of a command that the user may copy. */
const COMMAND = /(?<![\w/.-])(?:npx --yes \S+ bun\S* run |bun run )?hubctl [a-z-]/;

/** Wraps prose between words. A command in it stays on one row, by itself if necessary. */
export function wrapAdvice(line: string, width: number, indent = 0): string[] {
  const plain = stripAnsi(line);
  const at = COMMAND.exec(plain)?.index;
  if (textWidth(line) <= width || at === undefined) return wrapText(line, width, { indent });
  const prose = plain.slice(0, at);
  if (prose.trim() === '') return [line];
  const rows = wrapText(sliceAnsi(line, 0, textWidth(prose.trimEnd())), width, { indent });
  const command = sliceAnsi(line, textWidth(prose));
  const last = rows.pop() ?? '';
  if (textWidth(last) + 1 + textWidth(command) <= width) return [...rows, `${last} ${command}`];
  return [...rows, last, ' '.repeat(indent + 2) + command];
}
