import type { StreamPage } from '@hub/contract';
import { request } from '../api/request.ts';

/** A place before every item: `after` it, a list begins with its oldest. */
const BEFORE_ALL_ITEMS = `item_${'0'.repeat(26)}`;

/**
 * The id around which the first unread message of a Hub is to be loaded: its own, or that of what is unread before it, such as a
 * reply. `null` if nothing is.
 * @throws as `request` does.
 */
export async function findFirstUnread(hubId: string): Promise<string | null> {
  const query = { hubId, kind: 'message', unread: 'true', after: BEFORE_ALL_ITEMS, limit: 1 };
  const { items, next } = await request<StreamPage>('GET', '/stream', { query });
  return items[0]?.id ?? next;
}
