import type { Hub } from '@hub/contract';
import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { changeHub } from './change-hub.ts';

export function renameHub(deps: Deps, caller: Caller, hubId: string, input: { name: string }): Promise<Hub> {
  return changeHub(deps, caller, {
    hubId,
    action: 'hub.renamed',
    details: (hub) => ({ from: hub.name, to: input.name }),
    write: (change) => deps.store.hubs.rename({ ...change, name: input.name }),
  });
}
