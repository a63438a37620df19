import type { Hub } from '@hub/contract';
import { auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import type { AuditAction, AuditRecord } from '../store/audit-store.ts';
import type { HubListing } from '../store/store.ts';
import { findHub } from './find-hub.ts';
import { hubForCaller } from './hub-for-caller.ts';

interface HubChangeStep {
  hubId: string;
  /** What the audit log says of it. */
  entry: (hub: HubListing) => { action: AuditAction; details?: Record<string, unknown> };
  write: (change: { hubId: string; audit: AuditRecord }) => Promise<HubListing | null>;
}

/** What changing, deleting and restoring share: look, write with the audit entry, show. */
export async function writeHubChange(deps: Deps, caller: Caller, step: HubChangeStep): Promise<Hub> {
  const hub = await findHub(deps, step.hubId);
  const audit = auditRecord(deps, caller, {
    ...step.entry(hub),
    hubId: hub.id,
    targetId: hub.id,
    targetName: hub.name,
  });
  const changed = await step.write({ hubId: hub.id, audit });
  if (!changed) throw new AppError('not_found', `There is no Hub ${hub.id}.`);
  return hubForCaller(deps, caller, changed);
}
