import type { Actor, AuditAction } from '@hub/contract';
import type { PageRequest } from '../core/paging.ts';

export interface AuditRecord {
  id: string;
  at: number;
  actor: Actor;
  address: string | null;
  action: AuditAction;
  hubId: string | null;
  targetId: string | null;
  targetName: string | null;
  details: Record<string, unknown>;
}

export interface AuditFilter {
  hubId?: string | undefined;
  /** The object of the action, such as a key. */
  targetId?: string | undefined;
  actorKind?: Actor['kind'] | undefined;
  actorId?: string | undefined;
  action?: AuditAction | undefined;
  /** Milliseconds since 1970, inclusive. */
  from?: number | undefined;
  /** Milliseconds since 1970, exclusive. */
  to?: number | undefined;
}

export interface AuditReads {
  /**
   * Lists entries, newest first. Some filters have no index, so only a limited number of entries is examined: a page
   * can hold fewer than `limit` entries, or none, even if more follow after `next`.
   */
  search(page: PageRequest & AuditFilter): Promise<{ entries: AuditRecord[]; next: string | null }>;
}

export interface AuditRepository {
  insert(entry: AuditRecord): Promise<void>;
}
