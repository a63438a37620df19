import type { Hub } from '@hub/contract';
import { allPages } from '../api/all-pages.ts';

/** Every Hub that the server tells of. */
export function loadHubs(): Promise<Hub[]> {
  return allPages<Hub>('/hubs');
}
