import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { BlockSchema } from './blocks/schema.ts';
import { FileIds } from './files.ts';
import { LIMITS } from './limits.ts';
import { Id } from './schema-parts.ts';
import { Timestamp } from './timestamp.ts';
import { createdTodoFields } from './todo-fields.ts';

/**
 * The three request bodies. `apps/api/src/http/validate.ts` validates them strictly and takes the fields, types,
 * limits and required fields from these schemas, so that the OpenAPI document always matches. `maxLength` counts code
 * points, as JSON Schema says.
 */
export const CreateMessageBody = Type.Object(
  {
    text: Type.Optional(
      Type.String({
        description: 'Markdown.',
        maxLength: LIMITS.messageTextCodePoints,
        examples: ['**Deploy finished** in 42 s'],
      }),
    ),
    blocks: Type.Optional(
      Type.Array(BlockSchema, {
        description:
          'Editor.js blocks, as `save()` returns them. If both `text` and `blocks` are sent, `blocks` is used. ' +
          `At most ${LIMITS.nestedBlockItems} nested items, depth ${LIMITS.blockDepth} and ${LIMITS.blocksBytes} bytes serialized.`,
        maxItems: LIMITS.blocks,
      }),
    ),
    files: Type.Optional(FileIds),
  },
  {
    additionalProperties: false,
    anyOf: [{ required: ['text'] }, { required: ['blocks'] }, { required: ['files'] }],
    title: 'CreateMessage',
    description: 'A message: `text`, `blocks` or both, `files`, or all of them.',
    examples: [
      { text: '**Deploy finished** in 42 s' },
      {
        blocks: [
          { type: 'header', data: { text: 'Release 2.4', level: 2 } },
          { type: 'paragraph', data: { text: '<b>Deployed</b> in 42 s' } },
          { type: 'list', data: { style: 'unordered', items: ['Faster start', 'Smaller image'] } },
        ],
      },
    ],
  },
);
export type CreateMessageBody = Static<typeof CreateMessageBody>;

export const CreateNoteBody = Type.Object(
  {
    title: Type.Optional(
      Type.String({ description: 'Plain text.', maxLength: LIMITS.titleCodePoints, examples: ['Release 2.4'] }),
    ),
    content: Type.String({
      description: 'Markdown.',
      maxLength: LIMITS.noteContentCodePoints,
      examples: ['## Changes\n\n- Faster start\n- Smaller image'],
    }),
    files: Type.Optional(FileIds),
  },
  { additionalProperties: false, title: 'CreateNote', description: 'A note.' },
);
export type CreateNoteBody = Static<typeof CreateNoteBody>;

export const CreateTodoBody = Type.Object(
  {
    title: Type.String({
      description: 'Plain text.',
      maxLength: LIMITS.titleCodePoints,
      examples: ['Renew the certificate'],
    }),
    content: Type.Optional(
      Type.String({
        description: 'Markdown.',
        maxLength: LIMITS.todoContentCodePoints,
        examples: ['It ends on **15 March**.'],
      }),
    ),
    ...createdTodoFields,
    files: Type.Optional(FileIds),
  },
  { additionalProperties: false, title: 'CreateTodo', description: 'A to-do.' },
);
export type CreateTodoBody = Static<typeof CreateTodoBody>;

/** The envelope of a 201. */
export const Created = <T extends TSchema>(data: T) =>
  Type.Object({ success: Type.Literal(true), data }, { additionalProperties: false });

const itemId = (prefix: string) => Id(prefix, { description: 'The ID of the new item.' });

export const CreatedMessage = Type.Object(
  {
    id: itemId('msg'),
    conversationId: Id('cnv', { description: "The Hub's conversation." }),
    createdAt: Timestamp('When it was accepted.'),
  },
  { additionalProperties: false },
);
export type CreatedMessage = Static<typeof CreatedMessage>;

const createdInBucket = (prefix: string) =>
  Type.Object(
    {
      id: itemId(prefix),
      bucketId: Id('bkt', { description: "The Hub's bucket that contains it." }),
      createdAt: Timestamp('When it was accepted.'),
    },
    { additionalProperties: false },
  );
export const CreatedNote = createdInBucket('note');
export type CreatedNote = Static<typeof CreatedNote>;
export const CreatedTodo = createdInBucket('todo');
export type CreatedTodo = Static<typeof CreatedTodo>;
