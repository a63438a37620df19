import { type Hub, LIMITS } from '@hub/contract';
import type { Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import type { HubListing } from '../storage/hub-store.ts';
import { type CallerHubState, hubView, NON_MEMBER_STATE } from './hub-view.ts';
import { readState } from './read-state.ts';

/** Returns a Hub as this caller sees it: whether they are a member, and what they have not read. */
export async function hubForCaller(deps: Pick<Deps, 'store'>, caller: Caller, hub: HubListing): Promise<Hub> {
  return hubView(hub, await callerStateOf(deps, caller, hub.id));
}

async function callerStateOf({ store }: Pick<Deps, 'store'>, { user }: Caller, hubId: string): Promise<CallerHubState> {
  const membership = user === null ? null : await store.memberships.find(hubId, user.id);
  if (!membership) return NON_MEMBER_STATE;
  const { personId } = membership;
  return {
    isMember: true,
    isMuted: await store.notifications.isMuted(personId, hubId),
    ...(await readState({ store }, membership)),
    unreadMentionIds: await store.mentions.unreadIds({ personId, hubId, limit: LIMITS.unreadCount }),
  };
}
