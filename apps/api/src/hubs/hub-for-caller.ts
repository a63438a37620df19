import { type Hub, LIMITS } from '@hub/contract';
import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import type { HubListing } from '../store/store.ts';
import { type HubStanding, hubView, NO_MEMBER } from './hub-view.ts';
import { readStanding } from './read-state.ts';

/** A Hub as this caller sees it: whether it is his, and what in it he has not read. */
export async function hubForCaller(deps: Pick<Deps, 'store'>, caller: Caller, hub: HubListing): Promise<Hub> {
  return hubView(hub, await stateOf(deps, caller, hub.id));
}

async function stateOf({ store }: Pick<Deps, 'store'>, { user }: Caller, hubId: string): Promise<HubStanding> {
  const membership = user === null ? null : await store.memberships.find(hubId, user.id);
  if (!membership) return NO_MEMBER;
  const { personId } = membership;
  return {
    isMember: true,
    isMuted: await store.notifications.isMuted(personId, hubId),
    ...(await readStanding({ store }, membership)),
    unreadMentionIds: await store.mentions.unreadIds({ personId, hubId, limit: LIMITS.unreadCount }),
  };
}
