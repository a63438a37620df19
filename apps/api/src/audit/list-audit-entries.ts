import type { AuditEntry } from '@hub/contract';
import type { Deps } from '../context/deps.ts';
import type { Page, PageRequest } from '../core/paging.ts';
import { isoTime } from '../core/time.ts';
import { findHub } from '../hubs/hub-rights.ts';
import type { AuditFilter } from '../storage/audit-store.ts';

/**
 * Returns a page of the audit log, newest first. With filters, a page can have fewer entries than requested, or none,
 * even though older matches follow after `next`: each request reads only a bounded part of a growing log.
 */
export async function listAuditEntries(
  { store }: Pick<Deps, 'store'>,
  query: PageRequest & AuditFilter,
): Promise<Page<AuditEntry>> {
  // Entries outlive their Hub, so the Hub may be deleted. An unknown id is a mistake.
  if (query.hubId !== undefined) await findHub(store, query.hubId);
  const { entries, next } = await store.audit.search(query);
  return { items: entries.map((entry) => ({ ...entry, at: isoTime(entry.at) })), next };
}
