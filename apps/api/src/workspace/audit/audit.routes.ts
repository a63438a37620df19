import type { AuditAction } from '@hub/contract';
import type { Deps } from '../../access/deps.ts';
import { serve } from '../../http/operations/serve.ts';
import type { PageRequest } from '../../platform/paging.ts';
import { instantOf, isoTime } from '../../platform/time.ts';
import type { AuditFilter } from '../../storage/audit.ts';
import { findHub } from '../hubs/hub-rights.ts';

export function auditRoutes(deps: Deps) {
  return serve({
    'GET /audit': ({ query: { action, from, to, ...query } }) =>
      listAuditEntries(deps, { ...query, action: action as AuditAction, from: instantOf(from), to: instantOf(to) }),
  });
}

/** Returns a page of the audit log, newest first. It reads a bounded part, so a filtered page can be short or empty. */
async function listAuditEntries({ store }: Deps, query: PageRequest & AuditFilter) {
  // Entries outlive their Hub, so the Hub may be deleted. An unknown id is a mistake.
  if (query.hubId !== undefined) await findHub(store, query.hubId);
  const { entries, next } = await store.audit.search(query);
  return { items: entries.map((entry) => ({ ...entry, at: isoTime(entry.at) })), next };
}
