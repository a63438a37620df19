import type { EventFrame, Hub } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import { isReply } from '../items/is-reply.ts';
import { isItemEvent } from '../items/item-event.ts';
import { isUnreadIn, withOneLess, withOneMore } from './read-state.ts';

/** Returns how an event changes the unread counts; `unknown` if only the server can tell. */
export function unreadAfter(event: EventFrame, hub: Hub, myId: string): Partial<Hub> | 'unknown' {
  const ids = hub.unreadMentionIds ?? [];
  if (event.event === 'items.pruned') return ids.length > 0 || (hub.unreadCount ?? 0) > 0 ? 'unknown' : {};
  if (!isItemEvent(event) || event.event.endsWith('.changed')) return {};
  const { data } = event;
  const count = hub.unreadCounts?.[data.kind] ?? 0;
  if (event.event.endsWith('.deleted')) {
    const left = ids.includes(data.id) ? { unreadMentionIds: ids.filter((id) => id !== data.id) } : {};
    // An erased item no longer reveals whether it was counted.
    if (!('author' in data)) return count > 0 ? 'unknown' : left;
    if (!isUnreadIn(hub, data, myId)) return left;
    // The server's count is capped, so there may be just as many or more unread items left.
    return count >= LIMITS.unreadCount ? 'unknown' : { ...withOneLess(hub, data.kind), ...left };
  }
  if (!('author' in data)) return {};
  // The server reports new mentions, but not those of restored posts.
  const isBack = event.event.endsWith('.restored') && data.deletedAt === null;
  if (isBack && (data.mentions.includes(myId) || isReply(data))) return 'unknown';
  // An item that has since been deleted still counts until its deletion event arrives.
  return isUnreadIn(hub, data, myId) ? withOneMore(hub, data.kind) : {};
}
