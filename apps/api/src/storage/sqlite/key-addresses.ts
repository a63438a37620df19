import { and, eq, sql } from 'drizzle-orm';
import type { KeyAddressRecord } from '../key-store.ts';
import { keyAddresses } from '../schema/item-details.table.ts';
import type { Db } from './engine/database.ts';
import { boundStatement, prepared } from './engine/statements.ts';

/**
 * Maximum number of addresses per key: enough to see which clients have moved to the key's successor. Ever-changing
 * addresses must not fill the disk.
 */
const MAX_ADDRESSES = 20;

export function keyAddressReads(db: Db) {
  const list = prepared(db, () =>
    db
      .select({
        address: keyAddresses.address,
        lastUsedAt: keyAddresses.lastUsedAt,
        requests: keyAddresses.requests,
      })
      .from(keyAddresses)
      .where(eq(keyAddresses.keyId, sql.placeholder('keyId'))),
  );
  return (keyId: string): KeyAddressRecord[] =>
    list.all({ keyId }).sort((one, other) => other.lastUsedAt - one.lastUsedAt);
}

/** Runs inside a writer transaction: adds uses to the addresses of a key, and deletes the least recently used ones. */
export function keyAddressWrites(db: Db) {
  const read = keyAddressReads(db);
  const isOfKey = and(
    eq(keyAddresses.keyId, sql.placeholder('keyId')),
    eq(keyAddresses.address, sql.placeholder('address')),
  );
  const update = boundStatement(db, () =>
    db
      .update(keyAddresses)
      .set({
        lastUsedAt: sql`${sql.placeholder('lastUsedAt')}`,
        requests: sql`${keyAddresses.requests} + ${sql.placeholder('requests')}`,
      })
      .where(isOfKey),
  );
  const insert = boundStatement(db, () =>
    db.insert(keyAddresses).values({
      keyId: sql.placeholder('keyId'),
      address: sql.placeholder('address'),
      lastUsedAt: sql.placeholder('lastUsedAt'),
      requests: sql.placeholder('requests'),
    }),
  );
  const remove = boundStatement(db, () => db.delete(keyAddresses).where(isOfKey));
  return (keyId: string, addresses: readonly KeyAddressRecord[]): void => {
    let isAnyNew = false;
    for (const each of addresses) {
      // Nearly always, the key has been used from this address before.
      if (update.run({ keyId, ...each }) > 0) continue;
      insert.run({ keyId, ...each });
      isAnyNew = true;
    }
    if (!isAnyNew) return;
    for (const { address } of read(keyId).slice(MAX_ADDRESSES)) remove.run({ keyId, address });
  };
}
