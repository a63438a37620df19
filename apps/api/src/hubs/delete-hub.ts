import type { Hub } from '@hub/contract';
import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { writeHubChange } from './write-hub-change.ts';

/** Deletes a Hub. Once the response is sent, its keys get 404. Nothing is erased, so that the Hub can be restored. */
export function deleteHub(deps: Deps, caller: Caller, hubId: string): Promise<Hub> {
  return writeHubChange(deps, caller, {
    hubId,
    entry: () => ({ action: 'hub.deleted' }),
    write: (change) => deps.store.hubs.delete(change),
  });
}
