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
import type { Deps } from '../deps.ts';
import { readFields } from '../http/read-fields.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { readNoFields } from '../http/read-no-fields.ts';
import { readPatch } from '../http/read-patch.ts';
import { readListQuery } from '../http/read-query.ts';
import { userOf } from '../http/workspace-gate.ts';
import { idInPath, pageParameters, workspaceOperation } from '../http/workspace-operation.ts';
import { changeNotifications, setQuietHours } from './change-notifications.ts';
import { listNotificationKeys } from './list-notification-keys.ts';
import { sendTestNotification } from './send-test-notification.ts';
import { setHubMode, setKeyMode } from './set-notification-mode.ts';
import { showNotifications } from './show-notifications.ts';
import { subscribePush, unsubscribePush } from './subscribe-push.ts';

const settings = { status: 200, response: NotificationSettings, access: 'person' } as const;

export function notificationsRoutes(deps: Deps) {
  return new Elysia({ name: 'notices', prefix: `${WORKSPACE_API_PATH}/me` })
    .use(choiceRoutes(deps))
    .use(modeRoutes(deps))
    .post(
      '/notices/test',
      async ({ request }) => {
        await readNoFields(request, 'a test notice');
        return sendTestNotification(deps, userOf(request));
      },
      workspaceOperation({
        operationId: 'sendTestNotice',
        summary: 'Send oneself a test notice',
        description: `To every open page and every subscribed browser, also in quiet hours. At most ${LIMITS.testNotificationsPerMinute} a minute for each user.`,
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
        return status(201, await subscribePush(deps, userOf(request), body));
      },
      workspaceOperation({
        operationId: 'subscribePush',
        summary: 'Get notices by push in this browser',
        description:
          'For the browser of this session, in the place of what it had. It ends with the session, and when the push service says that the browser is gone.',
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
        await readNoFields(request, 'the end of a push subscription');
        return unsubscribePush(deps, userOf(request));
      },
      workspaceOperation({
        operationId: 'unsubscribePush',
        summary: 'Get no more notices by push in this browser',
        access: 'session',
        status: 200,
        response: PushSubscriptionInfo,
        errors: [400, 404, 413, 415],
      }),
    );
}

function choiceRoutes(deps: Deps) {
  return new Elysia({ name: 'notice choices' })
    .get(
      '/notices',
      ({ request }) => showNotifications(deps, userOf(request)),
      workspaceOperation({ ...settings, operationId: 'showNotices', summary: 'Show what gives oneself a notice' }),
    )
    .patch(
      '/notices',
      async ({ request }) => {
        const body = readPatch(ChangeNotificationsBody, await readJsonBody(request), { noun: 'notices' });
        return changeNotifications(deps, userOf(request), body);
      },
      workspaceOperation({
        ...settings,
        operationId: 'changeNotices',
        summary: 'Choose what gives oneself a notice',
        body: { schema: ChangeNotificationsBody },
      }),
    )
    .put(
      '/notices/quiet-hours',
      async ({ request }) => {
        const body = readFields(SetQuietHoursBody, await readJsonBody(request), { noun: 'quiet hours' });
        return setQuietHours(deps, userOf(request), body);
      },
      workspaceOperation({
        ...settings,
        operationId: 'setQuietHours',
        summary: 'Set the hours without notices',
        body: { schema: SetQuietHoursBody },
      }),
    )
    .delete(
      '/notices/quiet-hours',
      async ({ request }) => {
        await readNoFields(request, 'the end of quiet hours');
        return setQuietHours(deps, userOf(request), null);
      },
      workspaceOperation({
        ...settings,
        operationId: 'endQuietHours',
        summary: 'Have no quiet hours',
        errors: [400, 413, 415],
      }),
    );
}

function modeRoutes(deps: Deps) {
  const modeIn = async (request: Request) =>
    readFields(SetNotificationModeBody, await readJsonBody(request), { noun: 'a mode' }).mode;
  return new Elysia({ name: 'notice modes' })
    .put(
      '/notices/hubs/:hubId',
      async ({ request, params }) => setHubMode(deps, userOf(request), params.hubId, await modeIn(request)),
      workspaceOperation({
        ...settings,
        operationId: 'setHubNotices',
        summary: 'Choose what gives a notice in a Hub, or mute it',
        parameters: [idInPath('hubId', 'The id of a Hub that one belongs to.')],
        body: { schema: SetNotificationModeBody },
      }),
    )
    .get(
      '/notices/keys',
      ({ request }) => listNotificationKeys(deps, userOf(request), readListQuery(request)),
      workspaceOperation({
        operationId: 'listNoticeKeys',
        summary: 'List keys of which one can choose what gives a notice',
        description:
          'Those that can post into Hubs that one belongs to, newest first; of a rotation the new one. Who does not manage keys is told of those that have posted, by the name that stands under each of their posts.',
        access: 'person',
        parameters: pageParameters,
        status: 200,
        response: Page(NotificationKey),
      }),
    )
    .put(
      '/notices/keys/:keyId',
      async ({ request, params }) => setKeyMode(deps, userOf(request), params.keyId, await modeIn(request)),
      workspaceOperation({
        ...settings,
        operationId: 'setKeyNotices',
        summary: 'Choose what posts by a key give a notice, or mute it',
        parameters: [idInPath('keyId', 'The id of a key that posts into a Hub that one belongs to.')],
        body: { schema: SetNotificationModeBody },
      }),
    );
}
