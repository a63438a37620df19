import { LIMITS, type SentTestNotification } from '@hub/contract';
import type { UserCaller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { tooManyRequests } from '../errors.ts';

/** One that comes at once, quiet hours or not, so that one sees whether notices arrive. */
export async function sendTestNotification(
  { store, notifications, testNotificationRate }: Pick<Deps, 'store' | 'notifications' | 'testNotificationRate'>,
  { user }: UserCaller,
): Promise<SentTestNotification> {
  const seconds = testNotificationRate.admit(user.id);
  if (seconds > 0) {
    const most = `${LIMITS.testNotificationsPerMinute} test notifications a minute`;
    throw tooManyRequests(`You can send at most ${most}. Try again in ${seconds} s.`, seconds);
  }
  const { name } = await store.workspace();
  return notifications.report(user.id, {
    kind: 'test',
    title: `A test notice from ${name}`,
    body: 'Notices arrive here.',
    to: '/settings/notices',
    // The next one takes its place.
    tag: 'test',
  });
}
