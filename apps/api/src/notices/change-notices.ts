import type { ChangeNoticesBody, NoticeSettings, QuietHours } from '@hub/contract';
import { type PersonCaller, standingOf } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import { isTimeZone } from './quiet-hours.ts';
import { showNotices } from './show-notices.ts';

type ChangeDeps = Pick<Deps, 'store' | 'notices' | 'clock'>;

/** Which kinds of news give a notice. */
export async function changeNotices(
  deps: ChangeDeps,
  caller: PersonCaller,
  changes: ChangeNoticesBody,
): Promise<NoticeSettings> {
  await deps.store.notices.change({ personId: caller.person.id, changes, by: standingOf(caller) });
  return showNotices(deps, caller);
}

/** Sets the hours without notices; `null`: there are none. */
export async function setQuietHours(
  deps: ChangeDeps,
  caller: PersonCaller,
  asked: QuietHours | null,
): Promise<NoticeSettings> {
  const quietHours = asked && checkedQuietHours(asked);
  await deps.store.notices.change({ personId: caller.person.id, changes: { quietHours }, by: standingOf(caller) });
  return showNotices(deps, caller);
}

function checkedQuietHours(asked: QuietHours): QuietHours {
  if (!isTimeZone(asked.timeZone)) {
    throw new Refusal('invalid', 'timeZone must be one of the IANA data base, such as Europe/Berlin or UTC');
  }
  if (asked.fromMinute === asked.toMinute) {
    throw new Refusal('invalid', 'toMinute must be another than fromMinute: quiet hours end before they begin again');
  }
  return { ...asked, days: [...new Set(asked.days)].sort() };
}
