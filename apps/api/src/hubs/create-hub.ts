import type { Hub } from '@hub/contract';
import { auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { hubForCaller } from './hub-for-caller.ts';
import { newHubRecord } from './new-hub-record.ts';

/**
 * Creates a Hub with its conversation and its two buckets, and adds the caller as a member. Names need not be unique:
 * the id identifies a Hub.
 */
export async function createHub(deps: Deps, caller: Caller, input: { name: string }): Promise<Hub> {
  const hub = newHubRecord(deps, input.name);
  const audit = auditRecord(deps, caller, {
    action: 'hub.created',
    hubId: hub.id,
    targetId: hub.id,
    targetName: hub.name,
  });
  const created = await deps.store.hubs.create(hub, audit, caller.user?.id ?? null);
  return hubForCaller(deps, caller, created);
}
