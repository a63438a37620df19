import { type Static, Type } from '@sinclair/typebox';
import { Id, OrNull } from './schema-parts.ts';
import { Timestamp } from './timestamp.ts';

/**
 * Which posts to a Hub or from a key notify a user. `usual`: mentions and replies; `every`: all posts; `muted`: none.
 */
export const NOTIFICATION_MODES = ['usual', 'every', 'muted'] as const;
export type NotificationMode = (typeof NOTIFICATION_MODES)[number];
const NotificationModeSchema = Type.Union([Type.Literal('usual'), Type.Literal('every'), Type.Literal('muted')], {
  description: '`usual`: mentions and replies; `every`: all posts by others; `muted`: nothing, and no unread counts.',
  examples: ['muted'],
});

const lastMinute = 24 * 60 - 1;
const minute = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: lastMinute, description, examples: [example] });

const quietHoursFields = {
  fromMinute: minute('When they start, in minutes after midnight.', 22 * 60),
  toMinute: minute('When they end; on the next day, unless it is after `fromMinute`.', 7 * 60),
  days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
    maxItems: 7,
    description: 'The days on which they start: 1 is Monday, 7 is Sunday (ISO 8601).',
    examples: [[1, 2, 3, 4, 5]],
  }),
  timeZone: Type.String({
    maxLength: 64,
    description: 'A name from the IANA time zone database.',
    examples: ['Europe/Berlin'],
  }),
};

export const QuietHours = Type.Object(quietHoursFields, {
  additionalProperties: false,
  description: 'The time without notifications. Missed ones are not sent later.',
});
export type QuietHours = Static<typeof QuietHours>;

/** The notification settings of a user, and whether this server can send push messages. */
export const NotificationSettings = Type.Object(
  {
    mentions: Type.Boolean({ description: 'Whether mentions notify you.', examples: [true] }),
    assignments: Type.Boolean({
      description: 'Whether to-dos that others assign to you notify you.',
      examples: [true],
    }),
    replies: Type.Boolean({ description: 'Whether replies in threads that you started or replied in notify you.' }),
    hubs: Type.Array(Type.Object({ hubId: Id('hub'), mode: NotificationModeSchema }, { additionalProperties: false }), {
      description: 'The Hubs that are not `usual`.',
    }),
    keys: Type.Array(
      Type.Object(
        {
          keyId: Id('key'),
          hubId: Id('hub'),
          name: Type.String({ examples: ['canary-watch'] }),
          mode: NotificationModeSchema,
          isOver: Type.Boolean({ description: 'Whether it can no longer post: revoked, replaced or expired.' }),
        },
        { additionalProperties: false },
      ),
      { description: 'The keys that are not `usual`. A successor starts with the setting of its predecessor.' },
    ),
    quietHours: OrNull(QuietHours),
    mentionMail: OrNull(
      Type.Boolean({
        description: 'Whether mentions that stay unread for 30 minutes are mailed. `null`: this server sends no mail.',
      }),
    ),
    push: OrNull(
      Type.Object(
        {
          publicKey: Type.String({
            description: 'For `PushManager.subscribe`: a point of P-256, base64url.',
            examples: ['BJKRuxzUEwgeLcILUKkOweEhGPr9TzjGgViuqaQl3v0GkHxlz2NyqpwhL8LtAc29i3TNXAq7_WOemoHt9e0JsXM'],
          }),
          isSubscribed: Type.Boolean({
            description: 'Whether the browser of this session is subscribed.',
            examples: [true],
          }),
        },
        { additionalProperties: false, description: '`null`: this server does not support push.' },
      ),
    ),
  },
  { additionalProperties: false },
);
export type NotificationSettings = Static<typeof NotificationSettings>;

/** A key that posts to one of the caller's Hubs, with only the data that its posts show. */
export const NotificationKey = Type.Object(
  { id: Id('key'), hubId: Id('hub'), name: Type.String({ examples: ['canary-watch'] }) },
  { additionalProperties: false },
);
export type NotificationKey = Static<typeof NotificationKey>;

export const ChangeNotificationsBody = Type.Object(
  {
    mentions: Type.Optional(Type.Boolean()),
    assignments: Type.Optional(Type.Boolean()),
    replies: Type.Optional(Type.Boolean({ examples: [false] })),
    mentionMail: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type ChangeNotificationsBody = Static<typeof ChangeNotificationsBody>;

export const SetQuietHoursBody = Type.Object(quietHoursFields, { additionalProperties: false });

export const SetNotificationModeBody = Type.Object({ mode: NotificationModeSchema }, { additionalProperties: false });
export type SetNotificationModeBody = Static<typeof SetNotificationModeBody>;

/** Whether the caller is notified of the replies in a thread. */
export const ThreadNotifications = Type.Object(
  {
    itemId: Id('msg'),
    mode: NotificationModeSchema,
    isFollowing: Type.Boolean({
      description:
        'Whether new replies are addressed to the caller: `every`, or `usual` for who wrote the item or one of its newest replies.',
      examples: [false],
    }),
  },
  { additionalProperties: false },
);
export type ThreadNotifications = Static<typeof ThreadNotifications>;

/** The result of `PushSubscription.toJSON()` in a browser, but with the keys at the same level as the endpoint. */
export const SubscribePushBody = Type.Object(
  {
    endpoint: Type.String({
      maxLength: 1_000,
      description: "The https URL at the browser's push service.",
      examples: ['https://push.example.net/wpush/v2/gAAAAABnExample'],
    }),
    p256dh: Type.String({
      maxLength: 128,
      description: 'The public key of the browser: 65 bytes, base64url.',
      examples: ['BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'],
    }),
    auth: Type.String({
      maxLength: 64,
      description: 'The secret of the browser: 16 bytes, base64url.',
      examples: ['BTBZMqHH6r4Tts7J_aSIgg'],
    }),
  },
  { additionalProperties: false },
);
export type SubscribePushBody = Static<typeof SubscribePushBody>;

/** A browser that receives notifications while no page is open. */
export const PushSubscriptionInfo = Type.Object(
  {
    service: Type.String({ description: 'The host of the push service.', examples: ['push.example.net'] }),
    createdAt: Timestamp('When the browser was subscribed.'),
  },
  { additionalProperties: false },
);
export type PushSubscriptionInfo = Static<typeof PushSubscriptionInfo>;

/** The recipients of a test notification. */
export const SentTestNotification = Type.Object(
  {
    openPages: Type.Integer({
      description: 'Live connections of the user that received it, whether or not the browser shows notifications.',
    }),
    browsers: Type.Integer({ description: 'Subscribed browsers that it was pushed to.', examples: [1] }),
    problems: Type.Array(Type.String({ examples: ['push.example.net: 403 BadJwtToken'] }), {
      description: 'Why push services did not accept it. Empty if they did, or have not responded yet.',
    }),
  },
  { additionalProperties: false },
);
export type SentTestNotification = Static<typeof SentTestNotification>;

/** A notification, sent to open pages as a live frame and to browsers by push. */
export interface HubNotification {
  kind: 'mention' | 'assignment' | 'reply' | 'post' | 'several' | 'test';
  title: string;
  body: string;
  /** The path that the notification links to. */
  to: string;
  /** A newer notification replaces an older one with the same tag. */
  tag: string;
  /** The first two choices of a question that the user may answer. */
  choices?: string[];
}
