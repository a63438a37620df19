import type { AuditEntry } from '@hub/contract';
import type { Deps } from '../deps.ts';
import { type Page, pageOf } from '../paging.ts';
import type { PageRequest } from '../store/store.ts';
import { isoTime } from '../time.ts';

/** A page of the audit log, newest first. */
export async function listAuditEntries(
  { store }: Pick<Deps, 'store'>,
  { limit, before, hubId }: PageRequest & { hubId?: string | undefined },
): Promise<Page<AuditEntry>> {
  const entries = await store.audit.list({ limit: limit + 1, before, hubId });
  return pageOf(
    entries.map((entry) => ({ ...entry, at: isoTime(entry.at) })),
    limit,
  );
}
