import { type Static, Type } from '@sinclair/typebox';
import { StreamPage } from './items.ts';
import { LIMITS } from './limits.ts';

/** Of what is addressed to the caller. */
export const MentionPage = Type.Composite(
  [
    StreamPage,
    Type.Object({ unreadIds: Type.Array(Type.String(), { description: 'Which of `items` the caller has not read.' }) }),
  ],
  { additionalProperties: false },
);
export type MentionPage = Static<typeof MentionPage>;

/** What is left after some of it was read. */
export const UnreadMentions = Type.Object(
  {
    unreadIds: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: `For each Hub in which something is addressed to the caller and unread: the ids of the newest, at most ${LIMITS.unreadCount}.`,
    }),
  },
  { additionalProperties: false },
);
export type UnreadMentions = Static<typeof UnreadMentions>;

export const ReadMentionsBody = Type.Object(
  {
    itemIds: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: LIMITS.unreadCount,
        description: 'These have been read; of what is not addressed to the caller nothing is noted.',
      }),
    ),
    upTo: Type.Optional(Type.String({ description: 'The id of an item: it and all that is older has been read.' })),
  },
  {
    additionalProperties: false,
    oneOf: [{ required: ['itemIds'] }, { required: ['upTo'] }],
    description: 'One of the two.',
  },
);
export type ReadMentionsBody = Static<typeof ReadMentionsBody>;

export const ReadThreadBody = Type.Object(
  { seq: Type.Integer({ minimum: 0, description: 'All replies up to this event have been read.' }) },
  { additionalProperties: false },
);
export type ReadThreadBody = Static<typeof ReadThreadBody>;
