import {
  ChangeNotificationsBody,
  LIMITS,
  NotificationKey,
  NotificationSettings,
  Page,
  PushSubscriptionInfo,
  SentTestNotification,
  SetNotificationModeBody,
  SetQuietHoursBody,
  SubscribePushBody,
  WORKSPACE_API_PATH,
} from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../context/deps.ts';
import { readJsonBody } from '../http/read-body.ts';
import { readListQuery } from '../http/read-query.ts';
import { contextOf } from '../http/request-context.ts';
import { readFields, readNoFields, readPatch } from '../http/validate.ts';
import { userOf } from '../workspace-api/workspace-gate.ts';
import { idInPath, pageParameters, workspaceOperation } from '../workspace-api/workspace-operation.ts';
import {
  changeNotifications,
  listNotificationKeys,
  sendTestNotification,
  setHubMode,
  setKeyMode,
  setQuietHours,
  showNotifications,
  subscribePush,
  unsubscribePush,
} from './notification-settings.ts';

const settings = { status: 200, response: NotificationSettings, access: 'user' } as const;

export function notificationsRoutes(deps: Deps) {
  return new Elysia({ name: 'notifications', prefix: `${WORKSPACE_API_PATH}/me` })
    .use(choiceRoutes(deps))
    .use(modeRoutes(deps))
    .post(
      '/notifications/test',
      async ({ request }) => {
        await readNoFields(request, 'a test notification');
        return sendTestNotification(deps, userOf(request));
      },
      workspaceOperation({
        operationId: 'sendTestNotification',
        summary: 'Send yourself a test notification',
        description: `To every open page and every subscribed browser, even during quiet hours. Waits up to 5 seconds for the push services. At most ${LIMITS.testNotificationsPerMinute} per user and minute.`,
        access: 'session',
        status: 200,
        response: SentTestNotification,
        errors: [400, 413, 415],
      }),
    )
    .post(
      '/push-subscriptions',
      async ({ request, status }) => {
        const body = readFields(SubscribePushBody, await readJsonBody(request), { noun: 'a push subscription' });
        return status(201, await subscribePush(deps, userOf(request), body, contextOf(request).origin));
      },
      workspaceOperation({
        operationId: 'subscribePush',
        summary: 'Subscribe this browser to push notifications',
        description:
          'Replaces an earlier subscription of this session. The subscription ends with the session, and when the push service reports that it no longer exists.',
        access: 'session',
        body: { schema: SubscribePushBody },
        status: 201,
        response: PushSubscriptionInfo,
        errors: [409],
      }),
    )
    .delete(
      '/push-subscriptions',
      async ({ request }) => {
        await readNoFields(request, 'ending a push subscription');
        return unsubscribePush(deps, userOf(request));
      },
      workspaceOperation({
        operationId: 'unsubscribePush',
        summary: 'Unsubscribe this browser from push notifications',
        access: 'session',
        status: 200,
        response: PushSubscriptionInfo,
        errors: [400, 404, 413, 415],
      }),
    );
}

function choiceRoutes(deps: Deps) {
  return new Elysia({ name: 'notification choices' })
    .get(
      '/notifications',
      ({ request }) => showNotifications(deps, userOf(request)),
      workspaceOperation({
        ...settings,
        operationId: 'showNotificationSettings',
        summary: 'Show your notification settings',
      }),
    )
    .patch(
      '/notifications',
      async ({ request }) => {
        const body = readPatch(ChangeNotificationsBody, await readJsonBody(request), { noun: 'notification settings' });
        return changeNotifications(deps, userOf(request), body);
      },
      workspaceOperation({
        ...settings,
        operationId: 'changeNotificationSettings',
        summary: 'Change your notification settings',
        body: { schema: ChangeNotificationsBody },
      }),
    )
    .put(
      '/notifications/quiet-hours',
      async ({ request }) => {
        const body = readFields(SetQuietHoursBody, await readJsonBody(request), { noun: 'quiet hours' });
        return setQuietHours(deps, userOf(request), body);
      },
      workspaceOperation({
        ...settings,
        operationId: 'setQuietHours',
        summary: 'Set your quiet hours',
        body: { schema: SetQuietHoursBody },
      }),
    )
    .delete(
      '/notifications/quiet-hours',
      async ({ request }) => {
        await readNoFields(request, 'ending quiet hours');
        return setQuietHours(deps, userOf(request), null);
      },
      workspaceOperation({
        ...settings,
        operationId: 'endQuietHours',
        summary: 'Remove your quiet hours',
        errors: [400, 413, 415],
      }),
    );
}

function modeRoutes(deps: Deps) {
  const modeIn = async (request: Request) =>
    readFields(SetNotificationModeBody, await readJsonBody(request), { noun: 'a mode' }).mode;
  return new Elysia({ name: 'notification modes' })
    .put(
      '/notifications/hubs/:hubId',
      async ({ request, params }) => setHubMode(deps, userOf(request), params.hubId, await modeIn(request)),
      workspaceOperation({
        ...settings,
        operationId: 'setHubNotifications',
        summary: 'Set the notifications of a Hub, or mute it',
        parameters: [idInPath('hubId', 'The id of a Hub that you are a member of.', 'hub')],
        body: { schema: SetNotificationModeBody },
      }),
    )
    .get(
      '/notifications/keys',
      ({ request }) => listNotificationKeys(deps, userOf(request), readListQuery(request)),
      workspaceOperation({
        operationId: 'listNotificationKeys',
        summary: 'List keys for notification settings',
        description:
          'Keys that can post into your Hubs, newest first; only the new key after a rotation. Users who may not manage keys see only keys that have posted, with the name shown with their posts.',
        access: 'user',
        parameters: pageParameters,
        status: 200,
        response: Page(NotificationKey),
      }),
    )
    .put(
      '/notifications/keys/:keyId',
      async ({ request, params }) => setKeyMode(deps, userOf(request), params.keyId, await modeIn(request)),
      workspaceOperation({
        ...settings,
        operationId: 'setKeyNotifications',
        summary: 'Set the notifications of a key, or mute it',
        parameters: [idInPath('keyId', 'The id of a key that posts into a Hub that you are a member of.', 'key')],
        body: { schema: SetNotificationModeBody },
      }),
    );
}
