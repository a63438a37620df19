import { LIMITS, type SentTestNotification } from '@hub/contract';
import type { UserCaller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { tooManyRequests } from '../core/errors.ts';

/** Sends the caller a test notification immediately, even during quiet hours. */
export async function sendTestNotification(
  { store, notifications, testNotificationRate }: Pick<Deps, 'store' | 'notifications' | 'testNotificationRate'>,
  { user }: UserCaller,
): Promise<SentTestNotification> {
  const seconds = testNotificationRate.admit(user.id);
  if (seconds > 0) {
    const limit = `${LIMITS.testNotificationsPerMinute} test notifications a minute`;
    throw tooManyRequests(`You can send at most ${limit}. Try again in ${seconds} s.`, seconds);
  }
  const { name } = await store.workspace.find();
  return notifications.report(user.id, {
    kind: 'test',
    title: `Test notification from ${name}`,
    body: 'Notifications work in this browser.',
    to: '/settings/notices',
    // The next test notification replaces this one.
    tag: 'test',
  });
}
