import { plainLine } from './terminal-text.ts';

/**
 * Everything that hubctl leaves to Bun for laying out text, in one place: elsewhere, the packages string-width,
 * slice-ansi and wrap-ansi and a Markdown renderer can take its place. Text may contain colors (SGR), which take no width.
 */

/** The minimum width of wrapped text, even if lines then exceed the width of the terminal. */
const MIN_ROOM = 10;

/** Returns the width in terminal columns: an emoji or a Chinese character takes two. */
export function textWidth(text: string): number {
  return Bun.stringWidth(text);
}

/** Sanitizes text, and truncates it to a width, ending with an ellipsis. */
export function shortened(text: string, width: number): string {
  return startOf(plainLine(text), width, '…').replace(/\s+…$/, '…');
}

/** Returns the characters that fit. Bun includes one that takes two columns even if only the first of them fits. */
function startOf(text: string, width: number, ellipsis = ''): string {
  const start = Bun.sliceAnsi(text, 0, width, ellipsis);
  return textWidth(start) <= width ? start : Bun.sliceAnsi(text, 0, width - 1, ellipsis);
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
  const [lead = ''] = LEAD.exec(Bun.stripANSI(line)) ?? [];
  const leadWidth = Math.min(textWidth(lead), Math.floor((width - indent) / 2));
  const start = before + Bun.sliceAnsi(line, 0, leadWidth);
  const text = Bun.sliceAnsi(line, textWidth(lead));
  const [first = ''] = rowsOf(text, firstRoom - leadWidth);
  const rest = Bun.sliceAnsi(text, textWidth(first));
  if (rest.trim() === '') return [start + first];
  const hanging = ' '.repeat(indent) + lead.slice(0, leadWidth).replaceAll(/[^│]/g, ' ');
  return [start + first, ...rowsOf(rest, width - hanging.length).map((row) => hanging + row)];
}

function rowsOf(text: string, room: number): string[] {
  const width = Math.max(MIN_ROOM, room);
  return Bun.wrapAnsi(text, width)
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
    rest = Bun.sliceAnsi(rest, textWidth(piece));
  }
  return [...cut, rest];
}

/** Matches the start of a command that the user may copy. */
const COMMAND = /(?<![\w/.-])(?:npx --yes \S+ bun\S* run |bun run )?hubctl [a-z-]/;

/** Wraps prose between words. A command in it stays on one row, by itself if necessary. */
export function wrapAdvice(line: string, width: number, indent = 0): string[] {
  const plain = Bun.stripANSI(line);
  const at = COMMAND.exec(plain)?.index;
  if (textWidth(line) <= width || at === undefined) return wrapText(line, width, { indent });
  const prose = plain.slice(0, at);
  if (prose.trim() === '') return [line];
  const rows = wrapText(Bun.sliceAnsi(line, 0, textWidth(prose.trimEnd())), width, { indent });
  const command = Bun.sliceAnsi(line, textWidth(prose));
  const last = rows.pop() ?? '';
  if (textWidth(last) + 1 + textWidth(command) <= width) return [...rows, `${last} ${command}`];
  return [...rows, last, ' '.repeat(indent + 2) + command];
}

/**
 * Renders Markdown with colors, and with links as OSC 8 sequences. `columns` limits the width of paragraphs and tables,
 * 0 does not. The text must not contain control characters; character references in it never become any.
 */
export function markdownToAnsi(markdown: string, columns: number): string {
  return Bun.markdown.ansi(markdown, { colors: true, hyperlinks: true, columns });
}
