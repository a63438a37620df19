import { eq } from 'drizzle-orm';
import { AppError } from '../../errors.ts';
import type { AuditRecord } from '../audit-store.ts';
import type { HubRecord } from '../records.ts';
import type { NewSession, NewUser, UserRecord } from '../users-store.ts';
import type { AuditWrites } from './audit.ts';
import type { Db } from './engine/database.ts';
import type { HubWrites } from './hubs.queries.ts';
import type { LinkWrites } from './links.queries.ts';
import type { SessionWrites } from './sessions.queries.ts';
import { users } from './tables/users.table.ts';
import { workspace } from './tables/workspace.table.ts';
import { userReads } from './users-reads.queries.ts';
import type { UserWrites } from './users-writes.queries.ts';

interface RedemptionWriteDeps {
  audit: AuditWrites;
  hubs: HubWrites;
  links: LinkWrites;
  accountWrites: UserWrites;
  sessions: SessionWrites;
}

export interface UserRedemption {
  linkTokenHash: Uint8Array;
  newUser: NewUser;
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

/** Each function runs inside a writer transaction. */
export function redemptionWrites(db: Db, { audit, hubs, links, accountWrites, sessions }: RedemptionWriteDeps) {
  const reads = userReads(db);
  return {
    forUser: ({ linkTokenHash, newUser, session, hub, workspaceName }: UserRedemption): UserRecord => {
      const { kind } = links.useUp(linkTokenHash);
      if (kind === 'setup' && reads.hasOwner()) {
        throw new AppError('conflict', 'The workspace is already set up. Ask an admin for an invitation.');
      }
      const user = accountWrites.insert(newUser);
      if (workspaceName !== undefined) db.update(workspace).set({ name: workspaceName }).run();
      if (hub) hubs.create({ ...hub, memberId: user.id });
      sessions.insert(session);
      return user;
    },
    forPassword: ({ linkTokenHash, personId, passwordHash, session, audit: entry }: PasswordRedemption): void => {
      links.useUp(linkTokenHash);
      db.update(users).set({ passwordHash }).where(eq(users.id, personId)).run();
      sessions.endAll(personId);
      sessions.insert(session);
      audit.insert(entry);
    },
  };
}
