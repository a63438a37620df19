import type { EventFrame, Hub } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import { isReply } from '../items/is-reply.ts';
import { isItemEvent } from '../items/item-event.ts';
import { isUnreadIn, withOneLess, withOneMore } from './read-state.ts';

/** What an event changes in what is unread of its Hub; `unknown` if only the server knows. */
export function unreadAfter(event: EventFrame, hub: Hub, myId: string): Partial<Hub> | 'unknown' {
  const ids = hub.unreadMentionIds ?? [];
  if (event.event === 'items.pruned') return ids.length > 0 || (hub.unreadCount ?? 0) > 0 ? 'unknown' : {};
  if (!isItemEvent(event) || event.event.endsWith('.changed')) return {};
  const { data } = event;
  const count = hub.unreadCounts?.[data.kind] ?? 0;
  if (event.event.endsWith('.deleted')) {
    const left = ids.includes(data.id) ? { unreadMentionIds: ids.filter((id) => id !== data.id) } : {};
    // Of what was erased nobody can tell any more whether it was counted.
    if (!('author' in data)) return count > 0 ? 'unknown' : left;
    if (!isUnreadIn(hub, data, myId)) return left;
    // The server counts no further: there may be as many left.
    return count >= LIMITS.unreadCount ? 'unknown' : { ...withOneLess(hub, data.kind), ...left };
  }
  if (!('author' in data)) return {};
  // The server tells of what is new and addressed to one, but not of what comes back.
  const isBack = event.event.endsWith('.restored') && data.deletedAt === null;
  if (isBack && (data.mentions.includes(myId) || isReply(data))) return 'unknown';
  // What is deleted by now counts as well, until the event of that comes and takes it away.
  return isUnreadIn(hub, data, myId) ? withOneMore(hub, data.kind) : {};
}
