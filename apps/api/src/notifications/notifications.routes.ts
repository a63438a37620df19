import { serve } from '../http/operations/serve.ts';
import {
  changeNotifications,
  listNotificationKeys,
  sendTestNotification,
  setHubMode,
  setKeyMode,
  setQuietHours,
  setThreadMode,
  showNotifications,
  showThreadMode,
  subscribePush,
  unsubscribePush,
} from './notification-settings.ts';
import type { NotificationDeps } from './notifications.ts';

export function notificationsRoutes(deps: NotificationDeps) {
  return serve({
    'GET /me/notifications': ({ caller }) => showNotifications(deps, caller),
    'PATCH /me/notifications': ({ caller, body }) => changeNotifications(deps, caller, body),
    'PUT /me/notifications/quiet-hours': ({ caller, body }) => setQuietHours(deps, caller, body),
    'DELETE /me/notifications/quiet-hours': ({ caller }) => setQuietHours(deps, caller, null),
    'PUT /me/notifications/hubs/{hubId}': ({ caller, params, body }) =>
      setHubMode(deps, caller, params.hubId, body.mode),
    'GET /me/notifications/keys': ({ caller, query }) => listNotificationKeys(deps, caller, query),
    'PUT /me/notifications/keys/{keyId}': ({ caller, params, body }) =>
      setKeyMode(deps, caller, params.keyId, body.mode),
    'GET /me/notifications/threads/{itemId}': ({ caller, params }) => showThreadMode(deps, caller, params.itemId),
    'PUT /me/notifications/threads/{itemId}': ({ caller, params, body }) =>
      setThreadMode(deps, caller, params.itemId, body.mode),
    'POST /me/notifications/test': ({ caller }) => sendTestNotification(deps, caller),
    'POST /me/push-subscriptions': ({ caller, body, context }) => subscribePush(deps, caller, body, context.origin),
    'DELETE /me/push-subscriptions': ({ caller }) => unsubscribePush(deps, caller),
  });
}
