import { type Static, Type } from '@sinclair/typebox';
import { BlockSchema } from './blocks/schema.ts';
import { LIMITS } from './limits.ts';
import { CreateNoteBody, CreateTodoBody, PrioritySchema } from './public-api.ts';
import { OrNull } from './schema-parts.ts';
import { Timestamp } from './timestamp.ts';
import { UserRef } from './users.ts';

export const TODO_STATUSES = ['open', 'done'] as const;
export type TodoStatus = (typeof TODO_STATUSES)[number];
const TodoStatusSchema = Type.Union([Type.Literal('open'), Type.Literal('done')]);

const markdown = (maxLength: number) => Type.String({ description: 'Markdown.', maxLength });

const common = {
  id: Type.String(),
  hubId: Type.String(),
  seq: Type.Integer({ description: 'The number of the event in its Hub that created it.' }),
  createdAt: Timestamp('When it was accepted.'),
  author: Type.Object(
    {
      id: Type.String(),
      kind: Type.Union([Type.Literal('bot'), Type.Literal('person')]),
      name: Type.String(),
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
  }),
  editedAt: OrNull(Timestamp('When its title, content or text was last edited.')),
  editedBy: OrNull(
    Type.Object(
      {
        kind: Type.Union([Type.Literal('person'), Type.Literal('local')]),
        id: OrNull(Type.String({ description: '`null` for the local admin.' })),
        name: Type.String(),
      },
      { additionalProperties: false, description: 'The user who last edited its text, if not its author.' },
    ),
  ),
  deletedAt: OrNull(Timestamp('When it was deleted; its content is blank then.')),
  mentions: Type.Array(Type.String(), {
    description:
      'IDs of the members that its text mentions as `@name`; for a converted item, only after its text was edited.',
  }),
};

const sourceId = OrNull(Type.String({ description: 'The message that it was converted from.' }));

export const Reaction = Type.Object(
  {
    emoji: Type.String(),
    personIds: Type.Array(Type.String(), { description: 'The users who reacted with it, earliest first.' }),
  },
  { additionalProperties: false },
);
export type Reaction = Static<typeof Reaction>;

export const Message = Type.Object(
  {
    kind: Type.Literal('message'),
    ...common,
    text: OrNull(Type.String({ description: 'Markdown, as it was posted.' })),
    blocks: OrNull(
      Type.Array(BlockSchema, {
        description: 'Editor.js blocks, as they were posted. They are shown instead of `text`.',
      }),
    ),
    parentId: OrNull(Type.String({ description: 'The message that it replies to.' })),
    replyCount: Type.Integer(),
    lastReplyAt: OrNull(Timestamp('When its newest reply was posted.')),
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
    ...common,
    title: OrNull(Type.String()),
    content: Type.String({ description: 'Markdown, as it was posted.' }),
    sourceId,
  },
  { additionalProperties: false },
);
export type Note = Static<typeof Note>;

export const Todo = Type.Object(
  {
    kind: Type.Literal('todo'),
    ...common,
    title: Type.String(),
    content: OrNull(Type.String({ description: 'Markdown, as it was posted.' })),
    dueDate: OrNull(Timestamp('When it is due.')),
    priority: OrNull(PrioritySchema),
    status: TodoStatusSchema,
    assignee: OrNull(UserRef),
    finishedAt: OrNull(Timestamp('When it was done.')),
    finishedBy: OrNull(UserRef),
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
    itemId: Type.String(),
    keyId: Type.String(),
    address: Type.String(),
    requestId: Type.String(),
  },
  { additionalProperties: false },
);
export type ItemOrigin = Static<typeof ItemOrigin>;

/** A page of one Hub's items and the event that it reflects. To miss nothing, subscribe with `seq` and `epoch`. */
export const HubPage = <T extends typeof Message | typeof Note | typeof Todo>(item: T) =>
  Type.Object(
    { items: Type.Array(item), next: OrNull(Type.String()), seq: Type.Integer(), epoch: Type.String() },
    { additionalProperties: false },
  );

export const StreamPage = Type.Object(
  {
    items: Type.Array(Item),
    next: OrNull(Type.String()),
    seqs: Type.Record(Type.String(), Type.Integer(), {
      description: 'For each Hub on the page, the number of the event that the page reflects.',
    }),
    epoch: Type.String(),
  },
  { additionalProperties: false },
);
export type StreamPage = Static<typeof StreamPage>;

// ---- Request bodies ------------------------------------------------------------------------------------------

export const WriteMessageBody = Type.Object(
  { text: markdown(LIMITS.messageTextCodePoints) },
  { additionalProperties: false },
);
export type WriteMessageBody = Static<typeof WriteMessageBody>;

const baseVersion = Type.Optional(
  Type.Integer({
    minimum: 1,
    description:
      'The `version` that the change is based on. If the item has a different version now, the response is 409 and nothing changes.',
  }),
);

export const ChangeMessageBody = Type.Object(
  { text: markdown(LIMITS.messageTextCodePoints), baseVersion },
  { additionalProperties: false },
);
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
  { additionalProperties: false, description: 'Omitted fields stay unchanged; `null` clears a field.' },
);
export type ChangeNoteBody = Static<typeof ChangeNoteBody>;

export const WriteTodoBody = Type.Composite(
  [CreateTodoBody, Type.Object({ assigneeId: Type.Optional(Type.String({ description: 'A member of the Hub.' })) })],
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
  { additionalProperties: false, description: 'Omitted fields stay unchanged; `null` clears a field.' },
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
  { additionalProperties: false, description: 'Without a time range: all posts by the key.' },
);
export type RemovePostsBody = Static<typeof RemovePostsBody>;

export const Removal = Type.Object(
  {
    id: OrNull(Type.String({ description: '`null` in a preview.' })),
    keyId: Type.String(),
    from: OrNull(Timestamp('Posts from this time on were removed.')),
    to: OrNull(Timestamp('Posts before this time were removed.')),
    count: Type.Integer({ description: 'The number of removed posts.' }),
    removedAt: OrNull(Timestamp('When they were removed.')),
    undoneAt: OrNull(Timestamp('When the removal was undone.')),
  },
  { additionalProperties: false },
);
export type Removal = Static<typeof Removal>;
