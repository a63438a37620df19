import type { Role } from '@hub/contract';
import { eq } from 'drizzle-orm';
import { Refusal } from '../../errors.ts';
import type { NewPerson, PersonChange, PersonRecord } from '../people-store.ts';
import type { AuditWrites } from './audit.queries.ts';
import type { CommitNotes } from './commit-notes.ts';
import type { Db } from './database.ts';
import type { LinkWrites } from './links.queries.ts';
import type { MemberChanges } from './member-changes.queries.ts';
import type { MembershipWrites } from './memberships.queries.ts';
import { accountExists, personReads, refuseFormerAdmin, refuseTouchingOwner } from './people-reads.queries.ts';
import { people, personalTokens, sessions } from './tables/people.table.ts';

export interface PersonWriteDeps {
  audit: AuditWrites;
  notes: CommitNotes;
  links: LinkWrites;
  memberships: MembershipWrites;
  memberChanges: MemberChanges;
}

export type PersonWrites = ReturnType<typeof personWrites>;

const RANK: Readonly<Record<Role, number>> = { member: 0, admin: 1, owner: 2 };

/** Each function runs inside a transaction of the writer. */
export function personWrites(db: Db, { audit, notes, links, memberships, memberChanges }: PersonWriteDeps) {
  const reads = personReads(db);

  /** The person as he is now, if this change may touch him; `null` if there is none. */
  const findToChange = ({ personId, mayTouchOwners }: PersonChange): PersonRecord | null => {
    const person = reads.find(personId);
    if (person && !mayTouchOwners) refuseTouchingOwner(person);
    return person;
  };
  const keepAnOwner = ({ id, name }: PersonRecord): void => {
    if (!reads.isLastOwner(id)) return;
    throw new Refusal('conflict', `${name} is the only owner. Make somebody else an owner first.`);
  };

  const insert = ({ person, passwordHash, hubs, audit: entry }: NewPerson): PersonRecord => {
    const known = reads.findByEmail(person.email);
    if (known) throw accountExists(known);
    db.insert(people)
      .values({ ...person, passwordHash })
      .run();
    links.endInvitations(person.email);
    if (person.role === 'owner') links.endSetups();
    for (const { hubId, audit: joining } of hubs) {
      memberships.add({ hubId, personId: person.id, at: person.createdAt, audit: joining });
    }
    audit.insert(entry);
    return person;
  };

  return {
    /** For who comes with a link. */
    insert,
    create: (newPerson: NewPerson): PersonRecord => {
      refuseFormerAdmin(reads, newPerson.audit.actor, [newPerson.person.role]);
      return insert(newPerson);
    },
    change: ({ name, role, ...input }: PersonChange & { name?: string; role?: Role }): PersonRecord | null => {
      const person = findToChange(input);
      if (!person) return null;
      if (role !== undefined) refuseFormerAdmin(reads, input.audit.actor, [role, person.role]);
      const changed = { ...person, name: name ?? person.name, role: role ?? person.role };
      if (changed.name === person.name && changed.role === person.role) return person;
      if (changed.role !== 'owner') keepAnOwner(person);
      db.update(people).set({ name: changed.name, role: changed.role }).where(eq(people.id, person.id)).run();
      if (changed.role !== person.role) {
        // Whoever was given the link could take over an account that may do more now.
        links.endResets(person.id);
        if (RANK[changed.role] < RANK[person.role]) links.endMadeBy(person.id);
        if (changed.role === 'owner') links.endSetups();
        // Admins see the Hubs that they do not belong to.
        notes.hubsChanged();
      }
      if (changed.name !== person.name) memberChanges.tell(person.id, input.audit.at);
      audit.insert(input.audit);
      return changed;
    },
    disable: ({ at, ...input }: PersonChange & { at: number }): PersonRecord | null => {
      const person = findToChange(input);
      if (!person || person.disabledAt !== null) return person;
      keepAnOwner(person);
      db.update(people).set({ disabledAt: at }).where(eq(people.id, person.id)).run();
      db.delete(sessions).where(eq(sessions.personId, person.id)).run();
      db.delete(personalTokens).where(eq(personalTokens.personId, person.id)).run();
      links.endResets(person.id);
      links.endMadeBy(person.id);
      audit.insert(input.audit);
      notes.rightsChanged();
      return { ...person, disabledAt: at };
    },
    enable: (input: PersonChange): PersonRecord | null => {
      const person = findToChange(input);
      if (person) refuseFormerAdmin(reads, input.audit.actor, [person.role]);
      if (!person || person.disabledAt === null) return person;
      db.update(people).set({ disabledAt: null }).where(eq(people.id, person.id)).run();
      if (person.role === 'owner') links.endSetups();
      audit.insert(input.audit);
      notes.rightsChanged();
      return { ...person, disabledAt: null };
    },
  };
}
