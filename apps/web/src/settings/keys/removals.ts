import type { Item, Removal } from '@hub/contract';
import { request } from '../../data/request.ts';
import { LOCALE } from '../../time/format.ts';

const FIRST = 5;

/** The number of posts that would be removed, and the newest of them; `null` if the user is not a member of the Hub. */
export interface RemovalPreview {
  count: number;
  items: readonly Item[] | null;
}

/** Counts the posts since `from`, an ISO 8601 instant; `null` for all posts of the key. */
export async function previewRemoval(
  key: { id: string; hubId: string },
  from: string | null,
  options: { isReader: boolean; signal: AbortSignal },
): Promise<RemovalPreview> {
  const { isReader, signal } = options;
  const body = { isPreview: true, ...(from === null ? {} : { from }) };
  const counted = request('POST /keys/{keyId}/removals', { keyId: key.id, body, signal });
  const query = { hubId: key.hubId, keyId: key.id, limit: FIRST };
  const newest = isReader ? request('GET /stream', { query, signal }) : null;
  const [{ count }, page] = await Promise.all([counted, newest]);
  const items = page?.items.filter((item) => from === null || item.createdAt >= from) ?? null;
  return { count, items: items?.slice(0, FIRST) ?? null };
}

export function removePosts(keyId: string, from: string | null): Promise<Removal> {
  return request('POST /keys/{keyId}/removals', { keyId, body: from === null ? {} : { from } });
}

export function undoRemoval({ keyId, id }: Removal): Promise<Removal> {
  return request('DELETE /keys/{keyId}/removals/{removalId}', { keyId, removalId: id ?? '' });
}

export function postsText(count: number): string {
  return count === 1 ? '1 post' : `${count.toLocaleString(LOCALE)} posts`;
}
