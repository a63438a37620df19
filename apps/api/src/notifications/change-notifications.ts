import type { ChangeNotificationsBody, NotificationSettings, QuietHours } from '@hub/contract';
import type { UserCaller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { AppError } from '../core/errors.ts';
import { changeAs } from '../credentials/authenticate-user.ts';
import type { NotificationChoices } from '../storage/notification-store.ts';
import { isTimeZone } from './quiet-hours.ts';
import { showNotifications } from './show-notifications.ts';

type ChangeDeps = Pick<Deps, 'store' | 'notifications' | 'clock' | 'revocations'>;

/** Sets which events the caller is notified about. */
export function changeNotifications(
  deps: ChangeDeps,
  caller: UserCaller,
  changes: ChangeNotificationsBody,
): Promise<NotificationSettings> {
  return changeChoices(deps, caller, changes);
}

/** Sets the caller's quiet hours; `null` removes them. */
export async function setQuietHours(
  deps: ChangeDeps,
  caller: UserCaller,
  requested: QuietHours | null,
): Promise<NotificationSettings> {
  return changeChoices(deps, caller, { quietHours: requested && validateQuietHours(requested) });
}

async function changeChoices(
  deps: ChangeDeps,
  sender: UserCaller,
  changes: Partial<NotificationChoices>,
): Promise<NotificationSettings> {
  const { id } = sender.user;
  await changeAs(deps, sender, async ({ notifications }) => {
    await notifications.setChoices(id, { ...(await notifications.choices(id)), ...changes });
  });
  return showNotifications(deps, sender);
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
