import type { Hub } from '@hub/contract';
import { allPages } from '../../api/all-pages.ts';
import { LOCALE } from '../../time/format.ts';

/** Those that one may know of, by name; of admins also the deleted ones. */
export async function loadSettingsHubs(isAdmin: boolean): Promise<readonly Hub[]> {
  const hubs = await allPages<Hub>('/hubs', { include: 'counts', state: isAdmin ? 'all' : null });
  return hubs.sort((one, other) => one.name.localeCompare(other.name));
}

/** "for ever", "1 day", "90 days". */
export function keptFor(retentionDays: number | null): string {
  if (retentionDays === null) return 'for ever';
  return `${retentionDays.toLocaleString(LOCALE)} ${retentionDays === 1 ? 'day' : 'days'}`;
}

/** More of it goes than goes now. */
export function isShorter(days: number | null, present: number | null): boolean {
  return days !== null && (present === null || days < present);
}
