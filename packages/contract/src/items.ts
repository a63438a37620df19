import { type Static, Type } from '@sinclair/typebox';
import { BlockSchema } from './blocks/schema.ts';
import { FileIds, ItemFile } from './files.ts';
import { LIMITS } from './limits.ts';
import { CreateNoteBody, CreateTodoBody } from './public-api.ts';
import { AskedQuestion, Question } from './questions.ts';
import { authorFields, Id, OrNull, unset } from './schema-parts.ts';
import { Timestamp } from './timestamp.ts';
import { changedTodoFields, createdTodoFields, shownTodoFields } from './todo-fields.ts';
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
  ...authorFields,
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
  files: Type.Optional(Type.Array(ItemFile, { description: 'Omitted if there are none.' })),
});

const sourceId = OrNull(Type.String({ description: 'The message that it was converted from.' }));

const thread = {
  replyCount: Type.Integer(),
  lastReplyAt: OrNull(Timestamp('When its newest reply was posted.'), unset),
  repliers: Type.Optional(
    Type.Array(Type.String(), {
      description: `IDs of the authors of its newest replies, latest first, at most ${LIMITS.namedRepliers}. Omitted if there are no replies.`,
    }),
  ),
};

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
    parentId: OrNull(Type.String({ description: 'The message, note or to-do that it replies to.' })),
    ...thread,
    reactions: Type.Array(Reaction),
    conversion: OrNull(
      Type.Object(
        { kind: Type.Union([Type.Literal('todo'), Type.Literal('note')]), id: Type.String() },
        { additionalProperties: false, description: 'The to-do or note that it was converted to.' },
      ),
    ),
    question: Type.Optional(Question),
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
    ...thread,
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
    ...shownTodoFields,
    status: TodoStatusSchema,
    assignee: OrNull(UserRef),
    finishedAt: OrNull(Timestamp('When it was done.'), unset),
    finishedBy: OrNull(UserRef, unset),
    ...thread,
    sourceId,
  },
  { additionalProperties: false },
);
export type Todo = Static<typeof Todo>;

export const Item = Type.Union([Message, Note, Todo]);
export type Item = Static<typeof Item>;

/** A page of one Hub's items and the event that it reflects. To miss nothing, subscribe with `seq` and `epoch`. */
export const HubPage = <T extends typeof Message | typeof Note | typeof Todo>(item: T) =>
  Type.Object(
    { items: Type.Array(item), next: OrNull(Type.String()), seq: Type.Integer({ examples: [27] }), epoch: Id('epoch') },
    { additionalProperties: false },
  );

/** A page of items of several Hubs. */
export const HubsPage = <T extends typeof Item | typeof Todo>(item: T) =>
  Type.Object(
    {
      items: Type.Array(item),
      next: OrNull(Type.String()),
      seqs: Type.Record(Type.String(), Type.Integer(), {
        description: 'For each Hub on the page, the number of the event that the page reflects.',
        examples: [{ hub_01KJMBS8106Z5QS12QGDH7FEWP: 27 }],
      }),
      epoch: Id('epoch'),
    },
    { additionalProperties: false },
  );
export const StreamPage = HubsPage(Item);
export type StreamPage = Static<typeof StreamPage>;

// ---- Request bodies ------------------------------------------------------------------------------------------

const messageText = { ...markdown(LIMITS.messageTextCodePoints), examples: ['Who renews the certificate?'] };

const messageFields = { text: Type.Optional(messageText), files: Type.Optional(FileIds) };
const eitherField = { additionalProperties: false, anyOf: [{ required: ['text'] }, { required: ['files'] }] };

export const WriteMessageBody = Type.Object(
  { ...messageFields, question: Type.Optional(AskedQuestion) },
  {
    ...eitherField,
    examples: [
      { text: 'Who renews the certificate?' },
      { text: 'Deploy 4.17.3?', question: { choices: ['yes', 'no'], answerBy: ['admin'], expiresInSeconds: 1_800 } },
    ],
  },
);
export type WriteMessageBody = Static<typeof WriteMessageBody>;

export const WriteReplyBody = Type.Object(messageFields, {
  ...eitherField,
  examples: [{ text: 'Who renews the certificate?' }],
});
export type WriteReplyBody = Static<typeof WriteReplyBody>;

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

const title = Type.String({ maxLength: LIMITS.titleCodePoints });

const changedFiles = Type.Optional(
  OrNull({
    ...FileIds,
    description: 'All files of the item: those it has and new ones. A file that is left out is deleted.',
  }),
);

export const WriteNoteBody = CreateNoteBody;
export const ChangeNoteBody = Type.Object(
  {
    title: Type.Optional(OrNull(title)),
    content: Type.Optional(markdown(LIMITS.noteContentCodePoints)),
    files: changedFiles,
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
    title: Type.Optional(title),
    content: Type.Optional(OrNull(markdown(LIMITS.todoContentCodePoints))),
    assigneeId: Type.Optional(OrNull(Type.String({ description: 'A member of the Hub; `null`: unassigned.' }))),
    ...changedTodoFields,
    files: changedFiles,
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
    assigneeId: Type.Optional(Type.String({ description: 'A member of the Hub.' })),
    ...createdTodoFields,
  },
  {
    additionalProperties: false,
    description:
      'The content defaults to the text of the message, with blocks as equivalent Markdown. A to-do whose title is the whole text has no content. A note has only a title and content.',
    examples: [{ to: 'todo', title: 'Renew the certificate', dueDate: '2026-03-14T17:00:00Z', priority: 'HIGH' }],
  },
);
export type ConvertMessageBody = Static<typeof ConvertMessageBody>;

/** An item that a member has pinned to its Hub. */
export const Pin = Type.Object(
  { item: Item, pinnedAt: Timestamp('When it was pinned.'), pinnedBy: UserRef },
  { additionalProperties: false },
);
export type Pin = Static<typeof Pin>;
