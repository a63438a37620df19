import type { AuditEntry } from '@hub/contract';
import type { Deps } from '../deps.ts';
import { findHub } from '../hubs/find-hub.ts';
import type { Page } from '../paging.ts';
import type { AuditFilter } from '../store/audit-store.ts';
import type { PageRequest } from '../store/store.ts';
import { isoTime } from '../time.ts';

/**
 * A page of the audit log, newest first. With filters it may hold fewer entries than asked for, or none, though older ones
 * follow behind `next`: so one request reads a bounded part of a log that only grows.
 */
export async function listAuditEntries(
  { store }: Pick<Deps, 'store'>,
  query: PageRequest & AuditFilter,
): Promise<Page<AuditEntry>> {
  // What is told of a Hub stays when it is deleted. An id that no Hub has is a mistake.
  if (query.hubId !== undefined) await findHub({ store }, query.hubId);
  const { entries, next } = await store.audit.search(query);
  return { items: entries.map((entry) => ({ ...entry, at: isoTime(entry.at) })), next };
}
