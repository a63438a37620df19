import type { Line } from './markdown-lines.ts';
import type { Segment } from './output.ts';
import { plainLine } from './terminal-text.ts';

/** A word or the white space between two, in the styles that its parts have. */
interface Unit {
  parts: Segment[];
  width: number;
  isSpace: boolean;
}

/** What stands before a line of a list, a quotation or code: what follows it is kept to its right. */
const LEAD = /^(?:\s+|- |\d+\. |\[[ x]\] |> )$/;

interface Wrapping {
  /** What stands before the first line. */
  before: Line;
  /** With how many blanks the others begin. */
  indent: number;
  width: number;
}

/** Narrower than this nothing can be read: then lines are longer than the terminal is wide. */
const MIN_ROOM = 10;

/**
 * Breaks a line between words, so that it fits; a word that is wider than a line is broken anywhere. The lines after the first
 * keep to the right of a bullet. Escape sequences are taken out before: two halves of one could not be seen to be one.
 */
export function wrapLine(line: Line, { before, indent, width }: Wrapping): Line[] {
  const segments = line.map((segment) => withText(segment, plainLine(textOf(segment))));
  let left = width - widthOf(before.map((segment) => plainLine(textOf(segment))));
  if (widthOf(segments) <= left) return [[...before, ...segments]];
  const hanging = [' '.repeat(indent), ...hangingLead(segments, width - indent)];
  const room = Math.max(MIN_ROOM, width - widthOf(hanging));
  const lines: Line[] = [[...before]];
  const breakLine = (): void => {
    // Blanks at the end of a line are of no use.
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
    for (const part of unit.width > left ? inPieces(unit, left, room) : [unit]) {
      if (part.width > left) breakLine();
      lines.at(-1)?.push(...part.parts);
      left -= part.width;
    }
  }
  return lines;
}

/** A command that is to be typed, or copied, as it stands. */
const COMMAND = /(?<![\w/.-])(?:npx --yes \S+ bun\S* run |bun run )?hubctl [a-z-]/;

/** Breaks prose between words. A command in it is kept in one piece, on a line of its own if need be. */
export function wrapAdvice(line: Line, { indent, width }: Pick<Wrapping, 'indent' | 'width'>): Line[] {
  if (widthOf(line) <= width) return [line];
  const at = COMMAND.exec(line.map(textOf).join(''))?.index;
  if (at === undefined) return wrapLine(line, { before: [], indent, width });
  const [prose, command] = splitAt(line, at);
  if (prose.every(isBlank)) return [line];
  const lines = wrapLine(prose, { before: [], indent, width });
  const last = lines.pop() ?? [];
  if (widthOf(last) + widthOf(command) <= width) return [...lines, [...last, ...command]];
  return [...lines, withoutEnd(last), [' '.repeat(indent + 2), ...command]];
}

/** Blanks at the end of a line are of no use. */
function withoutEnd(line: Line): Line {
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

/** At most so wide, with an ellipsis in the place of the rest. */
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

/** Blanks as wide as the bullet; the mark of a quotation stands before each of its lines. */
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

/** A word that fits on no line: the first piece fills what is left of this line. */
function inPieces(unit: Unit, left: number, room: number): Unit[] {
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

/** Characters as people count them: an emoji of several code points is one. */
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
