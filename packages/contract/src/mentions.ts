import { type Static, Type } from '@sinclair/typebox';
import { StreamPage } from './items.ts';
import { LIMITS } from './limits.ts';
import { Id } from './schema-parts.ts';

/** A page of items that mention the caller or are replies in the caller's threads. */
export const MentionPage = Type.Composite(
  [
    StreamPage,
    Type.Object({ unreadIds: Type.Array(Id('msg'), { description: 'Which of `items` the caller has not read.' }) }),
  ],
  { additionalProperties: false },
);
export type MentionPage = Static<typeof MentionPage>;

/** The mentions that are still unread after others were marked as read. */
export const UnreadMentions = Type.Object(
  {
    unreadIds: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: `The unread items addressed to the caller, by Hub: IDs, newest first, at most ${LIMITS.unreadCount}. Hubs without any are omitted.`,
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
        description: 'Mark these items as read. Items that are not addressed to the caller are ignored.',
      }),
    ),
    upTo: Type.Optional(Type.String({ description: 'The ID of an item. It and all older items are marked as read.' })),
  },
  {
    additionalProperties: false,
    oneOf: [{ required: ['itemIds'] }, { required: ['upTo'] }],
    description: 'Exactly one of the two fields is required.',
    examples: [{ itemIds: ['msg_01KJMBS8106Z5QS12QGDH7FEWP'] }, { upTo: 'msg_01KJMBS8106Z5QS12QGDH7FEWP' }],
  },
);
export type ReadMentionsBody = Static<typeof ReadMentionsBody>;

export const ReadThreadBody = Type.Object(
  {
    seq: Type.Integer({ minimum: 0, description: 'All replies up to this event are marked as read.', examples: [13] }),
  },
  { additionalProperties: false },
);
export type ReadThreadBody = Static<typeof ReadThreadBody>;
