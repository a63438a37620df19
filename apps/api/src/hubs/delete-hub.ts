import type { Hub } from '@hub/contract';
import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { writeHubChange } from './write-hub-change.ts';

/** From the answer on, the Hub's keys get 404. Nothing is erased: it can be restored. */
export function deleteHub(deps: Deps, caller: Caller, hubId: string): Promise<Hub> {
  return writeHubChange(deps, caller, {
    hubId,
    entry: () => ({ action: 'hub.deleted' }),
    write: (change) => deps.store.hubs.delete(change),
  });
}
