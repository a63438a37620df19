import { type Static, Type } from '@sinclair/typebox';
import { BlockSchema } from './blocks/schema.ts';
import { LIMITS } from './limits.ts';
import { CreateNoteBody, CreateTodoBody, PrioritySchema } from './public-api.ts';
import { Id, OrNull, unset } from './schema-parts.ts';
import { Timestamp } from './timestamp.ts';
import { UserRef } from './users.ts';

export const TODO_STATUSES = ['open', 'done'] as const;
export type TodoStatus = (typeof TODO_STATUSES)[number];
const TodoStatusSchema = Type.Union([Type.Literal('open'), Type.Literal('done')]);

const markdown = (maxLength: number) => Type.String({ description: 'Markdown.', maxLength });

const common = (prefix: string) => ({
  id: Id(prefix),
  hubId: Id('hub'),
  seq: Type.Integer({ description: 'The number of the event in its Hub that created it.', examples: [2] }),
  createdAt: Timestamp('When it was accepted.'),
  author: Type.Object(
    {
      id: Id('usr'),
      kind: Type.Union([Type.Literal('bot'), Type.Literal('user')], { examples: ['user'] }),
      name: Type.String({ examples: ['Ada Lovelace'] }),
    },
    { additionalProperties: false },
  ),
  key: OrNull(
    Type.Object(
      { id: Type.String(), name: Type.String() },
      { additionalProperties: false, description: 'The key that posted it; `null` if a user wrote it.' },
    ),
  ),
  version: Type.Integer({
    description:
      'Starts at 1 and rises by one with each change of its own fields, but not with reactions, replies or conversions.',
    examples: [1],
  }),
  editedAt: OrNull(Timestamp('When its title, content or text was last edited.'), unset),
  editedBy: OrNull(
    Type.Object(
      {
        kind: Type.Union([Type.Literal('user'), Type.Literal('local')]),
        id: OrNull(Type.String({ description: '`null` for the local admin.' })),
        name: Type.String(),
      },
      { additionalProperties: false, description: 'The user who last edited its text, if not its author.' },
    ),
  ),
  deletedAt: OrNull(Timestamp('When it was deleted; its content is blank then.'), unset),
  mentions: Type.Array(Type.String(), {
    description:
      'IDs of the members that its text mentions as `@name`; for a converted item, only after its text was edited.',
  }),
});

const sourceId = OrNull(Type.String({ description: 'The message that it was converted from.' }));

export const Reaction = Type.Object(
  {
    emoji: Type.String({ examples: ['🎉'] }),
    userIds: Type.Array(Id('usr'), { description: 'The users who reacted with it, earliest first.' }),
  },
  { additionalProperties: false },
);
export type Reaction = Static<typeof Reaction>;

export const Message = Type.Object(
  {
    kind: Type.Literal('message'),
    ...common('msg'),
    text: OrNull(
      Type.String({ description: 'Markdown, as it was posted.', examples: ['Who renews the certificate?'] }),
    ),
    blocks: OrNull(
      Type.Array(BlockSchema, {
        description: 'Editor.js blocks, as they were posted. They are shown instead of `text`.',
      }),
      unset,
    ),
    parentId: OrNull(Type.String({ description: 'The message that it replies to.' })),
    replyCount: Type.Integer(),
    lastReplyAt: OrNull(Timestamp('When its newest reply was posted.'), unset),
    repliers: Type.Optional(
      Type.Array(Type.String(), {
        description: `IDs of the authors of its newest replies, latest first, at most ${LIMITS.namedRepliers}. Omitted if there are no replies.`,
      }),
    ),
    reactions: Type.Array(Reaction),
    conversion: OrNull(
      Type.Object(
        { kind: Type.Union([Type.Literal('todo'), Type.Literal('note')]), id: Type.String() },
        { additionalProperties: false, description: 'The to-do or note that it was converted to.' },
      ),
    ),
  },
  { additionalProperties: false },
);
export type Message = Static<typeof Message>;

export const Note = Type.Object(
  {
    kind: Type.Literal('note'),
    ...common('note'),
    title: OrNull(Type.String({ examples: ['Release 2.4'] })),
    content: Type.String({
      description: 'Markdown, as it was posted.',
      examples: ['## Changes\n\n- Faster start\n- Smaller image'],
    }),
    sourceId,
  },
  { additionalProperties: false },
);
export type Note = Static<typeof Note>;

export const Todo = Type.Object(
  {
    kind: Type.Literal('todo'),
    ...common('todo'),
    title: Type.String({ examples: ['Renew the certificate'] }),
    content: OrNull(
      Type.String({ description: 'Markdown, as it was posted.', examples: ['It ends on **15 March**.'] }),
    ),
    dueDate: OrNull(Timestamp('When it is due.', '2026-03-14T16:00:00.000Z')),
    priority: OrNull(PrioritySchema),
    status: TodoStatusSchema,
    assignee: OrNull(UserRef),
    finishedAt: OrNull(Timestamp('When it was done.'), unset),
    finishedBy: OrNull(UserRef, unset),
    sourceId,
  },
  { additionalProperties: false },
);
export type Todo = Static<typeof Todo>;

export const Item = Type.Union([Message, Note, Todo]);
export type Item = Static<typeof Item>;

/** The source of a post by a key. */
export const ItemOrigin = Type.Object(
  {
    itemId: Id('msg'),
    keyId: Id('key'),
    keyDescription: OrNull(Type.String({ description: 'What its key is for.' }), unset),
    keyLink: OrNull(Type.String({ description: 'An http or https address, such as that of a runbook.' }), unset),
    address: Type.String({ examples: ['192.0.2.1'] }),
    requestId: Id('req'),
  },
  { additionalProperties: false },
);
export type ItemOrigin = Static<typeof ItemOrigin>;

/** A page of one Hub's items and the event that it reflects. To miss nothing, subscribe with `seq` and `epoch`. */
export const HubPage = <T extends typeof Message | typeof Note | typeof Todo>(item: T) =>
  Type.Object(
    {
      items: Type.Array(item),
      next: OrNull(Type.String()),
      seq: Type.Integer({ examples: [27] }),
      epoch: Id('epoch'),
    },
    { additionalProperties: false },
  );

export const StreamPage = Type.Object(
  {
    items: Type.Array(Item),
    next: OrNull(Type.String()),
    seqs: Type.Record(Type.String(), Type.Integer(), {
      description: 'For each Hub on the page, the number of the event that the page reflects.',
      examples: [{ hub_01KJMBS8106Z5QS12QGDH7FEWP: 27 }],
    }),
    epoch: Id('epoch'),
  },
  { additionalProperties: false },
);
export type StreamPage = Static<typeof StreamPage>;

// ---- Request bodies ------------------------------------------------------------------------------------------

const messageText = { ...markdown(LIMITS.messageTextCodePoints), examples: ['Who renews the certificate?'] };

export const WriteMessageBody = Type.Object({ text: messageText }, { additionalProperties: false });
export type WriteMessageBody = Static<typeof WriteMessageBody>;

const baseVersion = Type.Optional(
  Type.Integer({
    minimum: 1,
    description:
      'The `version` that the change is based on. If the item has a different version now, the response is 409 and nothing changes.',
    examples: [1],
  }),
);

export const ChangeMessageBody = Type.Object({ text: messageText, baseVersion }, { additionalProperties: false });
export type ChangeMessageBody = Static<typeof ChangeMessageBody>;

const orNullFields = {
  title: OrNull(Type.String({ maxLength: LIMITS.titleCodePoints })),
  assigneeId: OrNull(Type.String({ description: 'A member of the Hub; `null`: unassigned.' })),
  dueDate: OrNull(Type.String({ format: 'date-time' })),
  priority: OrNull(PrioritySchema),
  content: OrNull(markdown(LIMITS.todoContentCodePoints)),
};

export const WriteNoteBody = CreateNoteBody;
export const ChangeNoteBody = Type.Object(
  {
    title: Type.Optional(orNullFields.title),
    content: Type.Optional(markdown(LIMITS.noteContentCodePoints)),
    baseVersion,
  },
  {
    additionalProperties: false,
    description: 'Omitted fields stay unchanged; `null` clears a field.',
    examples: [{ content: '## Changes\n\n- Faster start\n- Smaller image', baseVersion: 1 }],
  },
);
export type ChangeNoteBody = Static<typeof ChangeNoteBody>;

export const WriteTodoBody = Type.Composite(
  [CreateTodoBody, Type.Object({ assigneeId: Type.Optional(Id('usr', { description: 'A member of the Hub.' })) })],
  { additionalProperties: false },
);
export type WriteTodoBody = Static<typeof WriteTodoBody>;

export const ChangeTodoBody = Type.Object(
  {
    status: Type.Optional(TodoStatusSchema),
    title: Type.Optional(Type.String({ maxLength: LIMITS.titleCodePoints })),
    content: Type.Optional(orNullFields.content),
    assigneeId: Type.Optional(orNullFields.assigneeId),
    dueDate: Type.Optional(orNullFields.dueDate),
    priority: Type.Optional(orNullFields.priority),
    baseVersion,
  },
  {
    additionalProperties: false,
    description: 'Omitted fields stay unchanged; `null` clears a field.',
    examples: [
      { status: 'done' },
      { status: 'open', assigneeId: null, dueDate: '2026-03-02T12:00:00+01:00', baseVersion: 2 },
    ],
  },
);
export type ChangeTodoBody = Static<typeof ChangeTodoBody>;

export const ConvertMessageBody = Type.Object(
  {
    to: Type.Union([Type.Literal('todo'), Type.Literal('note')]),
    title: Type.Optional(
      Type.String({ maxLength: LIMITS.titleCodePoints, description: 'Defaults to the first line.' }),
    ),
    content: Type.Optional(markdown(LIMITS.todoContentCodePoints)),
    assigneeId: Type.Optional(Type.String({ description: 'For a to-do: a member of the Hub.' })),
    dueDate: Type.Optional(Type.String({ format: 'date-time', description: 'For a to-do.' })),
    priority: Type.Optional(PrioritySchema),
  },
  {
    additionalProperties: false,
    description:
      'The content defaults to the text of the message, with blocks as equivalent Markdown. A to-do whose title is the whole text has no content.',
    examples: [{ to: 'todo', title: 'Renew the certificate', dueDate: '2026-03-14T17:00:00Z', priority: 'HIGH' }],
  },
);
export type ConvertMessageBody = Static<typeof ConvertMessageBody>;

// ---- Removal of a key's posts --------------------------------------------------------------------------------

export const RemovePostsBody = Type.Object(
  {
    from: Type.Optional(Type.String({ format: 'date-time', description: 'Remove posts from this time on.' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'Remove posts before this time.' })),
    isPreview: Type.Optional(Type.Boolean({ description: 'Only count the posts, without removing them.' })),
  },
  {
    additionalProperties: false,
    description: 'Without a time range: all posts by the key.',
    examples: [{ from: '2026-03-01T09:30:00Z', isPreview: true }, { from: '2026-03-01T09:30:00Z' }],
  },
);
export type RemovePostsBody = Static<typeof RemovePostsBody>;

export const Removal = Type.Object(
  {
    id: OrNull(Id('rmv', { description: '`null` in a preview.' })),
    keyId: Id('key'),
    from: OrNull(Timestamp('Posts from this time on were removed.')),
    to: OrNull(Timestamp('Posts before this time were removed.'), unset),
    count: Type.Integer({ description: 'The number of removed posts.', examples: [3] }),
    removedAt: OrNull(Timestamp('When they were removed.', '2026-03-01T09:45:00.000Z')),
    undoneAt: OrNull(Timestamp('When the removal was undone.'), unset),
  },
  { additionalProperties: false },
);
export type Removal = Static<typeof Removal>;
