import { request } from '../data/request.ts';

/** An id that sorts before every item: a list requested `after` it begins with the oldest item. */
const BEFORE_ALL_ITEMS = `item_${'0'.repeat(26)}`;

/**
 * Returns the id around which to load the first unread message of a Hub: the id of that message, or of an earlier
 * unread item, such as a reply. `null` if nothing is unread.
 * @throws as `request` does.
 */
export async function findFirstUnread(hubId: string): Promise<string | null> {
  const query = { hubId, kind: 'message', unread: 'true', after: BEFORE_ALL_ITEMS, limit: 1 } as const;
  const { items, next } = await request('GET /stream', { query });
  return items[0]?.id ?? next;
}
