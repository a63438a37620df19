import { type AuditAction, type ChangeHubBody, type CreateHubBody, type Hub, perKind } from '@hub/contract';
import { normalizeName } from '@hub/contract/normalize-name';
import { auditRecord, type Caller, changeAs, recordAction } from '../../access/caller.ts';
import type { Deps } from '../../access/deps.ts';
import { requireAdmin } from '../../access/user-rights.ts';
import { AppError } from '../../platform/errors.ts';
import type { HubChanges, HubListing, HubRecord } from '../../storage/hubs.ts';
import type { Repositories } from '../../storage/repositories.ts';
import { findHub } from './hub-rights.ts';
import { hubForCaller } from './show-hubs.ts';

/** Creates a Hub, and adds the caller as a member. */
export async function createHub(deps: Deps, caller: Caller, input: CreateHubBody): Promise<Hub> {
  const hub = { ...newHubRecord(deps, input.name), topic: input.topic?.trim() || null };
  await changeAs(deps, caller, async (tx, current) => {
    requireAdmin(current);
    await insertHub(tx, deps, { hub, caller: current, memberId: current.user?.id ?? null });
  });
  return hubForCaller(deps, caller, { ...hub, seq: 0 });
}

/** Returns the record of a new Hub, with the ids of its conversation and its two buckets. */
export function newHubRecord({ clock, newId }: Pick<Deps, 'clock' | 'newId'>, name: string): HubRecord {
  return {
    id: newId('hub'),
    name: name.trim(),
    normalizedName: normalizeName(name),
    topic: null,
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
  await requireFreeName(tx, hub, 'Choose another name.');
  await tx.hubs.insert(hub);
  if (memberId !== null) {
    const none = perKind(() => 0);
    const marks = { readSeqs: none, readGlobalSeqs: none, readVersion: 0 };
    await tx.memberships.insert({ hubId, userId: memberId, joinedAt, ...marks });
  }
  await recordAction(tx, deps, caller, { action: 'hub.created', hubId, target: { id: hubId, name } });
}

/** Throws `conflict` if another live Hub has this name. `remedy` says what to do. */
async function requireFreeName(
  tx: Pick<Repositories, 'hubs'>,
  { id, normalizedName }: HubRecord,
  remedy: string,
): Promise<void> {
  const other = await tx.hubs.findByName(normalizedName);
  if (!other || other.id === id) return;
  throw new AppError('conflict', `There is already a Hub named “${other.name}”. ${remedy}`);
}

interface HubChange {
  changes: HubChanges;
  event: 'hub.changed' | 'hub.deleted' | 'hub.restored';
  action: AuditAction;
  details?: Record<string, unknown>;
}

/** Changes a Hub's name, topic or retention. Its keys stay as they are. */
export function changeHub(deps: Deps, caller: Caller, hubId: string, input: ChangeHubBody): Promise<Hub> {
  return writeChange(deps, caller, hubId, (hub) => {
    const { name = hub.name, retentionDays = hub.retentionDays } = { ...input, name: input.name?.trim() };
    const topic = input.topic === undefined ? hub.topic : input.topic?.trim() || null;
    const isRenamed = name !== hub.name;
    const hasNewRetention = retentionDays !== hub.retentionDays;
    if (!isRenamed && !hasNewRetention && topic === hub.topic) return null;
    const details = {
      ...(isRenamed ? { from: hub.name, to: name } : {}),
      ...(topic === hub.topic ? {} : { topic, formerTopic: hub.topic }),
      ...(hasNewRetention ? { retentionDays, formerRetentionDays: hub.retentionDays } : {}),
    };
    const action = isRenamed ? 'hub.renamed' : 'hub.changed';
    return {
      changes: { name, normalizedName: normalizeName(name), topic, retentionDays },
      event: 'hub.changed',
      action,
      details,
    };
  });
}

/** Deletes a Hub: its keys get 404 from the response on. Nothing is erased, so that it can be restored. */
export function deleteHub(deps: Deps, caller: Caller, hubId: string): Promise<Hub> {
  return writeChange(deps, caller, hubId, ({ deletedAt }, at) =>
    deletedAt === null ? { changes: { deletedAt: at }, event: 'hub.deleted', action: 'hub.deleted' } : null,
  );
}

/** Restores a deleted Hub with its items and keys. A live Hub stays as it is. */
export function restoreHub(deps: Deps, caller: Caller, hubId: string): Promise<Hub> {
  return writeChange(deps, caller, hubId, ({ deletedAt }) =>
    deletedAt === null ? null : { changes: { deletedAt: null }, event: 'hub.restored', action: 'hub.restored' },
  );
}

/** Writes the change that `changeOf` returns, or none for `null`, and returns the Hub for the caller. */
async function writeChange(
  deps: Deps,
  caller: Caller,
  hubId: string,
  changeOf: (hub: HubListing, at: number) => HubChange | null,
): Promise<Hub> {
  const changed = await changeAs(deps, caller, async (tx, current) => {
    requireAdmin(current);
    const hub = await findHub(tx, hubId);
    const at = deps.clock.now();
    const change = changeOf(hub, at);
    if (!change) return hub;
    const { event, changes, ...entry } = change;
    const next = { ...hub, ...changes };
    if (next.deletedAt === null) {
      const isRestored = event === 'hub.restored';
      const remedy = isRestored ? 'Rename that Hub, then restore this one.' : 'Choose another name.';
      await requireFreeName(tx, next, remedy);
    }
    await tx.hubs.update(hub.id, changes);
    const { name, topic, retentionDays } = next;
    const data = event === 'hub.changed' ? { name, topic, retentionDays } : { name };
    const { seq } = (await tx.events.append({ hubId: hub.id, at, event, itemId: null, data })) ?? hub;
    const audit = auditRecord(deps, current, { ...entry, hubId: hub.id, target: hub });
    await tx.audit.insert({ ...audit, at });
    return { ...next, seq };
  });
  return hubForCaller(deps, caller, changed);
}
