import type { LeafNode, PostNode, PostTree } from './post-tree.ts';

/** About how much can be drawn at once without a pause: a node weighs 1, a text node 1 more for each line. */
const PART_WEIGHT = 200;
const LINE = 60;
/** The high surrogate that most emoji begin with. `EMOJI_PER_LINE` of them cost the browser as much as a line. */
const EMOJI = '\ud83d';
const EMOJI_PER_LINE = 4;
/** Controls that change the direction of text begin their own run. `TURNS_PER_LINE` of them cost as much as a line. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;
const TURNS_PER_LINE = 4;
/** A code block scrolls on its own and has a button. */
const CODE_WEIGHT = 48;
const LEAF_WEIGHT = 6;
/** A link with images has a button that shows them. */
const LINKED_IMAGE_WEIGHT = 12;
/** Heavier paragraphs are split: the browser lays out a whole paragraph again whenever something is added to it. */
const PARAGRAPH_WEIGHT = 2 * PART_WEIGHT;
/** Text is split into pieces of at most this many characters, or of `PIECE_LINES` lines. */
const PIECE = (PART_WEIGHT / 8) * LINE;
const PIECE_LINES = PART_WEIGHT / 4;

/** Divides a large post into parts that are drawn one after another. A small post stays unchanged. */
export function inParts(nodes: PostNode[]): PostTree {
  if (weigh(nodes) <= PART_WEIGHT) return { nodes, parts: 0 };
  const divided = divide(nodes.flatMap(pieces));
  return { nodes: divided, parts: number(divided) };
}

export function readPlain(text: string): PostTree {
  return { ...inParts([{ type: 'raw', children: [text] }]), isPlain: true };
}

/** Groups children into parts of sufficient weight; children that are heavy by themselves are divided too. */
function divide(nodes: readonly PostNode[]): PostNode[] {
  const parts: { children: PostNode[]; weight: number; isEnded: boolean }[] = [];
  for (const node of nodes) {
    const isHeavy = weigh([node]) > PART_WEIGHT;
    const whole = isHeavy && typeof node === 'object' && 'children' in node ? divideInside(node) : node;
    const weight = isHeavy ? 1 : weigh([node]);
    const last = parts.at(-1);
    // A divided node draws its own parts in later frames: nothing after it may be drawn before them.
    if (last && !last.isEnded && last.weight + weight <= PART_WEIGHT) {
      last.children.push(whole);
      last.weight += weight;
      last.isEnded = isHeavy;
    } else parts.push({ children: [whole], weight, isEnded: isHeavy });
  }
  return parts.map(({ children }) => ({ type: 'part', number: 0, children }));
}

function divideInside(node: Exclude<PostNode, string | LeafNode>): PostNode {
  if (node.type === 'codeBlock') return { ...node, children: divide(linePieces(node.code)) };
  return { ...node, children: divide(node.children.flatMap(pieces)) };
}

/** Splits a long text into pieces and a long paragraph into several. */
function pieces(node: PostNode): PostNode[] {
  if (typeof node === 'string') return textPieces(node);
  if (node.type !== 'paragraph' && node.type !== 'raw') return [node];
  const children = node.children.flatMap((child): PostNode[] =>
    typeof child === 'string' ? textPieces(child) : [child],
  );
  if (weigh(children) <= PARAGRAPH_WEIGHT) return [node];
  const { type } = node;
  return groups(children, PARAGRAPH_WEIGHT).map((group, n) => ({
    type: n > 0 && type === 'paragraph' ? 'more' : type,
    children: group,
  }));
}

function groups(nodes: readonly PostNode[], maxWeight: number): PostNode[][] {
  const all: PostNode[][] = [];
  let weight = maxWeight;
  for (const node of nodes) {
    const more = weigh([node]);
    if (weight + more > maxWeight) {
      all.push([]);
      weight = 0;
    }
    all.at(-1)?.push(node);
    weight += more;
  }
  return all;
}

/** Splits code into blocks of whole lines where possible. */
function linePieces(code: string): PostNode[] {
  return textPieces(code).map((text) => ({ type: 'lines', children: [text.replace(/\n$/, '')] }));
}

/** Splits after line ends or spaces where there are any, and never within a character. */
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

/** Whether the piece ends because it has reached the maximum number of lines, with more after it. */
function countsAsLines(text: string, start: number, end: number): boolean {
  return end > start && end < text.length && text.slice(start, end).split('\n').length > PIECE_LINES;
}

function weigh(nodes: readonly PostNode[]): number {
  let weight = 0;
  for (const node of nodes) {
    if (typeof node === 'string') weight += 1 + lines(node);
    else if ('children' in node) weight += ownWeight(node) + weigh(node.children);
    else weight += LEAF_WEIGHT;
  }
  return weight;
}

function ownWeight({ type, children }: Exclude<PostNode, string | LeafNode>): number {
  if (type === 'codeBlock') return CODE_WEIGHT;
  const hasButton = type === 'link' && children.some((child) => typeof child === 'object' && child.type === 'image');
  return hasButton ? LINKED_IMAGE_WEIGHT : 1;
}

function lines(text: string): number {
  const emoji = Math.floor(count(text, EMOJI) / EMOJI_PER_LINE);
  const turns = Math.floor((text.match(TURNS)?.length ?? 0) / TURNS_PER_LINE);
  return Math.max(count(text, '\n'), Math.floor(text.length / LINE)) + count(text, '@') + emoji + turns;
}

/** Counts up to `PART_WEIGHT`. An `@` counts because a highlighted mention is its own element. */
function count(text: string, sign: '\n' | '@' | typeof EMOJI): number {
  let total = 0;
  for (let at = text.indexOf(sign); at !== -1 && total < PART_WEIGHT; at = text.indexOf(sign, at + 1)) total += 1;
  return total;
}

/** Numbers the parts in order from 0 and returns the number after the last one. */
function number(nodes: readonly PostNode[], from = 0): number {
  let next = from;
  for (const node of nodes) {
    if (typeof node === 'string' || !('children' in node)) continue;
    if (node.type === 'part') {
      node.number = next;
      next += 1;
    }
    next = number(node.children, next);
  }
  return next;
}

const COLLAPSED_PARTS = 5;
/** A table row with many columns takes several parts; this many rows show what the table is about. */
const COLLAPSED_ROWS = 6;
const MAX_PARTS = 28;

/** Returns how many parts of a collapsed post are drawn: more if a wide table comes first, to show whole rows. */
export function collapsedParts({ nodes, parts }: PostTree): number {
  const whole = rowsOf(nodes)
    .slice(0, COLLAPSED_ROWS)
    .filter(({ end }) => end <= MAX_PARTS);
  const isAmongFirst = (whole[0]?.start ?? COLLAPSED_PARTS) < COLLAPSED_PARTS;
  return Math.min(parts, Math.max(COLLAPSED_PARTS, isAmongFirst ? (whole.at(-1)?.end ?? 0) : 0));
}

/** For each table row, returns how many parts have been drawn by its start and by its end. */
function rowsOf(nodes: readonly PostNode[], count = { parts: 0 }): { start: number; end: number }[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string' || !('children' in node)) return [];
    if (node.type === 'part') count.parts = node.number + 1;
    const start = count.parts;
    const inside = rowsOf(node.children, count);
    return node.type === 'head' || node.type === 'row' ? [{ start, end: count.parts }] : inside;
  });
}
