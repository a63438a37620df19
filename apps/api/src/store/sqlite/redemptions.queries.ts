import { eq } from 'drizzle-orm';
import { Refusal } from '../../errors.ts';
import type { AuditRecord } from '../audit-store.ts';
import type { NewPerson, NewSession, PersonRecord } from '../people-store.ts';
import type { HubRecord } from '../store.ts';
import type { AuditWrites } from './audit.queries.ts';
import type { Db } from './database.ts';
import type { HubWrites } from './hubs.queries.ts';
import type { LinkWrites } from './links.queries.ts';
import { personReads } from './people-reads.queries.ts';
import type { PersonWrites } from './people-writes.queries.ts';
import type { SessionWrites } from './sessions.queries.ts';
import { people } from './tables/people.table.ts';
import { workspace } from './tables/workspace.table.ts';

interface RedemptionWriteDeps {
  audit: AuditWrites;
  hubs: HubWrites;
  links: LinkWrites;
  persons: PersonWrites;
  sessions: SessionWrites;
}

export interface PersonRedemption {
  linkTokenHash: Uint8Array;
  newPerson: NewPerson;
  session: NewSession;
  hub?: { hub: HubRecord; audit: AuditRecord } | undefined;
  workspaceName?: string | undefined;
}

export interface PasswordRedemption {
  linkTokenHash: Uint8Array;
  personId: string;
  passwordHash: string;
  session: NewSession;
  audit: AuditRecord;
}

/** Each function runs inside a transaction of the writer. */
export function redemptionWrites(db: Db, { audit, hubs, links, persons, sessions }: RedemptionWriteDeps) {
  const reads = personReads(db);
  return {
    forPerson: ({ linkTokenHash, newPerson, session, hub, workspaceName }: PersonRedemption): PersonRecord => {
      const { kind } = links.useUp(linkTokenHash);
      if (kind === 'setup' && reads.hasOwner()) {
        throw new Refusal('conflict', 'The workspace is set up already: it has an owner. Ask for an invitation.');
      }
      const person = persons.insert(newPerson);
      if (workspaceName !== undefined) db.update(workspace).set({ name: workspaceName }).run();
      if (hub) hubs.create({ ...hub, memberId: person.id });
      sessions.insert(session);
      return person;
    },
    forPassword: ({ linkTokenHash, personId, passwordHash, session, audit: entry }: PasswordRedemption): void => {
      links.useUp(linkTokenHash);
      db.update(people).set({ passwordHash }).where(eq(people.id, personId)).run();
      sessions.endAll(personId);
      sessions.insert(session);
      audit.insert(entry);
    },
  };
}
