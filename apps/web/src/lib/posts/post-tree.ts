import type { AlertKind } from '@hub/contract/markdown/alert-kinds';

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
  | CodeNode
  | UnsupportedNode
  | AlertNode
  | DetailsNode
  | PartNode
  | LeafNode;

/** A node with nothing but children. `raw` is text in which white space is significant. */
export interface BoxNode {
  is: BoxKind;
  children: PostNode[];
}
type BoxKind =
  | 'strong'
  | 'em'
  | 'del'
  | 'u'
  | 'ins'
  | 'mark'
  | 'code'
  | 'kbd'
  | 'sub'
  | 'sup'
  /** The summary of details. */
  | 'summary'
  | 'paragraph'
  /** The continuation of a paragraph that was split, shown without a gap. */
  | 'more'
  | 'raw'
  | 'quote'
  | 'caption'
  /** A group of lines of a long code block. */
  | 'lines'
  | 'callout'
  | 'table'
  | 'head'
  | 'body'
  | 'row';

export interface LinkNode {
  is: 'link';
  /** From `safeUrl`. */
  href: string;
  children: PostNode[];
}
export interface HeadingNode {
  is: 'heading';
  level: 3 | 4 | 5 | 6;
  children: PostNode[];
}
export interface ListNode {
  is: 'list';
  /** The first number; `null` for bullets. */
  start: number | null;
  counter?: 'lower-roman' | 'upper-roman' | 'lower-alpha' | 'upper-alpha';
  children: PostNode[];
}
export interface ItemNode {
  is: 'item';
  /** Set for tasks. */
  isDone?: boolean;
  /** The index among the tasks of a Markdown text, in their order in the text. Not set in blocks. */
  task?: number;
  children: PostNode[];
}
export interface CellNode {
  is: 'cell';
  isHead: boolean;
  align: 'left' | 'center' | 'right' | null;
  children: PostNode[];
}
export interface CodeNode {
  is: 'codeBlock';
  /** The whole code, for copying. */
  code: string;
  language: string | null;
  /** The same code, in parts if it is long. */
  children: PostNode[];
}
/** A block from an unknown tool, shown as its text. */
export interface UnsupportedNode {
  is: 'unsupported';
  type: string;
  children: PostNode[];
}
/** A quote that begins with `[!NOTE]` or similar. */
export interface AlertNode {
  is: 'alert';
  kind: AlertKind;
  children: PostNode[];
}
/** The first child is the summary, which stays visible while the others are hidden. */
export interface DetailsNode {
  is: 'details';
  /** Whether it has the `open` attribute. */
  isOpen: boolean;
  children: PostNode[];
}
/** Children of a large node that are drawn together. Parts are drawn in the order of their numbers. */
export interface PartNode {
  is: 'part';
  number: number;
  children: PostNode[];
}

export type LeafNode =
  | { is: 'break' }
  | { is: 'rule' }
  /** Shown only on request. */
  | { is: 'image'; address: string; text: string };

/** Deeper content is shown as it was written. */
export const MAX_DEPTH = 14;
/** Content beyond this many nodes is shown as it was written. */
export const MAX_NODES = 8_000;
