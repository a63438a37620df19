import { request } from '../request.ts';
import type { Hubs } from './hubs.ts';

export async function markMentionsRead(mine: Hubs['mine'], send = request): Promise<void> {
  const newest = mine.peek().flatMap(({ unreadMentionIds }) => unreadMentionIds?.[0] ?? []);
  await Promise.all(newest.map((upTo) => send('PUT /mentions/read', { body: { upTo } })));
}
