import type { ChangeHubBody, Hub } from '@hub/contract';
import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { writeHubChange } from './write-hub-change.ts';

/** A new name, or how long its items are kept. Its keys stay as they are. */
export function changeHub(deps: Deps, caller: Caller, hubId: string, input: ChangeHubBody): Promise<Hub> {
  const changes = { ...input, ...(input.name === undefined ? {} : { name: input.name.trim() }) };
  return writeHubChange(deps, caller, {
    hubId,
    action: changes.name === undefined ? 'hub.changed' : 'hub.renamed',
    details: (hub) => ({
      ...(changes.name === undefined ? {} : { from: hub.name, to: changes.name }),
      ...(changes.retentionDays === undefined ? {} : { retentionDays: changes.retentionDays }),
    }),
    write: (change) => deps.store.hubs.change({ ...change, ...changes }),
  });
}
