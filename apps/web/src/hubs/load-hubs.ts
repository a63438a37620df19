import type { Hub } from '@hub/contract';
import { allPages } from '../api/all-pages.ts';

/** Loads every Hub that the server lists. */
export function loadHubs(): Promise<Hub[]> {
  return allPages<Hub>('/hubs');
}
