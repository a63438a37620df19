import type { Hub } from '@hub/contract';
import { auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import type { AuditAction, AuditRecord } from '../storage/audit-store.ts';
import type { HubListing } from '../storage/store.ts';
import { findHub } from './find-hub.ts';
import { hubForCaller } from './hub-for-caller.ts';

interface HubChangeStep {
  hubId: string;
  /** Returns the action and details for the audit log. */
  entry: (hub: HubListing) => { action: AuditAction; details?: Record<string, unknown> };
  write: (change: { hubId: string; audit: AuditRecord }) => Promise<HubListing | null>;
}

/** Finds the Hub, writes the change with its audit entry, and returns the Hub for the caller. */
export async function writeHubChange(deps: Deps, caller: Caller, step: HubChangeStep): Promise<Hub> {
  const hub = await findHub(deps.store, step.hubId);
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
