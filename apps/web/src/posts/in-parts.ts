import type { LeafNode, PostNode, PostTree } from './post-tree.ts';

/** About what can be drawn at once without a pause that is felt: a node weighs 1, a text one more for each line of it. */
const PART_WEIGHT = 200;
const LINE = 60;
/** Emoji begin with this half of a character, most of them; so many take as much of the browser as a line. */
const EMOJI = '\ud83d';
const EMOJI_PER_LINE = 4;
/** What turns the direction of text begins a run of its own: so many take as much of the browser as a line. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;
const TURNS_PER_LINE = 4;
/** It scrolls by itself, and has a button. */
const CODE_WEIGHT = 48;
/** A paragraph of more is several: the browser breaks the lines of a paragraph anew whenever something is added to it. */
const PARAGRAPH_WEIGHT = 2 * PART_WEIGHT;
/** A text is cut into pieces of so many characters, or of so many lines. */
const PIECE = (PART_WEIGHT / 8) * LINE;
const PIECE_LINES = PART_WEIGHT / 4;

/** Divides what is large into parts, to be drawn one after the other. What is small stays as it is. */
export function inParts(nodes: PostNode[]): PostTree {
  if (weigh(nodes) <= PART_WEIGHT) return { nodes, parts: 0 };
  const divided = divide(nodes.flatMap(pieces));
  return { nodes: divided, parts: number(divided) };
}

/** The text as it was sent. */
export function readPlain(text: string): PostTree {
  return { ...inParts([{ is: 'raw', children: [text] }]), isPlain: true };
}

/** Each group of children that weighs enough as a part; what is heavy by itself is divided too. */
function divide(nodes: readonly PostNode[]): PostNode[] {
  const parts: { children: PostNode[]; weight: number; isEnded: boolean }[] = [];
  for (const node of nodes) {
    const isHeavy = weigh([node]) > PART_WEIGHT;
    const whole = isHeavy && typeof node === 'object' && 'children' in node ? divideInside(node) : node;
    const weight = isHeavy ? 1 : weigh([node]);
    const last = parts.at(-1);
    // What was divided draws its own parts later: nothing that stands behind it is drawn before those.
    if (last && !last.isEnded && last.weight + weight <= PART_WEIGHT) {
      last.children.push(whole);
      last.weight += weight;
      last.isEnded = isHeavy;
    } else parts.push({ children: [whole], weight, isEnded: isHeavy });
  }
  return parts.map(({ children }) => ({ is: 'part', number: 0, children }));
}

function divideInside(node: Exclude<PostNode, string | LeafNode>): PostNode {
  if (node.is === 'codeBlock') return { ...node, children: divide(linePieces(node.code)) };
  return { ...node, children: divide(node.children.flatMap(pieces)) };
}

/** A long text in pieces, a long paragraph as several. */
function pieces(node: PostNode): PostNode[] {
  if (typeof node === 'string') return textPieces(node);
  if (node.is !== 'paragraph' && node.is !== 'raw') return [node];
  const children = node.children.flatMap((child): PostNode[] =>
    typeof child === 'string' ? textPieces(child) : [child],
  );
  if (weigh(children) <= PARAGRAPH_WEIGHT) return [node];
  const { is } = node;
  return groups(children, PARAGRAPH_WEIGHT).map((group, n) => ({
    is: n > 0 && is === 'paragraph' ? 'more' : is,
    children: group,
  }));
}

function groups(nodes: readonly PostNode[], most: number): PostNode[][] {
  const all: PostNode[][] = [];
  let weight = most;
  for (const node of nodes) {
    const more = weigh([node]);
    if (weight + more > most) {
      all.push([]);
      weight = 0;
    }
    all.at(-1)?.push(node);
    weight += more;
  }
  return all;
}

/** Code in blocks of whole lines, as far as there are any. */
function linePieces(code: string): PostNode[] {
  return textPieces(code).map((text) => ({ is: 'lines', children: [text.replace(/\n$/, '')] }));
}

/** Cut behind line ends or blanks where there are any, and never within a character. */
function textPieces(text: string): string[] {
  const cut: string[] = [];
  let start = 0;
  while (start < text.length) {
    const length = pieceLength(text, start);
    cut.push(text.slice(start, start + length));
    start += length;
  }
  return cut;
}

function pieceLength(text: string, start: number): number {
  let end = start;
  for (let ends = 0; ends < PIECE_LINES; ends += 1) {
    const next = text.indexOf('\n', end) + 1;
    if (next === 0 || next - start > PIECE) break;
    end = next;
  }
  if (end > start + PIECE / 2 || countsAsLines(text, start, end)) return end - start;
  if (text.length - start <= PIECE) return text.length - start;
  const piece = text.slice(start, start + PIECE);
  const blank = piece.lastIndexOf(' ') + 1;
  if (blank > PIECE / 2) return blank;
  return /[\ud800-\udbff]$/.test(piece) ? PIECE - 1 : PIECE;
}

/** Whether the piece ends because it has all the lines that it may have, with more behind it. */
function countsAsLines(text: string, start: number, end: number): boolean {
  return end > start && end < text.length && text.slice(start, end).split('\n').length > PIECE_LINES;
}

function weigh(nodes: readonly PostNode[]): number {
  let weight = 0;
  for (const node of nodes) {
    if (typeof node === 'string') weight += 1 + lines(node);
    else if ('children' in node) weight += (node.is === 'codeBlock' ? CODE_WEIGHT : 1) + weigh(node.children);
    else weight += 6;
  }
  return weight;
}

function lines(text: string): number {
  const emoji = Math.floor(count(text, EMOJI) / EMOJI_PER_LINE);
  const turns = Math.floor((text.match(TURNS)?.length ?? 0) / TURNS_PER_LINE);
  return Math.max(count(text, '\n'), Math.floor(text.length / LINE)) + count(text, '@') + emoji + turns;
}

/** Names that are marked are elements of their own. */
function count(text: string, sign: '\n' | '@' | typeof EMOJI): number {
  let found = 0;
  for (let at = text.indexOf(sign); at !== -1 && found < PART_WEIGHT; at = text.indexOf(sign, at + 1)) found += 1;
  return found;
}

/** Numbers the parts from 0 as they stand, and returns how many there are. */
function number(nodes: readonly PostNode[], from = 0): number {
  let next = from;
  for (const node of nodes) {
    if (typeof node === 'string' || !('children' in node)) continue;
    if (node.is === 'part') {
      node.number = next;
      next += 1;
    }
    next = number(node.children, next);
  }
  return next;
}
