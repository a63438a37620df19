import type { ChangeNotificationsBody, NotificationSettings, QuietHours } from '@hub/contract';
import { actingUserOf, type UserCaller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { isTimeZone } from './quiet-hours.ts';
import { showNotifications } from './show-notifications.ts';

type ChangeDeps = Pick<Deps, 'store' | 'notifications' | 'clock'>;

/** Sets which events the caller is notified about. */
export async function changeNotifications(
  deps: ChangeDeps,
  caller: UserCaller,
  changes: ChangeNotificationsBody,
): Promise<NotificationSettings> {
  await deps.store.notifications.change({ personId: caller.user.id, changes, actingUser: actingUserOf(caller) });
  return showNotifications(deps, caller);
}

/** Sets the caller's quiet hours; `null` removes them. */
export async function setQuietHours(
  deps: ChangeDeps,
  caller: UserCaller,
  requested: QuietHours | null,
): Promise<NotificationSettings> {
  const quietHours = requested && validateQuietHours(requested);
  await deps.store.notifications.change({
    personId: caller.user.id,
    changes: { quietHours },
    actingUser: actingUserOf(caller),
  });
  return showNotifications(deps, caller);
}

function validateQuietHours(requested: QuietHours): QuietHours {
  if (!isTimeZone(requested.timeZone)) {
    throw new AppError('invalid', 'timeZone must be an IANA time zone, such as Europe/Berlin or UTC');
  }
  if (requested.fromMinute === requested.toMinute) {
    throw new AppError('invalid', 'toMinute must differ from fromMinute');
  }
  return { ...requested, days: [...new Set(requested.days)].sort() };
}
