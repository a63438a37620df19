import { type Static, Type } from '@sinclair/typebox';
import { LIMITS } from './limits.ts';
import { Id, OrNull, unset } from './schema-parts.ts';
import { Timestamp } from './timestamp.ts';

export const RemovePostsBody = Type.Object(
  {
    from: Type.Optional(Type.String({ format: 'date-time', description: 'Remove posts from this time on.' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'Remove posts before this time.' })),
    exceptIds: Type.Optional(
      Type.Array(Type.String(), { maxItems: LIMITS.pageItems, description: 'Posts in the range that stay.' }),
    ),
    isPreview: Type.Optional(Type.Boolean({ description: 'Only count the posts, without removing them.' })),
  },
  {
    additionalProperties: false,
    description: 'Without a time range: all posts by the key.',
    examples: [
      { from: '2026-03-01T09:30:00Z', isPreview: true },
      { from: '2026-03-01T09:30:00Z', exceptIds: ['msg_01KJMBS8106Z5QS12QGDH7FEWP'] },
    ],
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
