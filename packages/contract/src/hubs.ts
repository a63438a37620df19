import { type Static, Type } from '@sinclair/typebox';
import { ITEM_KINDS } from './item-kinds.ts';
import { LIMITS } from './limits.ts';
import { Name, OrNull } from './schema-parts.ts';
import { Timestamp } from './timestamp.ts';

const PerKind = (description: string) =>
  Type.Object(
    { message: Type.Integer(), note: Type.Integer(), todo: Type.Integer() },
    { additionalProperties: false, description },
  );

export const Hub = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    conversationId: Type.String(),
    notesBucketId: Type.String(),
    todosBucketId: Type.String(),
    createdAt: Timestamp('When it was created.'),
    deletedAt: OrNull(Timestamp('When it was deleted; it can be restored.')),
    retentionDays: OrNull(
      Type.Integer({ description: 'After so many days its items are removed for good. `null`: they stay.' }),
    ),
    seq: Type.Integer({ description: 'The number of its newest event; 0 before the first.' }),
    isMember: Type.Boolean({ description: 'Whether the caller belongs to it, and so may read it.' }),
    readSeq: OrNull(
      Type.Integer({
        description:
          'Up to which event the caller has read all of it: the least of `readSeqs`. `null` unless a member.',
      }),
    ),
    readSeqs: OrNull(
      PerKind('Up to which event the caller has read the conversation, the notes, the to-dos; `null` unless a member.'),
    ),
    isMuted: OrNull(
      Type.Boolean({ description: 'Whether the caller wants to hear nothing of it; `null` unless a member.' }),
    ),
    unreadCount: OrNull(
      Type.Integer({
        description: `Items of others that came after the mark of their kind, counted up to ${LIMITS.unreadCount}. \`null\` unless a member.`,
      }),
    ),
    unreadCounts: OrNull(PerKind(`Of each kind, counted up to ${LIMITS.unreadCount}. \`null\` unless a member.`)),
    unreadMentionIds: OrNull(
      Type.Array(Type.String(), {
        description: `What is addressed to the caller and unread: the ids of items that name him and of replies in his threads, the newest first, at most ${LIMITS.unreadCount}. \`null\` unless a member.`,
      }),
    ),
    memberCount: Type.Optional(
      Type.Integer({
        description: `Who belongs to it, counted up to ${LIMITS.hubCount}: in lists that were asked for it.`,
      }),
    ),
    keyCount: Type.Optional(
      OrNull(
        Type.Integer({
          description: `Keys that can post into it now, counted up to ${LIMITS.hubCount}: in lists that were asked for it. \`null\` for who does not manage keys.`,
        }),
      ),
    ),
  },
  { additionalProperties: false, description: 'A Hub: one conversation, one notes bucket, one to-do bucket.' },
);
export type Hub = Static<typeof Hub>;

const hubName = Name({ maxLength: LIMITS.hubNameCodePoints, examples: ['Releases'] });
export const CreateHubBody = Type.Object({ name: hubName }, { additionalProperties: false });
export type CreateHubBody = Static<typeof CreateHubBody>;
export const ChangeHubBody = Type.Object(
  {
    name: Type.Optional(hubName),
    retentionDays: Type.Optional(
      OrNull(Type.Integer({ minimum: 1, maximum: 36_500, description: '`null`: its items stay for ever.' })),
    ),
  },
  { additionalProperties: false },
);
export type ChangeHubBody = Static<typeof ChangeHubBody>;

export const MarkReadBody = Type.Object(
  {
    seq: Type.Integer({ minimum: 0, description: 'All up to this event has been read.' }),
    kind: Type.Optional(
      Type.Union(
        ITEM_KINDS.map((kind) => Type.Literal(kind)),
        { description: 'All of this kind alone; of all three if it is left out.' },
      ),
    ),
  },
  { additionalProperties: false },
);
export type MarkReadBody = Static<typeof MarkReadBody>;

/** How far the caller has read a Hub. */
export const ReadMark = Type.Object(
  {
    hubId: Type.String(),
    readSeq: Type.Integer({ description: 'The least of `readSeqs`.' }),
    readSeqs: PerKind('The marks of the three kinds.'),
    unreadCount: Type.Integer(),
    unreadCounts: PerKind(`Each counted up to ${LIMITS.unreadCount}.`),
  },
  { additionalProperties: false },
);
export type ReadMark = Static<typeof ReadMark>;

/** What somebody has not read of a Hub, as of its event `seq`. */
export interface UnreadState extends ReadMark {
  seq: number;
  /** What is addressed to him: the ids of the newest. */
  unreadMentionIds: string[];
}

/** What there is in a Hub, for its head. */
export const HubCounts = Type.Object(
  {
    hubId: Type.String(),
    members: Type.Integer({ description: `Who belongs to it, counted up to ${LIMITS.hubCount}.` }),
    keys: OrNull(
      Type.Integer({
        description: `Keys that can post into it now, counted up to ${LIMITS.hubCount}. \`null\` for who does not manage keys.`,
      }),
    ),
    notes: Type.Integer({ description: `Counted up to ${LIMITS.hubCount}.` }),
    openTodos: OrNull(
      Type.Integer({
        description: `Counted up to ${LIMITS.hubCount}. \`null\` if they are too few among too many that are done.`,
      }),
    ),
  },
  { additionalProperties: false },
);
export type HubCounts = Static<typeof HubCounts>;

/** What a retention would remove, before it is set. */
export const RetentionPreview = Type.Object(
  {
    hubId: Type.String(),
    retentionDays: Type.Integer(),
    items: Type.Integer({
      description: `Messages, notes and to-dos that are older, without replies, counted up to ${LIMITS.hubCount}.`,
    }),
  },
  { additionalProperties: false },
);
export type RetentionPreview = Static<typeof RetentionPreview>;
