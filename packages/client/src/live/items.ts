import type { Block, Priority } from '../items.ts';

/**
 * Items as the server shows them, in lists and in events. Written out for the same reasons as what goes in (`items.ts`
 * beside the client); `frames.test.ts` holds them against the contract.
 */

/** Who wrote an item: the workspace's bot, on behalf of a key, or a person. */
export interface Author {
  id: string;
  kind: 'bot' | 'person';
  name: string;
}

/** What all items have. */
export interface ItemFields {
  id: string;
  hubId: string;
  /** The number of the event of its Hub that it was created with. */
  seq: number;
  /** When it was accepted: ISO 8601 in UTC with milliseconds, like every time. */
  createdAt: string;
  author: Author;
  /** The key that posted it; `null` if a person wrote it. */
  key: { id: string; name: string } | null;
  /** 1, and one more with each edit of its content. */
  version: number;
  editedAt: string | null;
  /** Who edited it last, if that was not its author; the local admin has no id. */
  editedBy: { kind: 'person' | 'local'; id: string | null; name: string } | null;
  /** When it was deleted; its content is blank then. */
  deletedAt: string | null;
  /** The ids of the members whom its text names as `@name`. */
  mentions: string[];
}

/** Who reacted to a message with one emoji, first one first. */
export interface Reaction {
  emoji: string;
  personIds: string[];
}

/** A message, or a reply to one. */
export interface Message extends ItemFields {
  kind: 'message';
  /** Markdown. */
  text: string | null;
  /** Editor.js blocks. They are shown in place of `text`. */
  blocks: Block[] | null;
  /** The message that it replies to. */
  parentId: string | null;
  replyCount: number;
  lastReplyAt: string | null;
  /** The ids of those who wrote its newest replies, the latest first; a few at most. */
  repliers?: string[];
  reactions: Reaction[];
  /** What it was turned into. */
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

/** What a Hub holds. */
export type Item = Message | Note | Todo;

/** All that is left of an item that was erased. */
export interface ErasedItem {
  kind: Item['kind'];
  id: string;
  hubId: string;
  deletedAt: string;
}
