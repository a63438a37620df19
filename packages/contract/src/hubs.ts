import { type Static, Type } from '@sinclair/typebox';
import { ITEM_KINDS } from './item-kinds.ts';
import { LIMITS } from './limits.ts';
import { Id, Name, OrNull, unset } from './schema-parts.ts';
import { Timestamp } from './timestamp.ts';

const PerKind = (description: string, number = Type.Integer()) =>
  Type.Object({ message: number, note: number, todo: number }, { additionalProperties: false, description });

const seq = Type.Integer({ examples: [27] });

export const Hub = Type.Object(
  {
    id: Id('hub'),
    name: Type.String({ examples: ['Releases'] }),
    topic: OrNull(Type.String({ description: 'One line about it; web addresses become links.' }), unset),
    conversationId: Id('cnv'),
    notesBucketId: Id('bkt'),
    todosBucketId: Type.String({ examples: ['bkt_01KJMBS8106Z5QS12QGDH7FEWS'] }),
    createdAt: Timestamp('When it was created.'),
    deletedAt: OrNull(Timestamp('When it was deleted; it can be restored.'), unset),
    retentionDays: OrNull(
      Type.Integer({
        description: 'Items are permanently deleted after this many days. `null`: they are kept forever.',
        examples: [90],
      }),
    ),
    seq: Type.Integer({ description: 'The number of its newest event; 0 if there is none.', examples: [27] }),
    isMember: Type.Boolean({
      description: 'Whether the caller is a member, and can therefore read it.',
      examples: [true],
    }),
    readSeq: OrNull(
      Type.Integer({
        description:
          'The event up to which the caller has read everything: the smallest of `readSeqs`. `null` unless a member.',
        examples: [27],
      }),
    ),
    readSeqs: OrNull(
      PerKind(
        'The events up to which the caller has read the messages, notes and to-dos. `null` unless a member.',
        seq,
      ),
    ),
    readVersion: OrNull(
      Type.Integer({
        description:
          'Rises by one each time the caller marks something as unread. Markers with a higher number replace those with a lower one. `null` unless a member.',
        examples: [0],
      }),
    ),
    isMuted: OrNull(Type.Boolean({ description: 'Whether the caller muted it; `null` unless a member.' })),
    mutedKeyIds: OrNull(
      Type.Array(Type.String({ examples: ['key_01KJMBS8106Z5QS12QGDH7FEWS'] }), {
        description: 'The IDs of its keys that the caller muted: their posts are never unread. `null` unless a member.',
      }),
    ),
    isFavorite: OrNull(
      Type.Boolean({
        description: 'Whether it is a favorite of the caller; `null` unless a member.',
        examples: [true],
      }),
    ),
    pinnedIds: OrNull(
      Type.Array(Type.String({ examples: ['note_01KJMBS8106Z5QS12QGDH7FEWS'] }), {
        description: `The IDs of its pinned items, latest pin first, at most ${LIMITS.pinsPerHub}. \`null\` unless a member.`,
      }),
    ),
    unreadCount: OrNull(
      Type.Integer({
        description: `Items of others after the read marker of their kind, counted up to ${LIMITS.unreadCount}. \`null\` unless a member.`,
      }),
    ),
    unreadCounts: OrNull(
      PerKind(`Unread items of each kind, counted up to ${LIMITS.unreadCount}. \`null\` unless a member.`),
    ),
    unreadMentionIds: OrNull(
      Type.Array(Type.String(), {
        description: `Unread items addressed to the caller: IDs of items that mention them and of replies in their threads, newest first, at most ${LIMITS.unreadCount}. \`null\` unless a member.`,
      }),
    ),
    memberCount: Type.Optional(
      Type.Integer({
        description: `The number of members, counted up to ${LIMITS.hubCount}. Only in lists that request it.`,
      }),
    ),
    keyCount: Type.Optional(
      OrNull(
        Type.Integer({
          description: `Usable keys, counted up to ${LIMITS.hubCount}. Only in lists that request it. \`null\` if the caller does not manage keys.`,
        }),
      ),
    ),
  },
  { additionalProperties: false, description: 'A Hub: one conversation, one notes bucket, one to-do bucket.' },
);
export type Hub = Static<typeof Hub>;

const hubName = Name({ maxLength: LIMITS.hubNameCodePoints, examples: ['Releases'] });
const topic = Name({
  maxLength: LIMITS.hubTopicCodePoints,
  examples: ['Deploys of the shop. Runbook: https://wiki.example.org/deploys'],
});
export const CreateHubBody = Type.Object(
  { name: hubName, topic: Type.Optional(topic) },
  { additionalProperties: false },
);
export type CreateHubBody = Static<typeof CreateHubBody>;
export const ChangeHubBody = Type.Object(
  {
    name: Type.Optional(hubName),
    topic: Type.Optional(OrNull(topic, { examples: topic.examples as string[] })),
    retentionDays: Type.Optional(
      OrNull(Type.Integer({ minimum: 1, maximum: 36_500, description: '`null`: items are kept forever.' }), {
        examples: [90],
      }),
    ),
  },
  { additionalProperties: false },
);
export type ChangeHubBody = Static<typeof ChangeHubBody>;

export const MarkReadBody = Type.Object(
  {
    seq: Type.Integer({ minimum: 0, description: 'Everything up to this event is read.', examples: [27] }),
    kind: Type.Optional(
      Type.Union(
        ITEM_KINDS.map((kind) => Type.Literal(kind)),
        { description: 'Only items of this kind; all three kinds if omitted.' },
      ),
    ),
    back: Type.Optional(
      Type.Boolean({
        description:
          '`true`: markers beyond this event move back to it, so that everything after it is unread again. Otherwise markers only move forward.',
        examples: [true],
      }),
    ),
    mentionIds: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: LIMITS.unreadCount,
        description:
          'The items addressed to the caller that become unread, whatever the markers. Others are ignored. If omitted, those after the event do with `back`, except replies.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type MarkReadBody = Static<typeof MarkReadBody>;

/** How far the caller has read a Hub. */
export const ReadMark = Type.Object(
  {
    hubId: Id('hub'),
    readSeq: Type.Integer({ description: 'The smallest of `readSeqs`.', examples: [27] }),
    readSeqs: PerKind('The read markers of the three kinds.', seq),
    readVersion: Type.Integer({
      description:
        'Rises by one each time the caller marks something as unread. Use the markers with the highest number.',
      examples: [0],
    }),
    unreadCount: Type.Integer(),
    unreadCounts: PerKind(`Unread items of each kind, counted up to ${LIMITS.unreadCount}.`),
  },
  { additionalProperties: false },
);
export type ReadMark = Static<typeof ReadMark>;

/** The unread state of a Hub for one user, as of its event `seq`. */
export interface UnreadState extends ReadMark {
  seq: number;
  isFavorite: boolean;
  /** The keys whose posts are not counted. */
  mutedKeyIds: string[];
  /** The IDs of the newest unread items that mention the user or are replies in the user's threads. */
  unreadMentionIds: string[];
}

/** The counts in the header of a Hub. */
export const HubCounts = Type.Object(
  {
    hubId: Id('hub'),
    members: Type.Integer({ description: `The number of members, counted up to ${LIMITS.hubCount}.`, examples: [2] }),
    keys: OrNull(
      Type.Integer({
        description: `Usable keys, counted up to ${LIMITS.hubCount}. \`null\` if the caller does not manage keys.`,
        examples: [1],
      }),
    ),
    notes: Type.Integer({ description: `Counted up to ${LIMITS.hubCount}.` }),
    openTodos: OrNull(
      Type.Integer({
        description: `Counted up to ${LIMITS.hubCount}. \`null\` if open to-dos are too rare among the done ones to be counted.`,
      }),
    ),
  },
  { additionalProperties: false },
);
export type HubCounts = Static<typeof HubCounts>;

/** The number of items that a retention period would remove. */
export const RetentionPreview = Type.Object(
  {
    hubId: Id('hub'),
    retentionDays: Type.Integer({ examples: [30] }),
    items: Type.Integer({
      description: `Older messages, notes and to-dos, without replies, counted up to ${LIMITS.hubCount}.`,
      examples: [3],
    }),
  },
  { additionalProperties: false },
);
export type RetentionPreview = Static<typeof RetentionPreview>;
