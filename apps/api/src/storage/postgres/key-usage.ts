import { and, desc, eq, gte, sql } from 'drizzle-orm';
import { dayOf } from '../../core/time.ts';
import type { KeyAddressRecord, KeyDayRecord, KeyUsageTally } from '../key-store.ts';
import type { Connection } from './engine/database.ts';
import { build, statement } from './engine/statements.ts';
import { apiKeys } from './tables/api-keys.table.ts';
import { keyAddresses, keyDays } from './tables/item-details.table.ts';

/**
 * Maximum number of addresses per key: enough to see which clients have moved to the key's successor. Ever-changing
 * addresses must not fill the disk.
 */
const MAX_ADDRESSES = 20;

const listDays = statement(
  build
    .select({
      keyId: keyDays.keyId,
      day: keyDays.day,
      requests: keyDays.requests,
      posts: keyDays.posts,
      blocks: keyDays.blocks,
    })
    .from(keyDays)
    .where(
      and(
        sql`${keyDays.keyId} = any(${sql.placeholder('keyIds')}::text[])`,
        gte(keyDays.day, sql.placeholder('fromDay')),
      ),
    )
    .orderBy(keyDays.day),
);
const listAddresses = statement(
  build
    .select({
      address: keyAddresses.address,
      lastUsedAt: keyAddresses.lastUsedAt,
      requests: keyAddresses.requests,
    })
    .from(keyAddresses)
    .where(eq(keyAddresses.keyId, sql.placeholder('keyId')))
    .orderBy(desc(keyAddresses.lastUsedAt)),
);

export function keyUsageReads(on: Connection) {
  return {
    usageByDay: async (keyIds: readonly string[], fromDay: number): Promise<Map<string, KeyDayRecord[]>> => {
      const rows = await on.all(listDays, { keyIds: [...keyIds], fromDay });
      const byKey = Map.groupBy(rows, ({ keyId }) => keyId);
      // In the order of the request.
      return new Map(
        keyIds.flatMap((id) => {
          const days = byKey.get(id)?.map(({ keyId: _, ...day }) => day);
          return days ? [[id, days] as const] : [];
        }),
      );
    },
    addresses: (keyId: string): Promise<KeyAddressRecord[]> => on.all(listAddresses, { keyId }),
  };
}

const addRequests = statement(
  build
    .update(apiKeys)
    .set({
      requestCount: sql`${apiKeys.requestCount} + ${sql.placeholder('requestCount')}::bigint`,
      lastUsedAt: sql`${sql.placeholder('lastUsedAt')}::bigint`,
      lastUsedAddress: sql`${sql.placeholder('lastUsedAddress')}::text`,
    })
    .where(eq(apiKeys.id, sql.placeholder('id'))),
);
const addToDay = statement(
  build
    .insert(keyDays)
    .values({
      keyId: sql.placeholder('id'),
      day: sql.placeholder('day'),
      requests: sql.placeholder('requests'),
      blocks: sql.placeholder('blocks'),
    })
    .onConflictDoUpdate({
      target: [keyDays.keyId, keyDays.day],
      set: { requests: sql`${keyDays.requests} + excluded.requests`, blocks: sql`${keyDays.blocks} + excluded.blocks` },
    }),
);
const addAddress = statement(
  build
    .insert(keyAddresses)
    .values({
      keyId: sql.placeholder('keyId'),
      address: sql.placeholder('address'),
      lastUsedAt: sql.placeholder('lastUsedAt'),
      requests: sql.placeholder('requests'),
    })
    .onConflictDoUpdate({
      target: [keyAddresses.keyId, keyAddresses.address],
      set: {
        lastUsedAt: sql`greatest(${keyAddresses.lastUsedAt}, excluded.last_used_at)`,
        requests: sql`${keyAddresses.requests} + excluded.requests`,
      },
    }),
);
const dropAddresses = statement(
  build.delete(keyAddresses).where(
    sql`${keyAddresses.keyId} = ${sql.placeholder('keyId')} and ${keyAddresses.address} in (
      select address from key_addresses where key_id = ${sql.placeholder('keyId')} order by last_used_at desc
        offset ${sql.raw(String(MAX_ADDRESSES))})`,
  ),
);

export function keyUsageChanges(on: Connection) {
  return {
    countBlock: async (keyId: string, at: number): Promise<void> => {
      await on.run(addToDay, { id: keyId, day: dayOf(at), requests: 0, blocks: 1 });
    },
    /** Posts are counted with each post, so only requests are left. The order of the keys rules out deadlocks. */
    addUsage: async (tallies: ReadonlyMap<string, KeyUsageTally>): Promise<void> => {
      const inOrder = [...tallies].toSorted(([one], [other]) => (one < other ? -1 : 1));
      for (const [id, { requestCount, lastUsedAt, lastUsedAddress, addresses }] of inOrder) {
        await on.run(addRequests, { id, requestCount, lastUsedAt, lastUsedAddress });
        await on.run(addToDay, { id, day: dayOf(lastUsedAt), requests: requestCount, blocks: 0 });
        for (const each of addresses) await on.run(addAddress, { keyId: id, ...each });
        if (addresses.length > 0) await on.run(dropAddresses, { keyId: id });
      }
    },
  };
}
