import { request } from '../request.ts';
import type { Hubs } from './hubs.ts';

/** Marks all mentions of the user as read, up to the newest in each Hub. */
export async function markMentionsRead(mine: Hubs['mine'], send = request): Promise<void> {
  const newest = mine.peek().flatMap(({ unreadMentionIds }) => unreadMentionIds?.[0] ?? []);
  await Promise.all(newest.map((upTo) => send('PUT /mentions/read', { body: { upTo } })));
}
