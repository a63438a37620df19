import { type Static, Type } from '@sinclair/typebox';
import { OrNull } from './schema-parts.ts';
import { Timestamp } from './timestamp.ts';

/**
 * Which posts to a Hub or from a key notify a user. `usual`: mentions and replies; `every`: all posts; `muted`: none.
 */
export const NOTIFICATION_MODES = ['usual', 'every', 'muted'] as const;
export type NotificationMode = (typeof NOTIFICATION_MODES)[number];
const NotificationModeSchema = Type.Union([Type.Literal('usual'), Type.Literal('every'), Type.Literal('muted')], {
  description: '`usual`: mentions and replies; `every`: all posts by others; `muted`: nothing, and no unread counts.',
});

const lastMinute = 24 * 60 - 1;
const minute = (description: string) => Type.Integer({ minimum: 0, maximum: lastMinute, description });

const quietHoursFields = {
  fromMinute: minute('When they start, in minutes after midnight.'),
  toMinute: minute('When they end; on the next day, unless it is after `fromMinute`.'),
  days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
    maxItems: 7,
    description: 'The days on which they start: 1 is Monday, 7 is Sunday (ISO 8601).',
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
    mentions: Type.Boolean({ description: 'Whether mentions notify you.' }),
    assignments: Type.Boolean({ description: 'Whether to-dos that others assign to you notify you.' }),
    replies: Type.Boolean({ description: 'Whether replies in threads that you started or replied in notify you.' }),
    hubs: Type.Array(
      Type.Object({ hubId: Type.String(), mode: NotificationModeSchema }, { additionalProperties: false }),
      {
        description: 'The Hubs that are not `usual`.',
      },
    ),
    keys: Type.Array(
      Type.Object(
        {
          keyId: Type.String(),
          hubId: Type.String(),
          name: Type.String(),
          mode: NotificationModeSchema,
          isOver: Type.Boolean({ description: 'Whether it can no longer post: revoked, replaced or expired.' }),
        },
        { additionalProperties: false },
      ),
      { description: 'The keys that are not `usual`. A successor starts with the setting of its predecessor.' },
    ),
    quietHours: OrNull(QuietHours),
    push: OrNull(
      Type.Object(
        {
          publicKey: Type.String({ description: 'For `PushManager.subscribe`: a point of P-256, base64url.' }),
          isSubscribed: Type.Boolean({ description: 'Whether the browser of this session is subscribed.' }),
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
  { id: Type.String(), hubId: Type.String(), name: Type.String() },
  { additionalProperties: false },
);
export type NotificationKey = Static<typeof NotificationKey>;

export const ChangeNotificationsBody = Type.Object(
  {
    mentions: Type.Optional(Type.Boolean()),
    assignments: Type.Optional(Type.Boolean()),
    replies: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type ChangeNotificationsBody = Static<typeof ChangeNotificationsBody>;

export const SetQuietHoursBody = Type.Object(quietHoursFields, { additionalProperties: false });

export const SetNotificationModeBody = Type.Object({ mode: NotificationModeSchema }, { additionalProperties: false });
export type SetNotificationModeBody = Static<typeof SetNotificationModeBody>;

/** The result of `PushSubscription.toJSON()` in a browser, but with the keys at the same level as the endpoint. */
export const SubscribePushBody = Type.Object(
  {
    endpoint: Type.String({
      maxLength: 1_000,
      description: "The https URL at the browser's push service.",
      examples: ['https://push.example.net/wpush/v2/gAAAA…'],
    }),
    p256dh: Type.String({ maxLength: 128, description: 'The public key of the browser: 65 bytes, base64url.' }),
    auth: Type.String({ maxLength: 64, description: 'The secret of the browser: 16 bytes, base64url.' }),
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
    browsers: Type.Integer({ description: 'Subscribed browsers that it was pushed to.' }),
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
}
