import type { NamedCharacters } from '@hub/contract/markdown/named-characters';
import type { HtmlNesting } from '@hub/contract/markdown/nest-html';
import { add, isBlank, type NodeBudget, type PostNode } from './post-tree.ts';
import { imageUrl, safeUrl } from './safe-url.ts';

export interface ReadContext {
  budget: NodeBudget;
  depth: number;
  isInLink?: boolean;
  /** The named characters; without them, some names stay as written. */
  names?: NamedCharacters | undefined;
  /** Reads HTML. Text without tags needs none. */
  html?: HtmlReader | undefined;
}

/** Adds nodes to the HTML elements that are open. */
type Nesting = Pick<HtmlNesting<PostNode>, 'depth' | 'add' | 'read' | 'isWithin' | 'end'>;

/** Reads the HTML in Markdown: `html-elements.ts`, which few posts need, and which is not part of the first load. */
export interface HtmlReader {
  nesting: (context: ReadContext) => Nesting;
  /** Returns whether HTML contains a tag that posts may use, or a comment. */
  isKnown: (html: string) => boolean;
}

const BLOCKS: ReadonlySet<string> = new Set(
  'paragraph raw heading list item quote alert codeBlock rule table details summary'.split(' '),
);

/** Returns a builder that nests the HTML elements found in Markdown. `context`: where that Markdown is read. */
export function htmlNesting(context: ReadContext): Nesting {
  if (context.html) return context.html.nesting(context);
  const nodes: PostNode[] = [];
  const add = (...more: PostNode[]) => void nodes.push(...more);
  return { depth: 0, add, read: add, isWithin: () => false, end: () => nodes };
}

/** Returns the context inside the elements that are currently open. */
export function within(html: Nesting, context: ReadContext): ReadContext {
  if (html.depth === 0) return context;
  return { ...context, depth: context.depth + html.depth, isInLink: context.isInLink || html.isWithin('a') };
}

/** Wraps the inline content between blocks in paragraphs. */
export function paragraphs(nodes: readonly PostNode[]): PostNode[] {
  const blocks: PostNode[] = [];
  let line: PostNode[] = [];
  const endLine = () => {
    if (!isBlank(line)) blocks.push({ type: 'paragraph', children: trimmed(line) });
    line = [];
  };
  for (const node of nodes) {
    if (isBlock(node)) {
      endLine();
      blocks.push(node);
    } else line.push(node);
  }
  endLine();
  return blocks;
}

export function isBlock(node: PostNode): boolean {
  return typeof node === 'object' && BLOCKS.has(node.type);
}

/** Joins adjacent text nodes; a line ending right after a break is part of that break. */
export function merged(nodes: readonly PostNode[]): PostNode[] {
  const all: PostNode[] = [];
  for (const node of nodes) {
    const last = all.at(-1);
    const isAfterBreak = typeof last === 'object' && last.type === 'break';
    add(all, isAfterBreak && typeof node === 'string' ? node.replace(/^ ?\n/, '') : node);
  }
  return all;
}

/** Returns an image; a link if its URL is not safe to load; the source text if it is not even safe to link. */
export function imageNodes({ address, text, raw }: { address: string; text: string; raw: string }): PostNode[] {
  const safe = imageUrl(address);
  if (safe !== null) return [{ type: 'image', address: safe, text }];
  const href = safeUrl(address);
  return href === null ? [raw] : [{ type: 'link', href, children: [text === '' ? href : text] }];
}

export function trimmed(nodes: readonly PostNode[]): PostNode[] {
  const children = [...nodes];
  const [first] = children;
  if (typeof first === 'string') children[0] = first.trimStart();
  const last = children.at(-1);
  if (typeof last === 'string') children[children.length - 1] = last.trimEnd();
  return children.filter((node) => node !== '');
}
