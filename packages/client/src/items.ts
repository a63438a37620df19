/**
 * The types of input and output, and of items in the server's lists and events. They are written out instead of
 * derived, so that an editor shows each field with its rules and the published types need no other package.
 * `contract.test.ts` compares them with the contract.
 */

/** How urgent a to-do is. */
export type Priority = 'LOW' | 'MEDIUM' | 'HIGH' | 'URGENT';

/**
 * One Editor.js block, as `save()` returns it. The server validates the `data` of paragraph, header, list, checklist,
 * quote, code, delimiter, table, warning and image. Blocks of any other type are stored, but only their text is shown.
 */
export interface Block {
  id?: string | null | undefined;
  type: string;
  data: Record<string, unknown>;
  tunes?: Record<string, unknown> | null | undefined;
}

/** The ids of uploaded files (`files.upload`), no more than ten. Each belongs to one item. */
type FileIds = readonly string[] | null | undefined;

/** A message: `text`, `blocks` or both, `files`, or all of them. With text and blocks, Hub shows `blocks`. */
export type CreateMessageInput =
  | {
      /** Markdown, at most 40,000 characters. */
      text: string;
      /** Editor.js blocks, at most 100. */
      blocks?: readonly Block[] | null | undefined;
      files?: FileIds;
    }
  | {
      /** Markdown, at most 40,000 characters. */
      text?: string | null | undefined;
      /** Editor.js blocks, at most 100. */
      blocks: readonly Block[];
      files?: FileIds;
    }
  | { text?: string | null | undefined; blocks?: readonly Block[] | null | undefined; files: readonly string[] };

/** A file that was uploaded. Pass its id in `files` of an item within 24 hours; otherwise, it is deleted. */
export interface UploadedFile {
  id: string;
  name: string;
  /** In bytes. */
  size: number;
  /** As sent; for an image, the type of its bytes. */
  contentType: string;
  createdAt: string;
}

/** A file of an item. */
export interface ItemFile extends Omit<UploadedFile, 'createdAt'> {
  /** The size of an image in pixels. */
  width?: number;
  height?: number;
  /** The average color of an image, such as `#2857c4`, to show until it has loaded. */
  color?: string;
}

/** A note. */
export interface CreateNoteInput {
  /** Plain text, at most 255 characters. */
  title?: string | null | undefined;
  /** Markdown, at most 200,000 characters. */
  content: string;
  files?: FileIds;
}

/** A to-do. */
export interface CreateTodoInput {
  /** Plain text, at most 255 characters. */
  title: string;
  /** Markdown, at most 40,000 characters. */
  content?: string | null | undefined;
  /** A `Date`, or a date and a time with `Z` or an offset: `2026-03-01T09:30:00Z`, `2026-03-01T10:30+01:00`. */
  dueDate?: string | Date | null | undefined;
  priority?: Priority | null | undefined;
  files?: FileIds;
}

/** A created message. */
export interface CreatedMessage {
  id: string;
  /** The Hub's conversation. */
  conversationId: string;
  /** When the server accepted the message: ISO 8601 in UTC with milliseconds. */
  createdAt: string;
}

/** A created note. */
export interface CreatedNote {
  id: string;
  /** The Hub's bucket of notes. */
  bucketId: string;
  /** When the server accepted the note: ISO 8601 in UTC with milliseconds. */
  createdAt: string;
}

/** A created to-do. */
export interface CreatedTodo {
  id: string;
  /** The Hub's bucket of to-dos. */
  bucketId: string;
  /** When the server accepted the to-do: ISO 8601 in UTC with milliseconds. */
  createdAt: string;
}

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
  /** Omitted if there are none. */
  files?: ItemFile[];
}

/** The users who reacted to a message with an emoji, earliest first. */
export interface Reaction {
  emoji: string;
  userIds: string[];
}

/** The replies to an item. A reply has none. */
interface Thread {
  replyCount: number;
  lastReplyAt: string | null;
  /** The IDs of a few authors of its newest replies, latest first. */
  repliers?: string[];
}

/** The question of a message. The first answer closes it, or its expiry. */
export interface Question {
  /** Without choices, the first reply answers it. */
  choices: string[] | null;
  /** The IDs of the users who may answer, `admin` or `owner`; `null`: every member of the Hub. */
  answerBy: string[] | null;
  expiresAt: string;
  state: 'open' | 'answered' | 'expired';
  answer: {
    choice: string | null;
    /** The reply that answered it, if it has no choices. */
    replyId: string | null;
    by: { id: string; name: string };
    at: string;
  } | null;
}

/** A message or a reply. */
export interface Message extends ItemFields, Thread {
  kind: 'message';
  /** Markdown. */
  text: string | null;
  /** Editor.js blocks, which are shown instead of `text`. */
  blocks: Block[] | null;
  /** The message, note or to-do that it replies to. */
  parentId: string | null;
  reactions: Reaction[];
  /** The to-do or note that it was converted to. */
  conversion: { kind: 'todo' | 'note'; id: string } | null;
  /** Omitted unless the message is a question. */
  question?: Question;
}

/** A note. */
export interface Note extends ItemFields, Thread {
  kind: 'note';
  title: string | null;
  /** Markdown. */
  content: string;
  /** The message that it was converted from. */
  sourceId: string | null;
}

/** A to-do. */
export interface Todo extends ItemFields, Thread {
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
