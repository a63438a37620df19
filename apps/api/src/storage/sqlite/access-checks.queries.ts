import type { Role } from '@hub/contract';
import { eq, sql } from 'drizzle-orm';
import { AppError } from '../../errors.ts';
import { notMember } from '../../hubs/hub-rights.ts';
import { adminsManageKeys } from '../../keys/key-rights.ts';
import { notFound } from '../../printable.ts';
import { credentialEndedError } from '../../users/authenticate-user.ts';
import type { ActingUser } from '../acting-user.ts';
import type { Db } from './engine/database.ts';
import { membershipReads } from './memberships.ts';
import { hubs } from './tables/hubs.table.ts';
import { personalTokens, sessions, users } from './tables/users.table.ts';
import { workspace } from './tables/workspace.table.ts';

export type AccessChecks = ReturnType<typeof accessChecks>;

/** The noun and the id to put in the error for a non-member. */
type Unknown = readonly [noun: string, id: string];

/**
 * Checks inside the transaction whether the caller still has the right to write, and rejects with the same errors as
 * the checks made before it. Each check is one or two look-ups by primary key; posts made with API keys are not checked
 * here.
 */
export function accessChecks(db: Db) {
  const roleOf = { role: users.role, disabledAt: users.disabledAt };
  const credentialUsers = {
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

  /** Returns the role of the user. Throws if the credential is no longer valid. */
  const requireSignedIn = ({ credential: { kind, id } }: ActingUser): Role => {
    const user = credentialUsers[kind].get({ id });
    if (!user || user.disabledAt !== null) throw credentialEndedError(kind);
    return user.role;
  };

  return {
    requireSignedIn: (actingUser: ActingUser | undefined): void => {
      if (actingUser) requireSignedIn(actingUser);
    },
    requireMember: (actingUser: ActingUser | undefined, hubId: string, [noun, id]: Unknown): void => {
      if (!actingUser) return;
      const role = requireSignedIn(actingUser);
      if (memberships.find(hubId, actingUser.personId)) return;
      if (role !== 'member') throw notMember(hubName.get({ hubId })?.name ?? '');
      throw new AppError('not_found', notFound(noun, id));
    },
    requireKeyManager: (actingUser: ActingUser | undefined, hubId: string, [noun, id]: Unknown): void => {
      if (!actingUser || requireSignedIn(actingUser) !== 'member') return;
      if (!memberships.find(hubId, actingUser.personId)) throw new AppError('not_found', notFound(noun, id));
      if (!settings.get()?.membersManageKeys) throw adminsManageKeys();
    },
  };
}
