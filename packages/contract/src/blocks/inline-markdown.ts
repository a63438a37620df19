import { codeSpan, escapeLine, escapeText, isAutolink, isOpenGround, linkDestination } from './escape-markdown.ts';
import { BREAK, inlinePieces, MARKS, type Mark, type Marks, type Piece } from './inline-pieces.ts';

/** Markdown of neighbours at one depth: `delimiter` is that of emphasis around it, '' if there is none. */
interface Part {
  markdown: string;
  delimiter: string;
}

const LETTER = /[\p{L}\p{N}]/u;

/** The Markdown of inline HTML, with its line breaks. `marks`: what all of it has besides. */
export function inlineMarkdown(html: string, marks?: Marks): string {
  const lines = rendered(inlinePieces(html, marks), 0).replaceAll(BREAK, '\\\n').split('\n');
  return lines.map(escapeLine).join('\n');
}

/** Of what has one line: headings, items, cells. */
export function oneLineMarkdown(html: string): string {
  return rendered(inlinePieces(html), 0).replaceAll(BREAK, ' ').replaceAll('\n', ' ');
}

/** Plain text, in which nothing is a sign. */
export function plainMarkdown(text: string): string {
  const pieces: Piece[] = [{ text: text.replaceAll(BREAK, '\n'), isCode: false, isBlank: false, marks: {} }];
  return rendered(pieces, 0).trim().split('\n').map(escapeLine).join('\n');
}

/** Neighbours that share the outermost mark are wrapped together, and what is in them likewise. */
function rendered(pieces: readonly Piece[], depth: number): string {
  const mark = MARKS[depth];
  if (mark === undefined) return pieces.map(leaf).join('');
  const parts = grouped(pieces, mark).map(({ value, group }): Part => {
    const inner = rendered(group, depth + 1);
    if (value === undefined) return { markdown: inner, delimiter: '' };
    if (mark === 'link') return { markdown: link(group, inner, value), delimiter: '' };
    return { markdown: inner, delimiter: { strike: '~~', strong: '**', em: '_' }[mark] };
  });
  return parts.map((part, index) => placed(parts, part, index)).join('');
}

/** A blank is within a mark only if it lies between two that are. */
function grouped(pieces: readonly Piece[], mark: Mark): { value: string | undefined; group: Piece[] }[] {
  const groups: { value: string | undefined; group: Piece[] }[] = [];
  for (const [index, piece] of pieces.entries()) {
    const before = pieces[index - 1]?.marks[mark];
    const after = pieces[index + 1]?.marks[mark];
    const value = !piece.isBlank ? piece.marks[mark] : before === after ? before : undefined;
    const lastGroup = groups.at(-1);
    if (lastGroup && lastGroup.value === value) lastGroup.group.push(piece);
    else groups.push({ value, group: [piece] });
  }
  return groups;
}

function leaf({ text, isCode, marks }: Piece): string {
  if (isCode) return codeSpan(text);
  const blanksLaid = text.replace(/\s+/gu, (run) => {
    const breaks = run.split(BREAK).length - 1;
    if (breaks > 0) return BREAK.repeat(breaks);
    return /[\r\n]/.test(run) ? '\n' : ' ';
  });
  return escapeText(blanksLaid, { withAddresses: marks.link === undefined });
}

function link(pieces: readonly Piece[], inner: string, href: string): string {
  const [only, ...others] = pieces;
  const isBare = only?.text === href && others.length === 0 && !only.isCode && isAutolink(href);
  return isBare && MARKS.every((mark: Mark) => mark === 'link' || only.marks[mark] === undefined)
    ? `<${href}>`
    : `[${inner}](${linkDestination(href)})`;
}

/**
 * A part between its neighbours. Beside a letter, a delimiter would be none where it stands against a sign or is `_`
 * (CommonMark 0.31, section 6.2); there the letter is written as a number, which begins and ends with a sign.
 */
function placed(parts: readonly Part[], part: Part, index: number): string {
  const before = parts[index - 1];
  const after = parts[index + 1];
  if (part.delimiter !== '') {
    const own = ownDelimiter(part, before, after);
    return own + part.markdown + own;
  }
  let text = part.markdown;
  const start = first(text);
  if (before && mustGiveWay(before, last(before.markdown), start, ownDelimiter(before, parts[index - 2], part))) {
    text = numbered(start) + text.slice(start.length);
  }
  const end = last(text);
  if (after && mustGiveWay(after, first(after.markdown), end, ownDelimiter(after, part, parts[index + 2]))) {
    text = text.slice(0, text.length - end.length) + numbered(end);
  }
  return text;
}

/** Whether an outer character, beside a delimiter with this one within, has to be written as a number. */
function mustGiveWay({ delimiter }: Part, inner: string, outer: string, own: string): boolean {
  if (delimiter === '' || isOpenGround(outer)) return false;
  return own === '_' || !LETTER.test(inner);
}

/** `_` reads best and joins with nothing, but only `*` works within a word. */
function ownDelimiter({ markdown, delimiter }: Part, before: Part | undefined, after: Part | undefined): string {
  if (delimiter !== '_' || before?.delimiter !== '' || after?.delimiter !== '') return delimiter;
  const isWithinWord = LETTER.test(last(before.markdown)) || LETTER.test(first(after.markdown));
  return isWithinWord && LETTER.test(first(markdown)) && LETTER.test(last(markdown)) ? '*' : delimiter;
}

function first(text: string): string {
  const code = text.codePointAt(0);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function last(text: string): string {
  return first(text.slice(-2)).length === 2 ? text.slice(-2) : text.slice(-1);
}

function numbered(character: string): string {
  return character === '' ? '' : `&#${character.codePointAt(0)};`;
}
