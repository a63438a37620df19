import type { Line, Segment } from './segments.ts';
import { plainLine } from './terminal-text.ts';

/** A word or the white space between two words, in styled parts. */
interface Unit {
  parts: Segment[];
  width: number;
  isSpace: boolean;
}

/** The start of a line in a list, a quote or code. The following lines are indented to its right. */
const LEAD = /^(?:\s+|- |\d+\. |\[[ x]\] |> )$/;

interface Wrapping {
  /** The prefix of the first line. */
  before: Line;
  /** The number of spaces before the following lines. */
  indent: number;
  width: number;
}

/** The minimum width of the text, even if lines then exceed the width of the terminal. */
const MIN_ROOM = 10;

/**
 * Wraps a line between words, or within a word that is wider than a line. The following lines are indented to the right
 * of a bullet. Escape sequences are removed first, since the sanitizer would not recognize two halves on two lines.
 */
export function wrapLine(line: Line, { before, indent, width }: Wrapping): Line[] {
  const segments = line.map((segment) => withText(segment, plainLine(textOf(segment))));
  let left = width - widthOf(before.map((segment) => plainLine(textOf(segment))));
  if (widthOf(segments) <= left) return [[...before, ...segments]];
  const hanging = [' '.repeat(indent), ...hangingLead(segments, width - indent)];
  const room = Math.max(MIN_ROOM, width - widthOf(hanging));
  const lines: Line[] = [[...before]];
  const breakLine = (): void => {
    // Drop trailing spaces.
    const line = lines.at(-1);
    if (line && line.length > (lines.length === 1 ? before.length : hanging.length) && isBlank(line.at(-1))) line.pop();
    lines.push([...hanging]);
    left = room;
  };
  for (const unit of unitsOf(segments)) {
    const isAtStart = lines.length > 1 && left === room;
    if (unit.isSpace) {
      if (unit.width > left) breakLine();
      else if (!isAtStart) {
        lines.at(-1)?.push(...unit.parts);
        left -= unit.width;
      }
      continue;
    }
    if (unit.width > left && unit.width <= room && !isAtStart) breakLine();
    for (const part of unit.width > left ? splitUnit(unit, left, room) : [unit]) {
      if (part.width > left) breakLine();
      lines.at(-1)?.push(...part.parts);
      left -= part.width;
    }
  }
  return lines;
}

/** Matches the start of a command that the user may copy. */
const COMMAND = /(?<![\w/.-])(?:npx --yes \S+ bun\S* run |bun run )?hubctl [a-z-]/;

/** Wraps prose between words. A command in it stays on one line, by itself if necessary. */
export function wrapAdvice(line: Line, { indent, width }: Pick<Wrapping, 'indent' | 'width'>): Line[] {
  if (widthOf(line) <= width) return [line];
  const at = COMMAND.exec(line.map(textOf).join(''))?.index;
  if (at === undefined) return wrapLine(line, { before: [], indent, width });
  const [prose, command] = splitAt(line, at);
  if (prose.every(isBlank)) return [line];
  const lines = wrapLine(prose, { before: [], indent, width });
  const last = lines.pop() ?? [];
  if (widthOf(last) + widthOf(command) <= width) return [...lines, [...last, ...command]];
  return [...lines, withoutTrailingSpaces(last), [' '.repeat(indent + 2), ...command]];
}

/** Returns the line without trailing spaces. */
function withoutTrailingSpaces(line: Line): Line {
  return line.map((segment, index) =>
    index === line.length - 1 ? withText(segment, textOf(segment).trimEnd()) : segment,
  );
}

function splitAt(line: Line, at: number): [Line, Line] {
  const [before, after]: [Line, Line] = [[], []];
  let start = 0;
  for (const segment of line) {
    const text = textOf(segment);
    const cut = Math.max(0, Math.min(text.length, at - start));
    if (cut > 0) before.push(withText(segment, text.slice(0, cut)));
    if (cut < text.length) after.push(withText(segment, text.slice(cut)));
    start += text.length;
  }
  return [before, after];
}

/** Truncates text to a width, ending with an ellipsis. */
export function shortened(text: string, width: number): string {
  const plain = plainLine(text);
  if (Bun.stringWidth(plain) <= width) return plain;
  let [short, used] = ['', 1];
  for (const character of graphemes(plain)) {
    used += Bun.stringWidth(character);
    if (used > width) break;
    short += character;
  }
  return `${short.trimEnd()}…`;
}

/** Returns the start of the following lines: spaces as wide as a bullet, or the marker of a quote. */
function hangingLead(line: Line, room: number): Line {
  const end = line.findIndex((segment) => !LEAD.test(textOf(segment)));
  const lead = line.slice(0, Math.max(0, end));
  if (widthOf(lead) > room / 2) return [];
  return lead.map((segment) => (textOf(segment) === '> ' ? segment : ' '.repeat(textOf(segment).length)));
}

function unitsOf(line: Line): Unit[] {
  const units: Unit[] = [];
  for (const segment of line) {
    for (const text of textOf(segment).match(/\s+|\S+/g) ?? []) {
      const isSpace = text.trim() === '';
      const last = units.at(-1);
      const part = withText(segment, text);
      if (last && last.isSpace === isSpace) {
        last.parts.push(part);
        last.width += Bun.stringWidth(text);
      } else units.push({ parts: [part], width: Bun.stringWidth(text), isSpace });
    }
  }
  return units;
}

/** Splits a word that is wider than a line. The first piece fills the rest of the current line. */
function splitUnit(unit: Unit, left: number, room: number): Unit[] {
  const pieces: Unit[] = [];
  let free = left;
  for (const part of unit.parts) {
    let [text, width] = ['', 0];
    const take = () => {
      if (text !== '') pieces.push({ parts: [withText(part, text)], width, isSpace: false });
      [text, width] = ['', 0];
    };
    for (const character of graphemes(textOf(part))) {
      const more = Bun.stringWidth(character);
      if (more > free && (width > 0 || free < room)) {
        take();
        free = room;
      }
      text += character;
      width += more;
      free -= more;
    }
    take();
  }
  return pieces;
}

/** Yields graphemes. An emoji of several code points is one grapheme. */
function* graphemes(text: string): Iterable<string> {
  for (const { segment } of new Intl.Segmenter().segment(text)) yield segment;
}

function isBlank(segment: Segment | undefined): boolean {
  return segment !== undefined && textOf(segment).trim() === '';
}

function textOf(segment: Segment): string {
  return typeof segment === 'string' ? segment : segment.text;
}

function withText(segment: Segment, text: string): Segment {
  return typeof segment === 'string' ? text : { text, style: segment.style };
}

function widthOf(line: Line): number {
  return line.reduce((sum, segment) => sum + Bun.stringWidth(textOf(segment)), 0);
}
