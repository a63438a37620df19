import type { Hub } from '@hub/contract';
import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { changeHub } from './change-hub.ts';

export function renameHub(deps: Deps, caller: Caller, hubId: string, input: { name: string }): Promise<Hub> {
  const name = input.name.trim();
  return changeHub(deps, caller, {
    hubId,
    action: 'hub.renamed',
    details: (hub) => ({ from: hub.name, to: name }),
    write: (change) => deps.store.hubs.rename({ ...change, name }),
  });
}
