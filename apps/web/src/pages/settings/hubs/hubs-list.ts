import type { Hub } from '@hub/contract';
import { plain } from '../../../data/members/matching-users.ts';
import { allPages } from '../../../data/request.ts';
import { countOf } from '../../../lib/count-text.ts';
import { byName } from '../../../lib/natural-order.ts';

/** Loads the Hubs that the user can see, sorted by name. Admins also get deleted Hubs. */
export async function loadSettingsHubs(isAdmin: boolean, signal: AbortSignal): Promise<readonly Hub[]> {
  const hubs = await allPages('GET /hubs', { query: { include: 'counts', state: isAdmin ? 'all' : null }, signal });
  return hubs.sort(byName);
}

/** Returns the Hubs whose name contains the text, ignoring case and accents. */
export function matchingHubs(hubs: readonly Hub[], text: string): readonly Hub[] {
  const part = plain(text.trim());
  return hubs.filter(({ name }) => plain(name).includes(part));
}

/** "forever", "for 1 day" or "for 90 days". */
export function retentionText(retentionDays: number | null): string {
  if (retentionDays === null) return 'forever';
  return `for ${countOf(retentionDays, 'day')}`;
}

/** Whether the new retention period deletes more items than the current one. */
export function isShorter(days: number | null, current: number | null): boolean {
  return days !== null && (current === null || days < current);
}
