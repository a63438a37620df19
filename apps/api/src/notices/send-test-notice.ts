import { LIMITS, type SentTestNotice } from '@hub/contract';
import type { PersonCaller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { tooManyRequests } from '../errors.ts';

/** One that comes at once, quiet hours or not, so that one sees whether notices arrive. */
export async function sendTestNotice(
  { store, notices, testNoticeRate }: Pick<Deps, 'store' | 'notices' | 'testNoticeRate'>,
  { person }: PersonCaller,
): Promise<SentTestNotice> {
  const seconds = testNoticeRate.admit(person.id);
  if (seconds > 0) {
    const most = `${LIMITS.testNoticesPerMinute} test notifications a minute`;
    throw tooManyRequests(`You can send at most ${most}. Try again in ${seconds} s.`, seconds);
  }
  const { name } = await store.workspace();
  return notices.tell(person.id, {
    kind: 'test',
    title: `A test notice from ${name}`,
    body: 'Notices arrive here.',
    to: '/settings/notices',
    // The next one takes its place.
    tag: 'test',
  });
}
