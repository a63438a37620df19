import { type InlineNode, parseInlineHtml } from './inline-html.ts';

/** The text formats that Markdown supports, outermost first. Markdown has no syntax for underlines or highlights. */
export const MARKS = ['link', 'strike', 'strong', 'em'] as const;
export type Mark = (typeof MARKS)[number];

/** The marks of a piece of text. The value of a link is its URL. */
export type Marks = Readonly<Partial<Record<Mark, string>>>;

export interface Piece {
  text: string;
  isCode: boolean;
  /** White space and line breaks. */
  isBlank: boolean;
  marks: Marks;
}

const MARK_OF: Readonly<Record<string, Mark>> = { b: 'strong', strong: 'strong', i: 'em', em: 'em', s: 'strike' };

/** Represents a line break, which is treated as white space. As in HTML, a newline in the text is not a line break. */
export const BREAK = '\u2028';

/**
 * Splits inline HTML into pieces of text with their marks. White space is kept only between two other pieces, as a
 * separate piece without marks, because emphasis in Markdown cannot begin or end with it.
 */
export function inlinePieces(html: string, outerMarks: Marks = {}): Piece[] {
  const pieces: Piece[] = [];
  gather(parseInlineHtml(html), { marks: outerMarks, isCode: false }, pieces);
  return withBlanksBetween(mergeNeighbours(pieces).flatMap(splitBlanks));
}

function gather(
  nodes: readonly InlineNode[],
  { marks, isCode }: Pick<Piece, 'marks' | 'isCode'>,
  pieces: Piece[],
): void {
  for (const node of nodes) {
    if (typeof node === 'string') {
      pieces.push({ text: node.replaceAll('\u00a0', ' ').replaceAll(BREAK, '\n'), isCode, isBlank: false, marks });
    } else if (node.tag === 'br') pieces.push({ text: isCode ? ' ' : BREAK, isCode, isBlank: false, marks });
    else if (node.tag === 'code') gather(node.children, { marks, isCode: true }, pieces);
    else if (node.tag === 'a') gather(node.children, { marks: { ...marks, link: node.href }, isCode }, pieces);
    else {
      const mark = MARK_OF[node.tag];
      gather(node.children, { marks: mark === undefined ? marks : { ...marks, [mark]: '' }, isCode }, pieces);
    }
  }
}

/** Merges adjacent pieces with the same marks. */
function mergeNeighbours(pieces: readonly Piece[]): Piece[] {
  const groups: { texts: string[]; piece: Piece }[] = [];
  for (const piece of pieces) {
    const last = groups.at(-1);
    if (last && last.piece.isCode === piece.isCode && sameMarks(last.piece.marks, piece.marks)) {
      last.texts.push(piece.text);
    } else groups.push({ texts: [piece.text], piece });
  }
  return groups.map(({ texts, piece }) => ({ ...piece, text: texts.join('') }));
}

function sameMarks(one: Marks, other: Marks): boolean {
  return MARKS.every((mark) => one[mark] === other[mark]);
}

/** Splits a piece into leading white space, text and trailing white space. */
function splitBlanks(piece: Piece): Piece[] {
  if (piece.isCode && piece.text.trim() !== '') return [{ ...piece, text: piece.text.replace(/[\r\n]/g, ' ') }];
  let start = 0;
  let end = piece.text.length;
  while (start < end && isBlank(piece.text.charAt(start))) start += 1;
  while (end > start && isBlank(piece.text.charAt(end - 1))) end -= 1;
  const blank = (text: string): Piece => ({ text, isCode: false, isBlank: true, marks: {} });
  return [
    blank(piece.text.slice(0, start)),
    { ...piece, text: piece.text.slice(start, end) },
    blank(piece.text.slice(end)),
  ].filter(({ text }) => text !== '');
}

/** Keeps one piece of white space between two pieces of text, and none at either end. */
function withBlanksBetween(pieces: readonly Piece[]): Piece[] {
  const result: Piece[] = [];
  let blanks = '';
  for (const piece of pieces) {
    if (piece.isBlank) {
      blanks += piece.text;
      continue;
    }
    if (blanks !== '' && result.length > 0) result.push({ text: blanks, isCode: false, isBlank: true, marks: {} });
    blanks = '';
    result.push(piece);
  }
  return result;
}

function isBlank(character: string): boolean {
  return /\s/u.test(character);
}
