import { eq, lte, or } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { Connection, RowOf } from './engine/connection.ts';
import { columnsWithout, given, select } from './engine/query.ts';
import { deleteFrom, insertInto, updatesOf } from './engine/write.ts';
import { bytes } from './schema/column-types.ts';
import { users } from './schema/users.table.ts';

/** Logins of programs that wait for a user to confirm them (RFC 8628). A row is deleted when its token is issued. */
export const deviceLogins = sqliteTable(
  'device_logins',
  {
    id: text().primaryKey(),
    deviceCodeHash: bytes().notNull(),
    userCodeHash: bytes().notNull(),
    name: text().notNull(),
    address: text().notNull(),
    createdAt: integer().notNull(),
    expiresAt: integer().notNull(),
    intervalSeconds: integer().notNull(),
    polledAt: integer(),
    decision: text({ enum: ['approved', 'denied'] }),
    /** The user who has decided. */
    userId: text().references(() => users.id),
  },
  (login) => [
    uniqueIndex('device_logins_by_device_code').on(login.deviceCodeHash),
    uniqueIndex('device_logins_by_user_code').on(login.userCodeHash),
    index('device_logins_by_user').on(login.userId),
    index('device_logins_by_expiry').on(login.expiresAt),
  ],
);

const isOfId = eq(deviceLogins.id, given('id'));
const hasHash = or(eq(deviceLogins.deviceCodeHash, given('hash')), eq(deviceLogins.userCodeHash, given('hash')));
const findByHash = select(columnsWithout(deviceLogins, 'deviceCodeHash', 'userCodeHash'), deviceLogins, hasHash);

export type DeviceLoginRecord = RowOf<typeof findByHash>;
type DeviceLoginChanges = Partial<Pick<DeviceLoginRecord, 'polledAt' | 'intervalSeconds' | 'decision' | 'userId'>>;

export function deviceLoginReads(on: Connection) {
  return {
    /** Finds the login with this device code or user code. In a transaction, it is locked: it is used once. */
    findDeviceLogin: async (hash: Uint8Array) => (await on.lock(findByHash, { hash })) ?? null,
  };
}

const insert = insertInto(deviceLogins);
const updates = updatesOf(deviceLogins, isOfId);
const deletions = {
  one: deleteFrom(deviceLogins, isOfId),
  expired: deleteFrom(deviceLogins, lte(deviceLogins.expiresAt, given('now'))),
};

export function deviceLoginChanges(on: Connection) {
  return {
    insert: async (login: DeviceLoginRecord, hashes: { deviceCodeHash: Uint8Array; userCodeHash: Uint8Array }) =>
      on.run(insert, { ...login, ...hashes }),
    update: async (id: string, changes: DeviceLoginChanges) => on.run(updates(changes), { id, ...changes }),
    delete: async (id: string) => on.run(deletions.one, { id }),
    deleteExpired: async (now: number) => on.run(deletions.expired, { now }),
  };
}
