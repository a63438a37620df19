import * as wire from '../index.ts';
import { type OperationDeclaration, page } from './operation.ts';

const settings = {
  access: 'user',
  success: wire.NotificationSettings,
} as const satisfies Partial<OperationDeclaration>;
const mode = { ...settings, body: wire.SetNotificationModeBody, noun: 'a mode' } as const;

const thread = { access: 'user', success: wire.ThreadNotifications, errors: [400] } as const;

export const notificationOperations = {
  'GET /me/notifications': { ...settings, id: 'showNotificationSettings', summary: 'Show your notification settings' },
  'PATCH /me/notifications': {
    ...settings,
    id: 'changeNotificationSettings',
    summary: 'Change your notification settings',
    body: wire.ChangeNotificationsBody,
    noun: 'notification settings',
  },
  'PUT /me/notifications/quiet-hours': {
    ...settings,
    id: 'setQuietHours',
    summary: 'Set your quiet hours',
    body: wire.SetQuietHoursBody,
    noun: 'quiet hours',
  },
  'DELETE /me/notifications/quiet-hours': {
    ...settings,
    id: 'endQuietHours',
    summary: 'Remove your quiet hours',
    noun: 'ending quiet hours',
  },
  'PUT /me/notifications/hubs/{hubId}': {
    ...mode,
    id: 'setHubNotifications',
    summary: 'Set the notifications of a Hub, or mute it',
    description: 'For a Hub that you are a member of.',
  },
  'GET /me/notifications/keys': {
    id: 'listNotificationKeys',
    summary: 'List keys for notification settings',
    description:
      'Keys that can post into your Hubs, newest first; only the new key after a rotation. Users who may not manage keys see only keys that have posted, with the name shown with their posts.',
    access: 'user',
    query: page,
    success: wire.Page(wire.NotificationKey),
  },
  'PUT /me/notifications/keys/{keyId}': {
    ...mode,
    id: 'setKeyNotifications',
    summary: 'Set the notifications of a key, or mute it',
    description: 'For a key that posts into a Hub that you are a member of.',
  },
  'GET /me/notifications/threads/{itemId}': {
    ...thread,
    id: 'showThreadNotifications',
    summary: 'Show whether you follow a thread',
  },
  'PUT /me/notifications/threads/{itemId}': {
    ...thread,
    id: 'setThreadNotifications',
    summary: 'Follow a thread, or mute it',
    description:
      '`every`: its replies are addressed to you, even if you have not written in it. `muted`: only replies that mention you. `usual`: as if it was never set.',
    body: wire.SetNotificationModeBody,
    noun: 'a mode',
  },
  'POST /me/notifications/test': {
    id: 'sendTestNotification',
    summary: 'Send yourself a test notification',
    description: `To every open page and every subscribed browser, even during quiet hours. Waits up to 5 seconds for the push services. At most ${wire.LIMITS.testNotificationsPerMinute} per user and minute.`,
    access: 'session',
    // It waits for push services.
    turn: null,
    noun: 'a test notification',
    success: wire.SentTestNotification,
  },
  'POST /me/push-subscriptions': {
    id: 'subscribePush',
    summary: 'Subscribe this browser to push notifications',
    description:
      'Replaces an earlier subscription of this session. The subscription ends with the session, and when the push service reports that it no longer exists.',
    access: 'session',
    body: wire.SubscribePushBody,
    noun: 'a push subscription',
    status: 201,
    success: wire.PushSubscriptionInfo,
    errors: [409],
  },
  'DELETE /me/push-subscriptions': {
    id: 'unsubscribePush',
    summary: 'Unsubscribe this browser from push notifications',
    access: 'session',
    noun: 'ending a push subscription',
    success: wire.PushSubscriptionInfo,
    errors: [404],
  },
} as const satisfies Record<string, OperationDeclaration>;
