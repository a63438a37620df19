import { type InlineNode, parseInlineHtml } from './inline-html.ts';

/** What Markdown can say of a text, the outermost first. It has no word for what is underlined or marked. */
export const MARKS = ['link', 'strike', 'strong', 'em'] as const;
export type Mark = (typeof MARKS)[number];

/** Each mark that a text has; of a link, its address. */
export type Marks = Readonly<Partial<Record<Mark, string>>>;

export interface Piece {
  text: string;
  isCode: boolean;
  /** White space and line breaks. */
  isBlank: boolean;
  marks: Marks;
}

const MARK_OF: Readonly<Record<string, Mark>> = {
  b: 'strong',
  strong: 'strong',
  i: 'em',
  em: 'em',
  s: 'strike',
};

/** Stands for a line break: white space to all that looks for it. A line end in the text itself is none, as in HTML. */
export const BREAK = '\u2028';

/**
 * Inline HTML as pieces of text, each with its marks. White space lies in pieces of its own between two others, without
 * marks: in Markdown, nothing can begin or end with it.
 */
export function inlinePieces(html: string, around: Marks = {}): Piece[] {
  const gathered: Piece[] = [];
  gather(parseInlineHtml(html), { marks: around, isCode: false }, gathered);
  return withBlanksBetween(joined(gathered).flatMap(splitBlanks));
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

/** Neighbours of the same kind as one. */
function joined(pieces: readonly Piece[]): Piece[] {
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

/** Apart: the white space before, the text, the white space behind. */
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

/** One piece of it between two of text, and none at either end. */
function withBlanksBetween(pieces: readonly Piece[]): Piece[] {
  const laid: Piece[] = [];
  let blanks = '';
  for (const piece of pieces) {
    if (piece.isBlank) {
      blanks += piece.text;
      continue;
    }
    if (blanks !== '' && laid.length > 0) laid.push({ text: blanks, isCode: false, isBlank: true, marks: {} });
    blanks = '';
    laid.push(piece);
  }
  return laid;
}

function isBlank(character: string): boolean {
  return /\s/u.test(character);
}
