import type { NoticeMode, NoticeSettings } from '@hub/contract';
import { type PersonCaller, standingOf } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { isReader, readableHub } from '../hubs/hub-rights.ts';
import { keyNotFound } from '../keys/find-key.ts';
import { showNotices } from './show-notices.ts';

type SetModeDeps = Pick<Deps, 'store' | 'notices' | 'live' | 'clock'>;

/** What gives a notice in a Hub of the caller. */
export async function setHubMode(
  deps: SetModeDeps,
  caller: PersonCaller,
  hubId: string | null,
  mode: NoticeMode,
): Promise<NoticeSettings> {
  const hub = await readableHub(deps, caller, hubId);
  return setMode(deps, caller, { targetId: hub.id, hubId: hub.id, mode });
}

/** The same of a key. Whoever reads its Hub sees its name by every post, so that he need not manage it. */
export async function setKeyMode(
  deps: SetModeDeps,
  caller: PersonCaller,
  keyId: string | null,
  mode: NoticeMode,
): Promise<NoticeSettings> {
  const key = keyId === null ? null : await deps.store.keys.find(keyId);
  const hub = key && (await deps.store.hubs.find(key.hubId));
  if (!key || hub?.deletedAt !== null || !(await isReader(deps, caller, hub.id))) throw keyNotFound(keyId);
  return setMode(deps, caller, { targetId: key.id, hubId: key.hubId, mode });
}

async function setMode(
  deps: SetModeDeps,
  caller: PersonCaller,
  { targetId, hubId, mode }: { targetId: string; hubId: string; mode: NoticeMode },
): Promise<NoticeSettings> {
  const { id: personId } = caller.person;
  await deps.store.notices.setMode({ personId, targetId, hubId, mode, by: standingOf(caller) });
  // His other pages show the Hubs as muted or not.
  deps.live.tell(personId, { type: 'hubs.changed' });
  return showNotices(deps, caller);
}
