import { and, count, eq, getTableColumns, lt, sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { CommitReportBuilder } from './commit-report.ts';
import type { Connection, RowOf } from './engine/connection.ts';
import { given, select } from './engine/query.ts';
import { deleteFrom, insertInto, rawWrite, update, updatesOf } from './engine/write.ts';
import { bytes, idOf } from './schema/column-types.ts';
import { users } from './schema/users.table.ts';
import { workspace } from './schema/workspace.table.ts';

export const factors = sqliteTable(
  'factors',
  {
    id: text().primaryKey(),
    userId: idOf(() => users.id),
    kind: text({ enum: ['totp', 'passkey'] }).notNull(),
    name: text().notNull(),
    createdAt: integer().notNull(),
    lastUsedAt: integer(),
    /** The secret of an authenticator app, or the public key of a passkey. */
    key: bytes().notNull(),
    /** How an authenticator names a passkey; null for an app. */
    credentialId: text(),
    /** The last time step of an app, or the signature counter of a passkey. Neither goes back. */
    counter: integer().notNull(),
  },
  (factor) => [
    index('factors_by_user').on(factor.userId, factor.id),
    uniqueIndex('factors_by_credential').on(factor.credentialId),
  ],
);

/** SHA-256 of the recovery codes that were not used. */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  { userId: idOf(() => users.id), hash: bytes().notNull() },
  (code) => [primaryKey({ columns: [code.userId, code.hash] })],
);

/** The challenges of passkeys that were used, for as long as they would hold. */
export const usedChallenges = sqliteTable(
  'used_challenges',
  { challenge: text().primaryKey(), usedAt: integer().notNull() },
  (used) => [index('used_challenges_by_time').on(used.usedAt)],
);

const ofUser = eq(factors.userId, given('userId'));
const isOne = sql`${ofUser} and ${factors.id} = ${given('id')}`;
const columns = getTableColumns(factors);
const list = select(columns, factors, ofUser, { orderBy: factors.id });
const findByCredential = select(columns, factors, eq(factors.credentialId, given('credentialId')));
const countCodes = select({ count: count() }, recoveryCodes, eq(recoveryCodes.userId, given('userId')));
const listApps = select({ id: factors.id, key: factors.key }, factors, eq(factors.kind, 'totp'));
const findSecret = select({ secret: workspace.secret }, workspace);

export type FactorRecord = RowOf<typeof list>;

export function factorReads(on: Connection) {
  return {
    list: async (userId: string) => on.all(list, { userId }),
    findByCredential: async (credentialId: string) => (await on.first(findByCredential, { credentialId })) ?? null,
    countRecoveryCodes: async (userId: string) => (await on.first(countCodes, { userId }))?.count ?? 0,
    /** The authenticator apps of all users. */
    listApps: async () => on.all(listApps, {}),
    /** The secret that marks the challenges of this workspace; `null` before the first one. */
    challengeSecret: async () => (await on.first(findSecret))?.secret ?? null,
  };
}

const insert = insertInto(factors);
const renames = updatesOf(factors, isOne);
const remove = deleteFrom(factors, isOne);
const removeAll = deleteFrom(factors, ofUser);
/** A step of an app counts once. Passkeys that do not count stay at 0. */
const use = update(
  factors,
  { counter: sql`${given('counter')}`, lastUsedAt: sql`${given('at')}` },
  sql`${factors.id} = ${given('id')} and (${factors.counter} < ${given('counter')} or
    (${factors.kind} = 'passkey' and ${factors.counter} = 0 and ${given('counter')} = 0))`,
);
const insertCode = insertInto(recoveryCodes);
const useCode = deleteFrom(
  recoveryCodes,
  and(eq(recoveryCodes.userId, given('userId')), eq(recoveryCodes.hash, given('hash'))),
);
const removeCodes = deleteFrom(recoveryCodes, eq(recoveryCodes.userId, given('userId')));
const useChallenge = insertInto(usedChallenges, { key: ['challenge'] });
const forgetChallenges = deleteFrom(usedChallenges, lt(usedChallenges.usedAt, given('before')));
const setKey = update(factors, { key: sql`${given('key')}` }, eq(factors.id, given('id')));
const setSecret = update(workspace, { secret: sql`${given('secret')}` }, sql`true`);
const hasNoFactor = sql`not exists (select 1 from ${factors} where ${factors.userId} = ${users.id})`;
const isAsked = sql`(${given('isForMembers')} = 1 or (${given('isForAdmins')} = 1 and ${users.role} <> 'member'))`;
/** Users without a password sign in with the provider only, which asks for a factor itself. */
const ask = sql`update ${users} set factor_due_at = case
    when not (${isAsked} and ${users.passwordHash} <> '' and ${hasNoFactor}) then null
    else coalesce(factor_due_at, ${given('dueAt')}) end`;
const askAll = rawWrite(ask);
const askOne = rawWrite(sql`${ask} where ${users.id} = ${given('userId')}`);

export function factorChanges(on: Connection, report: Pick<CommitReportBuilder, 'rightsChanged'>) {
  return {
    ...factorReads(on),
    insert: async (factor: FactorRecord) => on.run(insert, factor),
    rename: async (userId: string, id: string, name: string) => on.run(renames({ name }), { userId, id, name }),
    delete: async (userId: string, id: string) => on.run(remove, { userId, id }),
    deleteAllOf: async (userId: string): Promise<void> => {
      await on.run(removeAll, { userId });
      await on.run(removeCodes, { userId });
    },
    /** Returns false if the counter is not ahead: the code or the response was used before. */
    use: async (id: string, counter: number, at: number) => (await on.run(use, { id, counter, at })) === 1,
    replaceRecoveryCodes: async (userId: string, hashes: readonly Uint8Array[]): Promise<void> => {
      await on.run(removeCodes, { userId });
      for (const hash of hashes) await on.run(insertCode, { userId, hash });
    },
    useRecoveryCode: async (userId: string, hash: Uint8Array) => (await on.run(useCode, { userId, hash })) === 1,
    /** Returns false if the challenge was used before. Forgets those that no longer hold. */
    useChallenge: async (challenge: string, usedAt: number, before: number): Promise<boolean> => {
      await on.run(forgetChallenges, { before });
      return (await on.run(useChallenge, { challenge, usedAt })) === 1;
    },
    setKey: async (id: string, key: Uint8Array) => on.run(setKey, { id, key }),
    setChallengeSecret: async (secret: Uint8Array) => on.run(setSecret, { secret }),
    /** Asks those of these users to whom the demand applies for a factor, unless they have one. `null`: of all users. */
    ask: async (userId: string | null, { isForAdmins, isForMembers, dueAt }: FactorDemand): Promise<void> => {
      report.rightsChanged();
      const demand = { isForAdmins: Number(isForAdmins), isForMembers: Number(isForMembers), dueAt };
      await (userId === null ? on.run(askAll, demand) : on.run(askOne, { ...demand, userId }));
    },
  };
}

interface FactorDemand {
  /** Also for owners. */
  isForAdmins: boolean;
  isForMembers: boolean;
  dueAt: number;
}
