import { accessChecks } from './access-checks.queries.ts';
import type { AuditWrites } from './audit.ts';
import type { Db } from './engine/database.ts';
import type { EventWrites } from './events.queries.ts';
import { hubWrites } from './hubs.queries.ts';
import { memberChanges as memberChangesOf } from './member-changes.queries.ts';
import { membershipWrites } from './memberships.queries.ts';
import type { ConnectionState } from './repositories.ts';
import { usersWrites } from './users.queries.ts';

export type Writes = ReturnType<typeof prepareWrites>;
export type WriteName = keyof Writes;
export type WriteInput<Name extends WriteName> = Parameters<Writes[Name]>[0];
export type WriteOutput<Name extends WriteName> = ReturnType<Writes[Name]>;

/** Runs one of them as a transaction of its own. */
export interface Writer {
  write<Name extends WriteName>(name: Name, input: WriteInput<Name>): Promise<WriteOutput<Name>>;
}

/** Writes with rules of their own, by name. They run inside a transaction. */
export function prepareWrites(
  db: Db,
  { audit, events, commitReport }: Pick<ConnectionState, 'commitReport'> & { audit: AuditWrites; events: EventWrites },
) {
  const hubs = hubWrites(db, { audit, commitReport });
  const memberships = membershipWrites(db, { audit, events, commitReport });
  const memberChanges = memberChangesOf(db, { events });
  const access = accessChecks(db);
  return {
    ...usersWrites(db, { audit, commitReport, hubs, memberships, memberChanges, access }),
  };
}
