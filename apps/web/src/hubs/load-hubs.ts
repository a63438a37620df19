import type { Hub } from '@hub/contract';
import { request } from '../api/request.ts';

/** Every Hub that the server tells of. */
export async function loadHubs(): Promise<Hub[]> {
  const hubs: Hub[] = [];
  let before: string | null = null;
  do {
    const page: { items: Hub[]; next: string | null } = await request('GET', '/hubs', {
      query: { before, limit: 100 },
    });
    hubs.push(...page.items);
    before = page.next;
  } while (before !== null);
  return hubs;
}
