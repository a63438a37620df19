import type { Hub } from '@hub/contract';
import { allPages } from '../../../data/request.ts';
import { countOf } from '../../../lib/count-text.ts';
import { byName } from '../../../lib/names.ts';

/** Loads the Hubs that the user can see, sorted by name. Admins also get deleted Hubs. */
export async function loadSettingsHubs(isAdmin: boolean, signal: AbortSignal): Promise<readonly Hub[]> {
  const hubs = await allPages('GET /hubs', { query: { include: 'counts', state: isAdmin ? 'all' : null }, signal });
  return hubs.sort(byName);
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

/** "Forever", "For 1 day" or "For 90 days". */
export function retentionLabel(retentionDays: number | null): string {
  const text = retentionText(retentionDays);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
