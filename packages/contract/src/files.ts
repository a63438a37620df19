import { type Static, Type } from '@sinclair/typebox';
import { LIMITS } from './limits.ts';
import { authorFields, Id, Name, OrNull, unset } from './schema-parts.ts';
import { Timestamp } from './timestamp.ts';

/** The only types that are shown inline, and only if the bytes of a file are of that type. */
export const INLINE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'] as const;

const { description, pattern = '' } = Name({ maxLength: LIMITS.fileNameCodePoints, examples: [] });

const fields = {
  id: Id('file'),
  name: Type.String({ examples: ['report.png'] }),
  size: Type.Integer({ description: 'In bytes.', examples: [48_213] }),
  contentType: Type.String({ description: 'As sent; for an image, the type of its bytes.', examples: ['image/png'] }),
};

/** The query of an upload. */
export const fileName = Type.String({
  description: `The name of the file, of 1 to ${LIMITS.fileNameCodePoints} characters, without path. ${description}`,
  pattern,
  maxLength: LIMITS.fileNameCodePoints,
  examples: ['report.png'],
});

/** A file that was uploaded, and belongs to no item yet. */
export const UploadedFile = Type.Object(
  { ...fields, createdAt: Timestamp('When it was accepted.') },
  { additionalProperties: false },
);
export type UploadedFile = Static<typeof UploadedFile>;

/** A file of an item. */
export const ItemFile = Type.Object(
  {
    ...fields,
    width: Type.Optional(Type.Integer({ description: 'Of an image that has a preview, in pixels.', examples: [1280] })),
    height: Type.Optional(Type.Integer({ examples: [720] })),
    color: Type.Optional(
      Type.String({
        description: 'The average color of an image, to show until it has loaded. Omitted until its preview was made.',
        examples: ['#2857c4'],
      }),
    ),
  },
  { additionalProperties: false },
);
export type ItemFile = Static<typeof ItemFile>;

/** A file in the list of a Hub, with the author of its item. */
export const HubFile = Type.Object(
  {
    ...ItemFile.properties,
    createdAt: Timestamp('When it was uploaded.'),
    itemId: Id('msg', { description: 'The message, note or to-do that shows it.' }),
    parentId: OrNull(Type.String({ description: 'If that is a reply: the item to which it replies.' }), unset),
    ...authorFields,
  },
  { additionalProperties: false },
);
export type HubFile = Static<typeof HubFile>;

/** The files of an item. */
export const FileIds = Type.Array(Type.String(), {
  description: 'The ids of uploaded files, in the order in which they are shown.',
  maxItems: LIMITS.filesPerItem,
  examples: [[]],
});
