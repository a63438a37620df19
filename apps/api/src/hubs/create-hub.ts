import type { Hub } from '@hub/contract';
import { auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { hubView } from './hub-view.ts';

/** A new Hub with its conversation and its two buckets. Names need not be unique: the id is what counts. */
export async function createHub(deps: Deps, caller: Caller, input: { name: string }): Promise<Hub> {
  const { clock, newId, store } = deps;
  const hub = {
    id: newId('hub'),
    name: input.name.trim(),
    conversationId: newId('cnv'),
    notesBucketId: newId('bkt'),
    todosBucketId: newId('bkt'),
    createdAt: clock.now(),
    deletedAt: null,
    retentionDays: null,
  };
  const audit = auditRecord(deps, caller, {
    action: 'hub.created',
    hubId: hub.id,
    targetId: hub.id,
    targetName: hub.name,
  });
  return hubView(await store.hubs.create(hub, audit, caller.person?.id ?? null));
}
