import type { EventFrame } from '@hub/contract';
import { isReply } from '../items/is-reply.ts';
import { isThere } from '../items/item-store.ts';

/** What is left unread, after an event of its Hub, of what is addressed to somebody; `unknown` if only the server knows. */
export function mentionsAfter(event: EventFrame, ids: readonly string[], myId: string): string[] | 'unknown' {
  const left = [...ids];
  if (event.event === 'items.pruned') return left.length > 0 ? 'unknown' : left;
  if (!/^(?:message|note|todo)\.(?:deleted|restored)$/.test(event.event) || !('id' in event.data)) return left;
  const { data } = event;
  if (event.event.endsWith('.deleted')) return left.filter((id) => id !== data.id);
  const mayBeMine = 'mentions' in data && isThere(data) && (data.mentions.includes(myId) || isReply(data));
  return mayBeMine ? 'unknown' : left;
}
