import type { ChangeHubBody, Hub } from '@hub/contract';
import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import type { HubListing } from '../storage/store.ts';
import { writeHubChange } from './write-hub-change.ts';

/** Changes a Hub's name or retention. Its keys stay as they are. */
export function changeHub(deps: Deps, caller: Caller, hubId: string, input: ChangeHubBody): Promise<Hub> {
  const changes = { ...input, ...(input.name === undefined ? {} : { name: input.name.trim() }) };
  return writeHubChange(deps, caller, {
    hubId,
    entry: (hub) => entryOf(hub, changes),
    write: (change) => deps.store.hubs.change({ ...change, ...changes }),
  });
}

function entryOf(hub: HubListing, { name = hub.name, retentionDays = hub.retentionDays }: ChangeHubBody) {
  const isRenamed = name !== hub.name;
  const hasNewRetention = retentionDays !== hub.retentionDays;
  return {
    action: isRenamed ? ('hub.renamed' as const) : ('hub.changed' as const),
    details: {
      ...(isRenamed ? { from: hub.name, to: name } : {}),
      ...(hasNewRetention ? { retentionDays, formerRetentionDays: hub.retentionDays } : {}),
    },
  };
}
