import type { SentTestNotice } from '@hub/contract';
import type { PersonCaller } from '../actor.ts';
import type { Deps } from '../deps.ts';

/** One that comes at once, quiet hours or not, so that one sees whether notices arrive. */
export function sendTestNotice(
  { store, notices }: Pick<Deps, 'store' | 'notices'>,
  { person }: PersonCaller,
): Promise<SentTestNotice> {
  return store.workspace().then(({ name }) =>
    notices.tell(person.id, {
      kind: 'test',
      title: `A test notice from ${name}`,
      body: 'Notices arrive here.',
      to: '/settings/notices',
      // The next one takes its place.
      tag: 'test',
    }),
  );
}
