import type { UserStore } from '../users-store.ts';
import type { AccessChecks } from './access-checks.queries.ts';
import type { AuditWrites } from './audit.ts';
import type { CommitReportBuilder } from './engine/commit-report-builder.ts';
import type { Db } from './engine/database.ts';
import { reading } from './engine/storage-error.ts';
import type { HubWrites } from './hubs.queries.ts';
import { linkReads, linkWrites } from './links.queries.ts';
import type { MemberChanges } from './member-changes.queries.ts';
import type { MembershipWrites } from './memberships.queries.ts';
import { tokenReads, tokenWrites } from './personal-tokens.queries.ts';
import { redemptionWrites } from './redemptions.queries.ts';
import { sessionReads, sessionWrites } from './sessions.queries.ts';
import { userCredentialReads, userCredentialWrites } from './user-credentials.queries.ts';
import { userReads } from './users-reads.queries.ts';
import { userWrites } from './users-writes.queries.ts';
import type { Writer } from './writes.ts';

export interface UsersWriteDeps {
  audit: AuditWrites;
  commitReport: CommitReportBuilder;
  hubs: HubWrites;
  memberships: MembershipWrites;
  memberChanges: MemberChanges;
  access: AccessChecks;
}

/** All writes to users, by their names in the writer's table. */
export function usersWrites(db: Db, deps: UsersWriteDeps) {
  const { audit, commitReport, hubs, memberships, memberChanges, access } = deps;
  const links = linkWrites(db, { audit });
  const sessions = sessionWrites(db, { audit, links, commitReport, access });
  const tokens = tokenWrites(db, { audit, commitReport, access });
  const accountWrites = userWrites(db, { audit, commitReport, links, memberships, memberChanges });
  const redemptions = redemptionWrites(db, { audit, hubs, links, accountWrites, sessions });
  return {
    createUser: accountWrites.create,
    changeUser: accountWrites.change,
    disableUser: accountWrites.disable,
    enableUser: accountWrites.enable,
    changePassword: sessions.changePassword,
    saveCredentialUse: userCredentialWrites(db).saveUse,
    createSession: sessions.create,
    endSession: sessions.end,
    confirmSession: sessions.confirm,
    createToken: tokens.create,
    revokeToken: tokens.revoke,
    createLink: links.create,
    withdrawInvitation: links.withdrawInvitation,
    redeemForUser: redemptions.forUser,
    redeemForPassword: redemptions.forPassword,
    pruneUsers: (now: number): void => {
      sessions.prune(now);
      links.prune(now);
    },
  };
}

export function userStore(db: Db, writer: Writer): UserStore {
  const accountWrites = userReads(db);
  const credentials = userCredentialReads(db);
  const links = linkReads(db);
  const sessionList = sessionReads(db);
  return {
    create: (newUser) => writer.write('createUser', newUser),
    find: reading(accountWrites.find),
    list: reading(accountWrites.list),
    hasOwner: reading(accountWrites.hasOwner),
    change: (change) => writer.write('changeUser', change),
    disable: (change) => writer.write('disableUser', change),
    enable: (change) => writer.write('enableUser', change),
    findForSignIn: reading(accountWrites.findForSignIn),
    findPasswordHash: reading(accountWrites.findPasswordHash),
    changePassword: (change) => writer.write('changePassword', change),
    findCredential: reading(credentials.find),
    findCredentialById: reading(credentials.findById),
    saveUse: (uses) => writer.write('saveCredentialUse', uses),
    createSession: (newSession) => writer.write('createSession', newSession),
    listSessions: reading(sessionList.list),
    passwordGivenAt: reading(sessionList.passwordGivenAt),
    confirmSession: (confirmation) => writer.write('confirmSession', confirmation),
    endSession: (change) => writer.write('endSession', change),
    createToken: (newToken) => writer.write('createToken', newToken),
    listTokens: reading(tokenReads(db).list),
    revokeToken: (change) => writer.write('revokeToken', change),
    createLink: (newLink) => writer.write('createLink', newLink),
    findLink: reading(links.find),
    listInvitations: reading(links.listInvitations),
    withdrawInvitation: (change) => writer.write('withdrawInvitation', change),
    redeemForUser: (redemption) => writer.write('redeemForUser', redemption),
    redeemForPassword: (redemption) => writer.write('redeemForPassword', redemption),
    prune: (now) => writer.write('pruneUsers', now),
  };
}
