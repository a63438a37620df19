import type { Hub } from '@hub/contract';
import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { writeHubChange } from './write-hub-change.ts';

/** Restores a deleted Hub with its items and keys. */
export function restoreHub(deps: Deps, caller: Caller, hubId: string): Promise<Hub> {
  return writeHubChange(deps, caller, {
    hubId,
    entry: () => ({ action: 'hub.restored' }),
    write: (change) => deps.store.hubs.restore(change),
  });
}
