import { type Hub, perKind } from '@hub/contract';
import { auditRecord, type Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { requireAdmin } from '../context/user-rights.ts';
import { changeAs } from '../credentials/authenticate-user.ts';
import type { HubRecord } from '../storage/hub-store.ts';
import type { Repositories } from '../storage/repositories.ts';
import { hubForCaller } from './hub-view.ts';

/** Creates a Hub, and adds the caller as a member. Names need not be unique: the id identifies a Hub. */
export async function createHub(deps: Deps, sender: Caller, input: { name: string }): Promise<Hub> {
  const hub = newHubRecord(deps, input.name);
  await changeAs(deps, sender, async (tx, caller) => {
    requireAdmin(caller);
    await insertHub(tx, deps, { hub, caller, memberId: caller.user?.id ?? null });
  });
  return hubForCaller(deps, sender, { ...hub, seq: 0 });
}

/** Returns the record of a new Hub, with the ids of its conversation and its two buckets. */
export function newHubRecord({ clock, newId }: Pick<Deps, 'clock' | 'newId'>, name: string): HubRecord {
  return {
    id: newId('hub'),
    name: name.trim(),
    conversationId: newId('cnv'),
    notesBucketId: newId('bkt'),
    todosBucketId: newId('bkt'),
    createdAt: clock.now(),
    deletedAt: null,
    retentionDays: null,
  };
}

interface HubCreation {
  hub: HubRecord;
  caller: Pick<Caller, 'actor' | 'address'>;
  /** The user who creates the Hub, and is a member from the start. */
  memberId: string | null;
}

/** Writes a new Hub with its first member. */
export async function insertHub(
  tx: Repositories,
  deps: Pick<Deps, 'clock' | 'newId'>,
  { hub, caller, memberId }: HubCreation,
): Promise<void> {
  const { id: hubId, name, createdAt: joinedAt } = hub;
  await tx.hubs.insert(hub);
  if (memberId !== null) {
    const none = perKind(() => 0);
    await tx.memberships.insert({ hubId, personId: memberId, joinedAt, readSeqs: none, readRanks: none });
  }
  await tx.audit.insert(auditRecord(deps, caller, { action: 'hub.created', hubId, targetId: hubId, targetName: name }));
}
