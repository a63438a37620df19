import { LIMITS, type UnreadMentions } from '@hub/contract';
import type { Deps } from '../deps.ts';

/** Returns the ids of a user's unread mentions and replies, for each Hub that they are a member of. */
export async function unreadMentions({ store }: Pick<Deps, 'store'>, personId: string): Promise<UnreadMentions> {
  const unreadIds: Record<string, string[]> = {};
  for (const hubId of await store.memberships.listHubIds(personId)) {
    const ids = await store.mentions.unreadIds({ personId, hubId, limit: LIMITS.unreadCount });
    if (ids.length > 0) unreadIds[hubId] = ids;
  }
  return { unreadIds };
}
