import type { Hub } from '@hub/contract';
import { allPages } from '../../api/all-pages.ts';
import { LOCALE } from '../../time/format.ts';

/** Loads the Hubs that the user can see, sorted by name. Admins also get deleted Hubs. */
export async function loadSettingsHubs(isAdmin: boolean): Promise<readonly Hub[]> {
  const hubs = await allPages<Hub>('/hubs', { include: 'counts', state: isAdmin ? 'all' : null });
  return hubs.sort((one, other) => one.name.localeCompare(other.name));
}

/** "forever", "for 1 day" or "for 90 days". */
export function retentionText(retentionDays: number | null): string {
  if (retentionDays === null) return 'forever';
  return `for ${retentionDays.toLocaleString(LOCALE)} ${retentionDays === 1 ? 'day' : 'days'}`;
}

/** Whether the new retention period deletes more items than the current one. */
export function isShorter(days: number | null, current: number | null): boolean {
  return days !== null && (current === null || days < current);
}
