import type { Scope } from '@hub/contract';
import { eq, isNotNull, sql } from 'drizzle-orm';
import type { SavedBlock } from '../key-blocks.ts';
import type { KeyCredential } from '../store.ts';
import type { Db } from './engine/database.ts';
import { apiKeys } from './tables/api-keys.table.ts';
import { hubs } from './tables/hubs.table.ts';

export const splitScopes = (scopes: string): Scope[] => scopes.split(' ') as Scope[];

/** Reads what authentication needs to know about keys. */
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
      // Both columns are set in every row that matches the condition.
      until: sql<number>`${apiKeys.blockedUntil}`,
      savedAt: sql<number>`${apiKeys.blockNotedAt}`,
      sinceBootMs: apiKeys.blockNotedSinceBootMs,
      boot: apiKeys.blockNotedBoot,
    })
    .from(apiKeys)
    .where(isNotNull(apiKeys.blockedUntil))
    .prepare();

  return {
    findByTokenHash: (tokenHash: Uint8Array): KeyCredential | null => {
      const row = find.get({ tokenHash });
      return row ? { ...row, scopes: splitScopes(row.scopes) } : null;
    },
    listBlocked: (): SavedBlock[] =>
      listBlocked.all().map(({ sinceBootMs: ms, boot, ...block }) => ({
        ...block,
        sinceBoot: ms === null || boot === null ? null : { boot, ms },
      })),
  };
}
