import { type Static, Type } from '@sinclair/typebox';
import { OrNull } from './schema-parts.ts';
import { Timestamp } from './timestamp.ts';

/** What gives a notice in a Hub or of a key. `usual`: what concerns oneself; `every`: each post; `muted`: nothing. */
export const NOTIFICATION_MODES = ['usual', 'every', 'muted'] as const;
export type NotificationMode = (typeof NOTIFICATION_MODES)[number];
const NotificationModeSchema = Type.Union([Type.Literal('usual'), Type.Literal('every'), Type.Literal('muted')], {
  description:
    '`usual`: what concerns oneself; `every`: each post of others; `muted`: nothing, and nothing is counted.',
});

const lastMinute = 24 * 60 - 1;
const minute = (description: string) => Type.Integer({ minimum: 0, maximum: lastMinute, description });

const quietHoursFields = {
  fromMinute: minute('When they begin, in minutes after midnight.'),
  toMinute: minute('When they end; on the next day, unless it is after `fromMinute`.'),
  days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
    maxItems: 7,
    description: 'The days on which they begin: 1 is Monday, 7 is Sunday (ISO 8601).',
  }),
  timeZone: Type.String({ maxLength: 64, description: 'Of the IANA data base.', examples: ['Europe/Berlin'] }),
};

export const QuietHours = Type.Object(quietHoursFields, {
  additionalProperties: false,
  description: 'When no notice comes. What would have come is not sent later.',
});
export type QuietHours = Static<typeof QuietHours>;

/** What somebody wants to be told of, and where this server can push it to. */
export const NotificationSettings = Type.Object(
  {
    mentions: Type.Boolean({ description: 'Whether a mention gives a notice.' }),
    assignments: Type.Boolean({ description: 'Whether a to-do that others give to one does.' }),
    replies: Type.Boolean({ description: 'Whether replies do in threads that one began or wrote in.' }),
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
          isOver: Type.Boolean({ description: 'Whether it can post no more: revoked, replaced or expired.' }),
        },
        { additionalProperties: false },
      ),
      { description: 'The keys that are not `usual`. What comes in the place of a key begins with the same.' },
    ),
    quietHours: OrNull(QuietHours),
    push: OrNull(
      Type.Object(
        {
          publicKey: Type.String({ description: 'For `PushManager.subscribe`: a point of P-256, base64url.' }),
          isSubscribed: Type.Boolean({ description: 'Whether the browser of this session is subscribed.' }),
        },
        { additionalProperties: false, description: '`null`: this server does not push.' },
      ),
    ),
  },
  { additionalProperties: false },
);
export type NotificationSettings = Static<typeof NotificationSettings>;

/** A key that posts into a Hub of the caller: as much of it as its posts tell. */
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

/** As `PushSubscription.toJSON()` of a browser has it, with its keys beside the endpoint. */
export const SubscribePushBody = Type.Object(
  {
    endpoint: Type.String({
      maxLength: 1_000,
      description: 'The https address at the push service of the browser.',
      examples: ['https://push.example.net/wpush/v2/gAAAA…'],
    }),
    p256dh: Type.String({ maxLength: 128, description: 'The public key of the browser: 65 bytes, base64url.' }),
    auth: Type.String({ maxLength: 64, description: 'The secret of the browser: 16 bytes, base64url.' }),
  },
  { additionalProperties: false },
);
export type SubscribePushBody = Static<typeof SubscribePushBody>;

/** The browser of a session gets notices while no page is open. */
export const PushSubscriptionInfo = Type.Object(
  {
    service: Type.String({ description: 'The host that hands them over.', examples: ['push.example.net'] }),
    createdAt: Timestamp('When the browser was subscribed.'),
  },
  { additionalProperties: false },
);
export type PushSubscriptionInfo = Static<typeof PushSubscriptionInfo>;

/** Where a test notice went. */
export const SentTestNotification = Type.Object(
  {
    openPages: Type.Integer({
      description: 'Live connections of the person that were told, whether or not that browser shows notices.',
    }),
    browsers: Type.Integer({ description: 'Subscribed browsers that it is pushed to.' }),
  },
  { additionalProperties: false },
);
export type SentTestNotification = Static<typeof SentTestNotification>;

/** One notice, as an open page gets it in a frame and a browser by push. */
export interface HubNotification {
  kind: 'mention' | 'assignment' | 'reply' | 'post' | 'several' | 'test';
  title: string;
  body: string;
  /** The path that it leads to. */
  to: string;
  /** Of two with the same, the later takes the place of the earlier. */
  tag: string;
}
