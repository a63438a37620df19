import type { Hub } from '@hub/contract';
import { auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import type { AuditAction, AuditRecord, HubListing } from '../store/store.ts';
import { findHub } from './find-hub.ts';
import { hubView } from './hub-view.ts';

interface HubChangeStep {
  hubId: string;
  action: AuditAction;
  details?: (hub: HubListing) => Record<string, unknown>;
  write: (change: { hubId: string; audit: AuditRecord }) => Promise<HubListing | null>;
}

/** What renaming, deleting and restoring share: look, write with the audit entry, show. */
export async function writeHubChange(deps: Deps, caller: Caller, step: HubChangeStep): Promise<Hub> {
  const hub = await findHub(deps, step.hubId);
  const audit = auditRecord(deps, caller, {
    action: step.action,
    hubId: hub.id,
    targetId: hub.id,
    targetName: hub.name,
    details: step.details?.(hub) ?? {},
  });
  const changed = await step.write({ hubId: hub.id, audit });
  if (!changed) throw new Refusal('not_found', `There is no Hub ${hub.id}.`);
  return hubView(changed);
}
