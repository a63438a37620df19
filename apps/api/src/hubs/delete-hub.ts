import type { Hub } from '@hub/contract';
import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { changeHub } from './change-hub.ts';

/** From the answer on, the Hub's keys get 404. Nothing is erased: it can be restored. */
export function deleteHub(deps: Deps, caller: Caller, hubId: string): Promise<Hub> {
  return changeHub(deps, caller, {
    hubId,
    action: 'hub.deleted',
    write: (change) => deps.store.hubs.delete(change),
  });
}
