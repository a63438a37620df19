import type { PeopleStore } from '../people-store.ts';
import type { AuditWrites } from './audit.queries.ts';
import type { CommitNotes } from './commit-notes.ts';
import type { Db } from './database.ts';
import type { HubWrites } from './hubs.queries.ts';
import { linkReads, linkWrites } from './links.queries.ts';
import type { MemberChanges } from './member-changes.queries.ts';
import type { MembershipWrites } from './memberships.queries.ts';
import { personReads } from './people-reads.queries.ts';
import { personWrites } from './people-writes.queries.ts';
import { personCredentialReads, personCredentialWrites } from './person-credentials.queries.ts';
import { tokenReads, tokenWrites } from './personal-tokens.queries.ts';
import { redemptionWrites } from './redemptions.queries.ts';
import { sessionReads, sessionWrites } from './sessions.queries.ts';
import type { StandingReads } from './standing.queries.ts';
import { reading } from './storage-fault.ts';
import type { Writer } from './writer.ts';

export interface PeopleWriteDeps {
  audit: AuditWrites;
  notes: CommitNotes;
  hubs: HubWrites;
  memberships: MembershipWrites;
  memberChanges: MemberChanges;
  standing: StandingReads;
}

/** All that the writer does for people, by the names of the writer's table. */
export function peopleWrites(db: Db, deps: PeopleWriteDeps) {
  const { audit, notes, hubs, memberships, memberChanges, standing } = deps;
  const links = linkWrites(db, { audit });
  const sessions = sessionWrites(db, { audit, links, notes, standing });
  const tokens = tokenWrites(db, { audit, notes, standing });
  const persons = personWrites(db, { audit, notes, links, memberships, memberChanges });
  const redemptions = redemptionWrites(db, { audit, hubs, links, persons, sessions });
  return {
    createPerson: persons.create,
    changePerson: persons.change,
    disablePerson: persons.disable,
    enablePerson: persons.enable,
    changePassword: sessions.changePassword,
    notePersonalUse: personCredentialWrites(db).noteUse,
    createSession: sessions.create,
    endSession: sessions.end,
    confirmSession: sessions.confirm,
    createToken: tokens.create,
    revokeToken: tokens.revoke,
    createLink: links.create,
    withdrawInvitation: links.withdrawInvitation,
    redeemForPerson: redemptions.forPerson,
    redeemForPassword: redemptions.forPassword,
    prunePeople: (now: number): void => {
      sessions.prune(now);
      links.prune(now);
    },
  };
}

export function peopleStore(db: Db, writer: Writer): PeopleStore {
  const persons = personReads(db);
  const credentials = personCredentialReads(db);
  const links = linkReads(db);
  const sessionList = sessionReads(db);
  return {
    create: (newPerson) => writer.write('createPerson', newPerson),
    find: reading(persons.find),
    list: reading(persons.list),
    hasOwner: reading(persons.hasOwner),
    change: (change) => writer.write('changePerson', change),
    disable: (change) => writer.write('disablePerson', change),
    enable: (change) => writer.write('enablePerson', change),
    findForSignIn: reading(persons.findForSignIn),
    findPasswordHash: reading(persons.findPasswordHash),
    changePassword: (change) => writer.write('changePassword', change),
    findCredential: reading(credentials.find),
    findCredentialById: reading(credentials.findById),
    noteUse: (uses) => writer.write('notePersonalUse', uses),
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
    redeemForPerson: (redemption) => writer.write('redeemForPerson', redemption),
    redeemForPassword: (redemption) => writer.write('redeemForPassword', redemption),
    prune: (now) => writer.write('prunePeople', now),
  };
}
