import type { ChangeNotificationsBody, NotificationSettings, QuietHours } from '@hub/contract';
import { stateOf, type UserCaller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { isTimeZone } from './quiet-hours.ts';
import { showNotifications } from './show-notifications.ts';

type ChangeDeps = Pick<Deps, 'store' | 'notifications' | 'clock'>;

/** Which kinds of news give a notice. */
export async function changeNotifications(
  deps: ChangeDeps,
  caller: UserCaller,
  changes: ChangeNotificationsBody,
): Promise<NotificationSettings> {
  await deps.store.notifications.change({ personId: caller.user.id, changes, by: stateOf(caller) });
  return showNotifications(deps, caller);
}

/** Sets the hours without notices; `null`: there are none. */
export async function setQuietHours(
  deps: ChangeDeps,
  caller: UserCaller,
  asked: QuietHours | null,
): Promise<NotificationSettings> {
  const quietHours = asked && checkedQuietHours(asked);
  await deps.store.notifications.change({ personId: caller.user.id, changes: { quietHours }, by: stateOf(caller) });
  return showNotifications(deps, caller);
}

function checkedQuietHours(asked: QuietHours): QuietHours {
  if (!isTimeZone(asked.timeZone)) {
    throw new AppError('invalid', 'timeZone must be one of the IANA data base, such as Europe/Berlin or UTC');
  }
  if (asked.fromMinute === asked.toMinute) {
    throw new AppError('invalid', 'toMinute must be another than fromMinute: quiet hours end before they begin again');
  }
  return { ...asked, days: [...new Set(asked.days)].sort() };
}
