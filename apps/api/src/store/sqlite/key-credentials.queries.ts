import type { Scope } from '@hub/contract';
import { eq, gt, sql } from 'drizzle-orm';
import type { KeyCredential, NotedBlock } from '../store.ts';
import type { Db } from './database.ts';
import { apiKeys } from './tables/api-keys.table.ts';
import { hubs } from './tables/hubs.table.ts';

export const splitScopes = (scopes: string): Scope[] => scopes.split(' ') as Scope[];

/** What the gate needs of keys. */
export function credentialReads(db: Db) {
  const find = db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      hubId: apiKeys.hubId,
      scopes: apiKeys.scopes,
      expiresAt: apiKeys.expiresAt,
      overlapEndsAt: apiKeys.overlapEndsAt,
      revokedAt: apiKeys.revokedAt,
      hubDeletedAt: hubs.deletedAt,
    })
    .from(apiKeys)
    .innerJoin(hubs, eq(hubs.id, apiKeys.hubId))
    .where(eq(apiKeys.tokenHash, sql.placeholder('tokenHash')))
    .prepare();
  const listBlocked = db
    .select({
      keyId: apiKeys.id,
      // Both are set in every row that the condition lets through.
      until: sql<number>`${apiKeys.blockedUntil}`,
      notedAt: sql<number>`${apiKeys.blockNotedAt}`,
    })
    .from(apiKeys)
    .where(gt(apiKeys.blockedUntil, sql.placeholder('now')))
    .prepare();

  return {
    findByTokenHash: (tokenHash: Uint8Array): KeyCredential | null => {
      const row = find.get({ tokenHash });
      return row ? { ...row, scopes: splitScopes(row.scopes) } : null;
    },
    listBlocked: (now: number): NotedBlock[] => listBlocked.all({ now }),
  };
}
