import {
  codeSpan,
  escapeLine,
  escapeText,
  isAutolink,
  isDelimiterBoundary,
  linkDestination,
} from './escape-markdown.ts';
import { BREAK, inlinePieces, MARKS, type Mark, type Marks, type Piece } from './inline-pieces.ts';

/** The Markdown for adjacent pieces at one depth. `delimiter` is the emphasis delimiter around them, or ''. */
interface Part {
  markdown: string;
  delimiter: string;
}

const LETTER = /[\p{L}\p{N}]/u;

/** Converts inline HTML to Markdown, with line breaks. `marks` are applied to all of it. */
export function inlineMarkdown(html: string, marks?: Marks): string {
  const lines = render(inlinePieces(html, marks), 0).replaceAll(BREAK, '\\\n').split('\n');
  return lines.map(escapeLine).join('\n');
}

/** Converts the inline HTML of headings, items and cells to Markdown on one line. */
export function oneLineMarkdown(html: string): string {
  return render(inlinePieces(html), 0).replaceAll(BREAK, ' ').replaceAll('\n', ' ');
}

/** Converts plain text to Markdown in which all syntax is escaped. */
export function plainMarkdown(text: string): string {
  const pieces: Piece[] = [{ text: text.replaceAll(BREAK, '\n'), isCode: false, isBlank: false, marks: {} }];
  return render(pieces, 0).trim().split('\n').map(escapeLine).join('\n');
}

/** Puts one pair of delimiters around adjacent pieces that share the mark at this depth, and recurses into them. */
function render(pieces: readonly Piece[], depth: number): string {
  const mark = MARKS[depth];
  if (mark === undefined) return pieces.map(leaf).join('');
  const parts = groupByMark(pieces, mark).map(({ value, group }): Part => {
    const inner = render(group, depth + 1);
    if (value === undefined) return { markdown: inner, delimiter: '' };
    if (mark === 'link') return { markdown: link(group, inner, value), delimiter: '' };
    return { markdown: inner, delimiter: { strike: '~~', strong: '**', em: '_' }[mark] };
  });
  return parts.map((part, index) => withDelimiter(parts, part, index)).join('');
}

/** Groups adjacent pieces by a mark. White space has a mark only if the pieces on both sides have it. */
function groupByMark(pieces: readonly Piece[], mark: Mark): { value: string | undefined; group: Piece[] }[] {
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
  const normalized = text.replace(/\s+/gu, (run) => {
    const breaks = run.split(BREAK).length - 1;
    if (breaks > 0) return BREAK.repeat(breaks);
    return /[\r\n]/.test(run) ? '\n' : ' ';
  });
  return escapeText(normalized, { withAddresses: marks.link === undefined });
}

function link(pieces: readonly Piece[], inner: string, href: string): string {
  const [only, ...others] = pieces;
  const isBare = only?.text === href && others.length === 0 && !only.isCode && isAutolink(href);
  return isBare && MARKS.every((mark: Mark) => mark === 'link' || only.marks[mark] === undefined)
    ? `<${href}>`
    : `[${inner}](${linkDestination(href)})`;
}

/**
 * Returns a part with its delimiters. Next to a letter, a delimiter has no effect if punctuation is on its other side
 * or if it is `_` (CommonMark 0.31, section 6.2). There the letter is written as a numeric character reference, which
 * begins and ends with punctuation.
 */
function withDelimiter(parts: readonly Part[], part: Part, index: number): string {
  const before = parts[index - 1];
  const after = parts[index + 1];
  if (part.delimiter !== '') {
    const own = delimiterOf(part, before, after);
    return own + part.markdown + own;
  }
  let text = part.markdown;
  const start = first(text);
  if (before && needsReference(before, last(before.markdown), start, delimiterOf(before, parts[index - 2], part))) {
    text = characterReference(start) + text.slice(start.length);
  }
  const end = last(text);
  if (after && needsReference(after, first(after.markdown), end, delimiterOf(after, part, parts[index + 2]))) {
    text = text.slice(0, text.length - end.length) + characterReference(end);
  }
  return text;
}

/** Returns whether a character outside a delimiter must be a numeric reference, given the character inside. */
function needsReference({ delimiter }: Part, inner: string, outer: string, own: string): boolean {
  if (delimiter === '' || isDelimiterBoundary(outer)) return false;
  return own === '_' || !LETTER.test(inner);
}

/** Returns the delimiter of a part. `_` is the most readable and unambiguous, but only `*` works inside a word. */
function delimiterOf({ markdown, delimiter }: Part, before: Part | undefined, after: Part | undefined): string {
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

function characterReference(character: string): string {
  return character === '' ? '' : `&#${character.codePointAt(0)};`;
}
