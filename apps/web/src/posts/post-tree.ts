import type { AlertKind } from '@hub/contract/markdown/alert-kinds';

/**
 * What a post says, ready to be drawn. It holds only what may be shown: links are safe, pictures are addresses and no more, and
 * its depth and size are bounded. It is plain data, since it comes out of a worker for long posts.
 */
export interface PostTree {
  nodes: PostNode[];
  /** How many parts it has: 0 unless it is large. */
  parts: number;
  /** Set if it could not be read as what it is, and stands as it was sent. */
  isPlain?: true;
  /** Set if nothing of its text is to be seen: it is comments, or definitions of links. */
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

/** A node with children and nothing else to say. `raw` is text of which each blank and line end counts. */
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
  /** What details are called. */
  | 'summary'
  | 'paragraph'
  /** What follows a paragraph that was too long for one, without a gap. */
  | 'more'
  | 'raw'
  | 'quote'
  | 'caption'
  /** Some lines of a long code block. */
  | 'lines'
  | 'callout'
  | 'table'
  | 'head'
  | 'body'
  | 'row';

export interface LinkNode {
  is: 'link';
  /** From `safeAddress`. */
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
  /** The first number; `null`: bullets. */
  start: number | null;
  counter?: 'lower-roman' | 'upper-roman' | 'lower-alpha' | 'upper-alpha';
  children: PostNode[];
}
export interface ItemNode {
  is: 'item';
  /** Of a task, whether it is done. */
  isDone?: boolean;
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
  /** All of it, to be copied. */
  code: string;
  language: string | null;
  /** The same, in parts if it is long. */
  children: PostNode[];
}
/** A block of a tool that is not known here: its texts. */
export interface UnsupportedNode {
  is: 'unsupported';
  type: string;
  children: PostNode[];
}
/** A quotation that begins with `[!NOTE]` or the like. */
export interface AlertNode {
  is: 'alert';
  kind: AlertKind;
  children: PostNode[];
}
/** Its first child is the summary, which stays in sight while the others are hidden. */
export interface DetailsNode {
  is: 'details';
  /** Whether it is written to be open. */
  isOpen: boolean;
  children: PostNode[];
}
/** Children of a large node that are drawn together, in the order of their numbers. */
export interface PartNode {
  is: 'part';
  number: number;
  children: PostNode[];
}

export type LeafNode =
  | { is: 'break' }
  | { is: 'rule' }
  /** Shown only when the reader asks for it. */
  | { is: 'picture'; address: string; text: string };

/** Deeper than this, a text is shown as it was written. */
export const MAX_DEPTH = 14;
/** What is beyond so many nodes is shown as it was written. */
export const MAX_NODES = 8_000;
