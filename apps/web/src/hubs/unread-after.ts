import type { EventFrame, Hub } from '@hub/contract';
import { isReply } from '../items/is-reply.ts';
import { isThere } from '../items/item-store.ts';
import { isItemEvent } from './item-event.ts';
import { isUnreadIn, withOneLess, withOneMore } from './read-state.ts';

/** What an event changes in what is unread of its Hub; `unknown` if only the server knows. */
export function unreadAfter(event: EventFrame, hub: Hub, myId: string): Partial<Hub> | 'unknown' {
  const ids = hub.unreadMentionIds ?? [];
  if (event.event === 'items.pruned') return ids.length > 0 || (hub.unreadCount ?? 0) > 0 ? 'unknown' : {};
  if (!isItemEvent(event) || event.event.endsWith('.changed')) return {};
  const { data } = event;
  if (event.event.endsWith('.deleted')) {
    const left = ids.includes(data.id) ? { unreadMentionIds: ids.filter((id) => id !== data.id) } : {};
    // Of what was erased nobody can tell any more whether it was counted.
    if (!('author' in data)) return (hub.unreadCounts?.[data.kind] ?? 0) > 0 ? 'unknown' : left;
    return isUnreadIn(hub, data, myId) ? { ...withOneLess(hub, data.kind), ...left } : left;
  }
  if (!isThere(data)) return {};
  // The server tells of what is new and addressed to one, but not of what comes back.
  const mayBeMine = event.event.endsWith('.restored') && (data.mentions.includes(myId) || isReply(data));
  if (mayBeMine) return 'unknown';
  return isUnreadIn(hub, data, myId) ? withOneMore(hub, data.kind) : {};
}
