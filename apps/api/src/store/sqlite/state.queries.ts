import type { Role } from '@hub/contract';
import { eq, sql } from 'drizzle-orm';
import { AppError } from '../../errors.ts';
import { notMember } from '../../hubs/hub-rights.ts';
import { adminsManageKeys } from '../../keys/key-rights.ts';
import { notFound } from '../../printable.ts';
import { notValidAnyMore } from '../../users/authenticate-user.ts';
import type { KeyStatus } from '../state.ts';
import type { Db } from './database.ts';
import { membershipReads } from './membership-reads.queries.ts';
import { hubs } from './tables/hubs.table.ts';
import { personalTokens, sessions, users } from './tables/users.table.ts';
import { workspace } from './tables/workspace.table.ts';

export type StandingReads = ReturnType<typeof standingReads>;

/** What an outsider asks for in vain: its noun and its id. */
type Unknown = readonly [noun: string, id: string];

/**
 * Whether who writes still may, judged inside the transaction, with the refusals that he would get outside of it. Each is one
 * or two look-ups by a key; what keys post is not judged here.
 */
export function standingReads(db: Db) {
  const roleOf = { role: users.role, disabledAt: users.disabledAt };
  const holders = {
    session: db
      .select(roleOf)
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.personId))
      .where(eq(sessions.id, sql.placeholder('id')))
      .prepare(),
    token: db
      .select(roleOf)
      .from(personalTokens)
      .innerJoin(users, eq(users.id, personalTokens.personId))
      .where(eq(personalTokens.id, sql.placeholder('id')))
      .prepare(),
  };
  const memberships = membershipReads(db);
  const hubName = db
    .select({ name: hubs.name })
    .from(hubs)
    .where(eq(hubs.id, sql.placeholder('hubId')))
    .prepare();
  const settings = db.select({ membersManageKeys: workspace.membersManageKeys }).from(workspace).prepare();

  /** His role, if what he has shown is still good for anything. */
  const requireSignedIn = ({ credential: { kind, id } }: KeyStatus): Role => {
    const holder = holders[kind].get({ id });
    if (!holder || holder.disabledAt !== null) throw notValidAnyMore(kind);
    return holder.role;
  };

  return {
    requireSignedIn: (by: KeyStatus | undefined): void => {
      if (by) requireSignedIn(by);
    },
    requireMember: (by: KeyStatus | undefined, hubId: string, [noun, id]: Unknown): void => {
      if (!by) return;
      const role = requireSignedIn(by);
      if (memberships.find(hubId, by.personId)) return;
      if (role !== 'member') throw notMember(hubName.get({ hubId })?.name ?? '');
      throw new AppError('not_found', notFound(noun, id));
    },
    requireKeyManager: (by: KeyStatus | undefined, hubId: string, [noun, id]: Unknown): void => {
      if (!by || requireSignedIn(by) !== 'member') return;
      if (!memberships.find(hubId, by.personId)) throw new AppError('not_found', notFound(noun, id));
      if (!settings.get()?.membersManageKeys) throw adminsManageKeys();
    },
  };
}
