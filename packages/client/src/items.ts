/**
 * The input and output types. They are written out instead of derived, so that an editor shows each field with its
 * rules and the published types need no other package. `items.test.ts` compares them with the contract.
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

/** A message: `text`, `blocks`, or both. With both, Hub shows `blocks`. */
export type CreateMessageInput =
  | {
      /** Markdown, at most 40,000 characters. */
      text: string;
      /** Editor.js blocks, at most 100. */
      blocks?: readonly Block[] | null | undefined;
    }
  | {
      /** Markdown, at most 40,000 characters. */
      text?: string | null | undefined;
      /** Editor.js blocks, at most 100. */
      blocks: readonly Block[];
    };

/** A note. */
export interface CreateNoteInput {
  /** Plain text, at most 255 characters. */
  title?: string | null | undefined;
  /** Markdown, at most 200,000 characters. */
  content: string;
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
