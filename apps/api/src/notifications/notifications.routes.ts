import { serve } from '../http/operations/serve.ts';
import * as settings from './notification-settings.ts';
import type { NotificationDeps } from './notifications.ts';

export function notificationsRoutes(deps: NotificationDeps) {
  return serve({
    'GET /me/notifications': ({ caller }) => settings.showNotifications(deps, caller),
    'PATCH /me/notifications': ({ caller, body }) => settings.changeNotifications(deps, caller, body),
    'PUT /me/notifications/quiet-hours': ({ caller, body }) => settings.setQuietHours(deps, caller, body),
    'DELETE /me/notifications/quiet-hours': ({ caller }) => settings.setQuietHours(deps, caller, null),
    'PUT /me/notifications/hubs/{hubId}': ({ caller, params, body }) =>
      settings.setHubMode(deps, caller, params.hubId, body.mode),
    'GET /me/notifications/keys': ({ caller, query }) => settings.listNotificationKeys(deps, caller, query),
    'PUT /me/notifications/keys/{keyId}': ({ caller, params, body }) =>
      settings.setKeyMode(deps, caller, params.keyId, body.mode),
    'GET /me/notifications/threads/{itemId}': ({ caller, params }) =>
      settings.showThreadMode(deps, caller, params.itemId),
    'PUT /me/notifications/threads/{itemId}': ({ caller, params, body }) =>
      settings.setThreadMode(deps, caller, params.itemId, body.mode),
    'POST /me/notifications/test': ({ caller }) => settings.sendTestNotification(deps, caller),
    'POST /me/push-subscriptions': ({ caller, body, context }) =>
      settings.subscribePush(deps, caller, body, context.origin),
    'DELETE /me/push-subscriptions': ({ caller }) => settings.unsubscribePush(deps, caller),
  });
}
