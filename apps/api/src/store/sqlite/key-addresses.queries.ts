import { and, eq, sql } from 'drizzle-orm';
import type { KeyAddressRecord } from '../key-use.ts';
import type { Db } from './database.ts';
import { keyAddresses } from './tables/item-details.table.ts';

/** Of each key: enough to see who has moved to its successor; who comes from ever new addresses must not fill the disk. */
const MAX_ADDRESSES = 20;

export function keyAddressReads(db: Db) {
  const list = db
    .select({
      address: keyAddresses.address,
      lastUsedAt: keyAddresses.lastUsedAt,
      requests: keyAddresses.requests,
    })
    .from(keyAddresses)
    .where(eq(keyAddresses.keyId, sql.placeholder('keyId')))
    .prepare();
  return (keyId: string): KeyAddressRecord[] =>
    list.all({ keyId }).sort((one, other) => other.lastUsedAt - one.lastUsedAt);
}

/** Inside a transaction of the writer: adds to what is known of a key, and forgets what was seen longest ago. */
export function keyAddressWrites(db: Db) {
  const read = keyAddressReads(db);
  const add = db
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
        lastUsedAt: sql`excluded.last_used_at`,
        requests: sql`${keyAddresses.requests} + excluded.requests`,
      },
    })
    .prepare();
  const forget = db
    .delete(keyAddresses)
    .where(and(eq(keyAddresses.keyId, sql.placeholder('keyId')), eq(keyAddresses.address, sql.placeholder('address'))))
    .prepare();
  return (keyId: string, addresses: readonly KeyAddressRecord[]): void => {
    for (const each of addresses) add.run({ keyId, ...each });
    for (const { address } of read(keyId).slice(MAX_ADDRESSES)) forget.run({ keyId, address });
  };
}
