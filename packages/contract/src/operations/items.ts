import { Type } from '@sinclair/typebox';
import * as wire from '../index.ts';
import { bothWays, choice, filter, instant, type OperationDeclaration, page } from './operation.ts';

const origin = {
  keyId: filter('Only posts by this key.'),
  authorId: filter('Only items by this user or the bot; `me` is the caller.'),
};
const todoFilters = {
  status: choice('Only to-dos with this status.', wire.TODO_STATUSES),
  assigneeId: filter('Only to-dos assigned to this user; `me` is the caller, `none` finds unassigned to-dos.'),
  ...origin,
};

const messages = {
  'GET /hubs/{hubId}/messages': {
    id: 'listMessages',
    summary: 'List the messages of a Hub',
    description: 'Newest first, without replies. Subscribe with the `seq` and `epoch` of the page to miss nothing.',
    access: 'member',
    query: { ...bothWays, ...origin },
    success: wire.HubPage(wire.Message),
  },
  'POST /hubs/{hubId}/messages': {
    id: 'writeMessage',
    summary: 'Write a message',
    access: 'user',
    body: wire.WriteMessageBody,
    noun: 'a message',
    status: 201,
    success: wire.Message,
  },
  'PATCH /messages/{messageId}': {
    id: 'changeMessage',
    summary: 'Edit a message',
    description: 'For its author only. Posts by a key cannot be edited.',
    access: 'member',
    body: wire.ChangeMessageBody,
    noun: 'a message',
    success: wire.Message,
    errors: [409],
  },
  'DELETE /messages/{messageId}': {
    id: 'deleteMessage',
    summary: 'Delete a message',
    description:
      'For its author and admins. Its content disappears from every view at once, and can be restored for 30 days. If it has replies, an empty message stays in its place.',
    access: 'member',
    noun: 'a deletion',
    success: wire.Message,
  },
  'POST /messages/{messageId}/conversion': {
    id: 'convertMessage',
    summary: 'Convert a message to a to-do or a note',
    description: 'The new item links back to the message, and the message shows the new item.',
    access: 'user',
    body: wire.ConvertMessageBody,
    noun: 'a conversion',
    status: 201,
    repeated: 'The message was already converted: this is the existing item.',
    success: wire.Item,
  },
  'PUT /messages/{messageId}/reactions/{emoji}': {
    id: 'reactToMessage',
    summary: 'React to a message',
    description: 'Reacting twice with the same emoji changes nothing.',
    access: 'user',
    noun: 'a reaction',
    success: wire.Message,
    errors: [409],
  },
  'DELETE /messages/{messageId}/reactions/{emoji}': {
    id: 'unreactToMessage',
    summary: 'Remove a reaction',
    description: "Only the caller's own. Removing a reaction that does not exist changes nothing.",
    access: 'user',
    noun: 'a deletion',
    success: wire.Message,
  },
} as const satisfies Record<string, OperationDeclaration>;

const notesAndTodos = {
  'GET /hubs/{hubId}/notes': {
    id: 'listNotes',
    summary: 'List the notes of a Hub',
    access: 'member',
    query: { ...bothWays, ...origin },
    success: wire.HubPage(wire.Note),
  },
  'POST /hubs/{hubId}/notes': {
    id: 'writeNote',
    summary: 'Write a note',
    access: 'user',
    body: wire.WriteNoteBody,
    noun: 'a note',
    status: 201,
    success: wire.Note,
  },
  'PATCH /notes/{noteId}': {
    id: 'changeNote',
    summary: 'Edit a note',
    access: 'member',
    body: wire.ChangeNoteBody,
    noun: 'a note',
    success: wire.Note,
    errors: [409],
  },
  'DELETE /notes/{noteId}': {
    id: 'deleteNote',
    summary: 'Delete a note',
    access: 'member',
    noun: 'a deletion',
    success: wire.Note,
  },
  'GET /hubs/{hubId}/todos': {
    id: 'listTodos',
    summary: 'List the to-dos of a Hub',
    access: 'member',
    query: { ...bothWays, ...todoFilters },
    success: wire.HubPage(wire.Todo),
  },
  'POST /hubs/{hubId}/todos': {
    id: 'writeTodo',
    summary: 'Write a to-do',
    access: 'user',
    body: wire.WriteTodoBody,
    noun: 'a to-do',
    status: 201,
    success: wire.Todo,
  },
  'GET /todos': {
    id: 'listMyTodos',
    summary: 'List to-dos across Hubs',
    description: 'From all Hubs that the caller may read, newest first. `assigneeId=me` finds their own.',
    access: 'member',
    query: { ...bothWays, hubId: filter('Only to-dos in this Hub.'), ...todoFilters },
    success: wire.HubsPage(wire.Todo),
    errors: [404],
  },
  'PATCH /todos/{todoId}': {
    id: 'changeTodo',
    summary: 'Edit, assign, complete or reopen a to-do',
    access: 'member',
    body: wire.ChangeTodoBody,
    noun: 'a to-do',
    success: wire.Todo,
    errors: [409],
  },
  'DELETE /todos/{todoId}': {
    id: 'deleteTodo',
    summary: 'Delete a to-do',
    access: 'member',
    noun: 'a deletion',
    success: wire.Todo,
  },
} as const satisfies Record<string, OperationDeclaration>;

/** Operations for items of every kind. */
const items = {
  'GET /stream': {
    id: 'listStream',
    summary: "List all items from the caller's Hubs",
    description:
      'Newest first, including replies. With a filter that matches few items, a page may hold fewer than `limit`; there may be more as long as there is a `next`.',
    access: 'member',
    query: {
      ...bothWays,
      hubId: filter('Only items in this Hub.'),
      kind: choice('Only items of this kind.', wire.ITEM_KINDS),
      ...origin,
      unread: choice('`true`: only unread items by others, per Hub and kind.', ['true', 'false']),
    },
    success: wire.StreamPage,
    errors: [404],
  },
  'GET /stream/keys': {
    id: 'listPostingKeys',
    summary: "List the keys that have posted to the caller's Hubs",
    description: `Their names, as in their posts; the most recently used first, at most ${wire.LIMITS.postingKeys}.`,
    access: 'member',
    query: { hubId: filter('Only keys of this Hub.') },
    success: Type.Object({ items: Type.Array(wire.PostingKey) }, { additionalProperties: false }),
    errors: [404],
  },
  'GET /mentions': {
    id: 'listMentions',
    summary: 'List mentions and replies',
    description:
      'Items that mention the caller as `@name`, and replies in threads that the caller started or wrote one of the last hundred replies in; in Hubs that the caller may read. Newest first.',
    access: 'user',
    query: page,
    success: wire.MentionPage,
  },
  'PUT /mentions/read': {
    id: 'markMentionsRead',
    summary: 'Mark mentions and replies as read',
    description:
      'A mention outside of threads is also marked as read with its kind in the Hub, and a reply with its thread. It never becomes unread again.',
    access: 'user',
    body: wire.ReadMentionsBody,
    noun: 'a read marker',
    success: wire.UnreadMentions,
    errors: [404],
  },
  'GET /items/{itemId}': {
    id: 'showItem',
    summary: 'Show a message, note or to-do',
    access: 'member',
    turn: 'own',
    success: wire.Item,
  },
  'GET /items/{itemId}/replies': {
    id: 'listReplies',
    summary: 'List the replies to a message, note or to-do',
    description: 'Newest first.',
    access: 'member',
    query: bothWays,
    success: wire.HubPage(wire.Message),
  },
  'POST /items/{itemId}/replies': {
    id: 'replyToItem',
    summary: 'Reply to a message, note or to-do',
    description: 'A reply is a message. Threads are one level deep: a reply cannot have replies.',
    access: 'user',
    body: wire.WriteReplyBody,
    noun: 'a reply',
    status: 201,
    success: wire.Message,
  },
  'PUT /items/{itemId}/replies/read': {
    id: 'markThreadRead',
    summary: 'Mark a thread as read',
    description:
      'Marks mentions of and replies to the caller in the thread as read, including the item itself. They never become unread again.',
    access: 'user',
    body: wire.ReadThreadBody,
    noun: 'a read marker',
    success: wire.UnreadMentions,
  },
  'POST /items/{itemId}/restoration': {
    id: 'restoreItem',
    summary: 'Restore a deleted message, note or to-do',
    description:
      'For its author, the user who deleted it, and admins, until 30 days after the deletion. Its replies, reactions and mentions come back with it. Restoring an item that is not deleted changes nothing.',
    access: 'member',
    noun: 'a restoration',
    success: wire.Item,
    errors: [409],
  },
  'GET /hubs/{hubId}/deleted-items': {
    id: 'listDeletedItems',
    summary: 'List the deleted items of a Hub',
    description:
      'Items of the last 30 days that the caller can restore, with their content, newest item first: those that they wrote or deleted, and all for admins. Posts that were removed with `removePosts` are restored with `undoRemoval` instead.',
    access: 'member',
    query: page,
    success: wire.Page(wire.Item),
  },
  'GET /items/{itemId}/origin': {
    id: 'showItemOrigin',
    summary: 'Show the origin of a post',
    description: 'The key, the address and the request. Items written by users have no origin.',
    access: 'member',
    success: wire.ItemOrigin,
  },
  'GET /search': {
    id: 'search',
    summary: 'Search messages, notes and to-dos',
    description:
      'Searches the Hubs that the caller can read, newest first, including replies. New posts are searchable within a second.',
    access: 'member',
    // A search can take seconds. Lists must not wait for it: searches have turns of their own.
    turn: null,
    query: {
      q: Type.String({
        description:
          'Finds items that contain all of these words, in any order, ignoring case and accents: at most 32. Use "quotes" for an exact phrase of at most 16 words. The last word also matches as a prefix, unless a space or symbol follows it. Punctuation and emoji are not searched: `c++` finds the word c.',
        pattern: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$',
        rule: 'is required: enter the words to search for',
        maxLength: wire.LIMITS.searchQueryCodePoints,
        examples: ['certificate', 'deploy "build 42"'],
      }),
      hubId: filter('Only in this Hub.'),
      kind: choice('Only items of this kind.', wire.ITEM_KINDS),
      keyId: filter('Only items posted with this key.'),
      authorId: filter('Only items by this user or the bot; `me` is the caller.'),
      status: choice('Only to-dos with this status.', wire.TODO_STATUSES),
      from: instant('Only items created at or after this time.'),
      to: instant('Only items created before this time.'),
      ...page,
    },
    success: wire.Page(wire.Item),
    errors: [404],
  },
} as const satisfies Record<string, OperationDeclaration>;

export const itemOperations = { ...messages, ...notesAndTodos, ...items };
