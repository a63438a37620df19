import type { Role } from '@hub/contract';
import { eq } from 'drizzle-orm';
import { AppError } from '../../errors.ts';
import type { NewUser, UserChange, UserRecord } from '../users-store.ts';
import type { AuditWrites } from './audit.ts';
import type { CommitReportBuilder } from './engine/commit-report-builder.ts';
import type { Db } from './engine/database.ts';
import type { LinkWrites } from './links.queries.ts';
import type { MemberChanges } from './member-changes.queries.ts';
import type { MembershipWrites } from './memberships.queries.ts';
import { personalTokens, sessions, users } from './tables/users.table.ts';
import { accountExists, rejectFormerAdmin, rejectTouchingOwner, userReads } from './users-reads.queries.ts';

export interface UserWriteDeps {
  audit: AuditWrites;
  commitReport: CommitReportBuilder;
  links: LinkWrites;
  memberships: MembershipWrites;
  memberChanges: MemberChanges;
}

export type UserWrites = ReturnType<typeof userWrites>;

const RANK: Readonly<Record<Role, number>> = { member: 0, admin: 1, owner: 2 };

/** Each function runs inside a writer transaction. */
export function userWrites(db: Db, { audit, commitReport, links, memberships, memberChanges }: UserWriteDeps) {
  const reads = userReads(db);

  /**
   * Returns the current state of the user; `null` if there is no such user. Throws if the user is an owner and this
   * change may not affect owners.
   */
  const findToChange = ({ personId, mayTouchOwners }: UserChange): UserRecord | null => {
    const user = reads.find(personId);
    if (user && !mayTouchOwners) rejectTouchingOwner(user);
    return user;
  };
  const requireOtherOwner = ({ id, name }: UserRecord): void => {
    if (!reads.isLastOwner(id)) return;
    throw new AppError('conflict', `${name} is the only owner. Make someone else an owner first.`);
  };

  const insert = ({ user, passwordHash, hubs, audit: entry }: NewUser): UserRecord => {
    const known = reads.findByEmail(user.email);
    if (known) throw accountExists(known);
    db.insert(users)
      .values({ ...user, passwordHash })
      .run();
    links.endInvitations(user.email);
    if (user.role === 'owner') links.endSetupLinks();
    for (const { hubId, audit: joining } of hubs) {
      memberships.add({ hubId, user, audit: joining });
    }
    audit.insert(entry);
    return user;
  };

  return {
    /** Inserts a user who joins with a link, which requires no admin. */
    insert,
    create: (newUser: NewUser): UserRecord => {
      rejectFormerAdmin(reads, newUser.audit.actor, [newUser.user.role]);
      return insert(newUser);
    },
    change: ({ name, role, ...input }: UserChange & { name?: string; role?: Role }): UserRecord | null => {
      const user = findToChange(input);
      if (!user) return null;
      if (role !== undefined) rejectFormerAdmin(reads, input.audit.actor, [role, user.role]);
      const changed = { ...user, name: name ?? user.name, role: role ?? user.role };
      if (changed.name === user.name && changed.role === user.role) return user;
      if (changed.role !== 'owner') requireOtherOwner(user);
      db.update(users).set({ name: changed.name, role: changed.role }).where(eq(users.id, user.id)).run();
      if (changed.role !== user.role) {
        // Otherwise, the recipient of the link could take over an account that now has more rights.
        links.endResetLinks(user.id);
        if (RANK[changed.role] < RANK[user.role]) links.endCreatedBy(user.id);
        if (changed.role === 'owner') links.endSetupLinks();
        // Admins also see Hubs that they are not members of.
        commitReport.hubsChanged();
      }
      if (changed.name !== user.name) memberChanges.report(user.id, input.audit.at);
      audit.insert(input.audit);
      return changed;
    },
    disable: ({ at, ...input }: UserChange & { at: number }): UserRecord | null => {
      const user = findToChange(input);
      if (!user || user.disabledAt !== null) return user;
      requireOtherOwner(user);
      db.update(users).set({ disabledAt: at }).where(eq(users.id, user.id)).run();
      db.delete(sessions).where(eq(sessions.personId, user.id)).run();
      db.delete(personalTokens).where(eq(personalTokens.personId, user.id)).run();
      links.endResetLinks(user.id);
      links.endCreatedBy(user.id);
      audit.insert(input.audit);
      commitReport.rightsChanged();
      return { ...user, disabledAt: at };
    },
    enable: (input: UserChange): UserRecord | null => {
      const user = findToChange(input);
      if (user) rejectFormerAdmin(reads, input.audit.actor, [user.role]);
      if (!user || user.disabledAt === null) return user;
      db.update(users).set({ disabledAt: null }).where(eq(users.id, user.id)).run();
      if (user.role === 'owner') links.endSetupLinks();
      audit.insert(input.audit);
      commitReport.rightsChanged();
      return { ...user, disabledAt: null };
    },
  };
}
