import type { Block, Priority } from '../items.ts';

/**
 * Items in the server's lists and events. They are written out for the same reasons as the types in `../items.ts`;
 * `contract.test.ts` compares them with the contract.
 */

/** The author of an item: a user, or the workspace's bot for a post by a key. */
export interface Author {
  id: string;
  kind: 'bot' | 'user';
  name: string;
}

/** The common fields of all items. */
export interface ItemFields {
  id: string;
  hubId: string;
  /** The number, within its Hub, of the event that created the item. */
  seq: number;
  /** When it was accepted: ISO 8601 in UTC with milliseconds, like all timestamps. */
  createdAt: string;
  author: Author;
  /** The key that posted it; `null` if a user wrote it. */
  key: { id: string; name: string } | null;
  /** Starts at 1 and increases by one with each edit to the content. */
  version: number;
  editedAt: string | null;
  /** The last editor, if not the author. The local admin has no ID. */
  editedBy: { kind: 'user' | 'local'; id: string | null; name: string } | null;
  /** When it was deleted. The content of a deleted item is blank. */
  deletedAt: string | null;
  /** The IDs of the members that its text mentions as `@name`. */
  mentions: string[];
}

/** The users who reacted to a message with an emoji, earliest first. */
export interface Reaction {
  emoji: string;
  userIds: string[];
}

/** A message or a reply. */
export interface Message extends ItemFields {
  kind: 'message';
  /** Markdown. */
  text: string | null;
  /** Editor.js blocks, which are shown instead of `text`. */
  blocks: Block[] | null;
  /** The message that it replies to. */
  parentId: string | null;
  replyCount: number;
  lastReplyAt: string | null;
  /** The IDs of a few authors of its newest replies, latest first. */
  repliers?: string[];
  reactions: Reaction[];
  /** The to-do or note that it was converted to. */
  conversion: { kind: 'todo' | 'note'; id: string } | null;
}

/** A note. */
export interface Note extends ItemFields {
  kind: 'note';
  title: string | null;
  /** Markdown. */
  content: string;
  /** The message that it was converted from. */
  sourceId: string | null;
}

/** A to-do. */
export interface Todo extends ItemFields {
  kind: 'todo';
  title: string;
  /** Markdown. */
  content: string | null;
  dueDate: string | null;
  priority: Priority | null;
  status: 'open' | 'done';
  assignee: { id: string; name: string } | null;
  finishedAt: string | null;
  finishedBy: { id: string; name: string } | null;
  /** The message that it was converted from. */
  sourceId: string | null;
}

/** A message, note or to-do. */
export type Item = Message | Note | Todo;

/** The remaining fields of an erased item. */
export interface ErasedItem {
  kind: Item['kind'];
  id: string;
  hubId: string;
  deletedAt: string;
}
