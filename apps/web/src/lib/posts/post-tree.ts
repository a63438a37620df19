import { isBlank as isBlankText } from '@hub/contract/blank-text';
import type { AlertKind } from '@hub/contract/markdown/alert-kinds';
import { withoutEscapes } from '@hub/contract/markdown/without-escapes';
import type { Tokens } from 'marked';

/**
 * The content of a post, ready to be drawn. It contains only what may be shown: links are safe, images are nothing but
 * URLs, and depth and size are bounded. It is plain data, since long posts are parsed in a worker.
 */
export interface PostTree {
  nodes: PostNode[];
  /** The number of parts; 0 unless the post is large. */
  parts: number;
  /** Set if the post could not be parsed and is shown as it was sent. */
  isPlain?: true;
  /** Set if none of the text is visible: it consists of comments or link definitions. */
  isInvisible?: true;
}

export type PostNode =
  | string
  | BoxNode
  | LinkNode
  | HeadingNode
  | ListNode
  | ItemNode
  | CellNode
  | OtherNode
  | LeafNode;
type OtherNode = CodeNode | UnsupportedNode | AlertNode | DetailsNode | PartNode;

/** A node with nothing but children. */
export interface BoxNode {
  type: InlineKind | TextKind | 'quote' | 'callout' | 'summary' | 'table' | 'head' | 'body' | 'row';
  children: PostNode[];
}
type InlineKind = 'strong' | 'em' | 'del' | 'u' | 'ins' | 'mark' | 'code' | 'kbd' | 'sub' | 'sup';
/**
 * `more`: the continuation of a paragraph that was split, shown without a gap. `raw`: text in which white space is
 * significant. `lines`: a group of lines of a long code block.
 */
type TextKind = 'paragraph' | 'more' | 'raw' | 'caption' | 'lines';

export interface LinkNode {
  type: 'link';
  /** From `safeUrl`. */
  href: string;
  children: PostNode[];
}
interface HeadingNode {
  type: 'heading';
  level: 3 | 4 | 5 | 6;
  children: PostNode[];
}
export interface ListNode {
  type: 'list';
  /** The first number; `null` for bullets. */
  start: number | null;
  counter?: 'lower-roman' | 'upper-roman' | 'lower-alpha' | 'upper-alpha';
  children: PostNode[];
}
export interface ItemNode {
  type: 'item';
  /** Set for tasks. */
  isDone?: boolean;
  /** The index among the tasks of a Markdown text, in their order in the text. Not set in blocks. */
  task?: number;
  children: PostNode[];
}
export interface CellNode {
  type: 'cell';
  isHead: boolean;
  align: 'left' | 'center' | 'right' | null;
  children: PostNode[];
}
interface CodeNode {
  type: 'codeBlock';
  code: string;
  /** The same code with its terminal colors, if it has any. */
  colored?: string;
  language: string | null;
  /** The same code, in parts if it is long. */
  children: PostNode[];
}
/** Returns a block of code, whose only escape sequences set colors. */
export function codeBlock(text: string, language: string | null): CodeNode {
  const code = withoutEscapes(text);
  return { type: 'codeBlock', code, language, children: [code], ...(code === text ? {} : { colored: text }) };
}

/** A block from an unknown tool, shown as its text. */
interface UnsupportedNode {
  type: 'unsupported';
  blockType: string;
  children: PostNode[];
}
/** A quote that begins with `[!NOTE]` or similar. */
export interface AlertNode {
  type: 'alert';
  kind: AlertKind;
  children: PostNode[];
}
/** The first child is the summary, which stays visible while the others are hidden. */
export interface DetailsNode {
  type: 'details';
  isOpen: boolean;
  children: PostNode[];
}
/** Children of a large node that are drawn together. Parts are drawn in the order of their numbers. */
export interface PartNode {
  type: 'part';
  number: number;
  children: PostNode[];
}

export type LeafNode =
  | { type: 'break' }
  | { type: 'rule' }
  /** Shown only on request. */
  | { type: 'image'; address: string; text: string };

/** Deeper content is shown as it was written. */
const MAX_DEPTH = 14;
/** Content beyond this many nodes is shown as it was written. */
const MAX_NODES = 8_000;

/** Limits the size of a post's tree, normalizes its heading levels and numbers its tasks. Each post has its own. */
export class NodeBudget {
  #left = MAX_NODES;
  #headings: number[] = [];
  /** The tasks of a Markdown text so far, in the order of their numbers. */
  readonly tasks: Tokens.ListItem[] = [];

  /** Deducts one node from the budget and returns whether there is room for it at this depth. */
  take(depth: number, cost = 1): boolean {
    this.#left -= cost;
    return this.#left >= 0 && depth <= MAX_DEPTH;
  }

  /**
   * Returns the level to show. Headings in a post start at level 3, below those of the page, and none is more than one
   * level below the one before it, regardless of the levels that were written.
   */
  headingLevel(written: number): 3 | 4 | 5 | 6 {
    while ((this.#headings.at(-1) ?? 0) >= written) this.#headings.pop();
    this.#headings.push(written);
    return Math.min(2 + this.#headings.length, 6) as 3 | 4 | 5 | 6;
  }
}

/** Adds a node; adjacent text nodes are joined. */
export function add(nodes: PostNode[], node: PostNode): void {
  const last = nodes.at(-1);
  if (typeof node !== 'string') nodes.push(node);
  else if (typeof last === 'string') nodes[nodes.length - 1] = last + node;
  else if (node !== '') nodes.push(node);
}

/** Returns the text of nodes, without the URLs of links. */
export function textOf(nodes: readonly PostNode[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node;
      if ('children' in node) return textOf(node.children);
      return node.type === 'image' ? node.text : '';
    })
    .join('');
}

export function isBlank(nodes: readonly PostNode[]): boolean {
  return nodes.every((node) => {
    if (typeof node === 'string') return isBlankText(node);
    return 'children' in node ? isBlank(node.children) : node.type === 'break';
  });
}
