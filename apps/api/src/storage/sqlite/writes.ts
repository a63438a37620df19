import type { AuditRecord } from '../audit-store.ts';
import type { HubRecord } from '../records.ts';
import type { HubChange } from '../store.ts';
import { accessChecks } from './access-checks.queries.ts';
import type { AuditWrites } from './audit.queries.ts';
import type { Db } from './engine/database.ts';
import type { EventWrites } from './events.queries.ts';
import { hubWrites } from './hubs.queries.ts';
import { itemWrites } from './items.queries.ts';
import { memberChanges as memberChangesOf } from './member-changes.queries.ts';
import { type MemberChange, membershipWrites } from './memberships.queries.ts';
import { mentionMarkWrites } from './mention-marks.queries.ts';
import { mentionWrites } from './mentions.queries.ts';
import type { ConnectionState } from './repositories.ts';
import { usersWrites } from './users.queries.ts';
import { rejectFormerAdmin, userReads } from './users-reads.queries.ts';
import { workspaceWrites } from './workspace.queries.ts';

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
  { audit, events, commitReport, credentials }: ConnectionState & { audit: AuditWrites; events: EventWrites },
) {
  const hubs = hubWrites(db, { audit, events, commitReport });
  const { markHub, markKind, ...mentionMarks } = mentionMarkWrites(db, commitReport);
  const memberships = membershipWrites(db, { audit, events, commitReport, markHub, markKind });
  const memberChanges = memberChangesOf(db, { events });
  const access = accessChecks(db);
  const users = userReads(db);
  const mentions = mentionWrites(db, commitReport);
  return {
    ...workspaceWrites(db, audit),
    ...usersWrites(db, { audit, commitReport, hubs, memberships, memberChanges, access }),
    ...itemWrites(db, { audit, events, mentions, access }),
    ...mentionMarks,
    createHub: (input: { hub: HubRecord; audit: AuditRecord; memberId?: string | null }) => hubs.create(input),
    changeHub: (input: Parameters<typeof hubs.change>[0]) => hubs.change(input),
    deleteHub: (input: HubChange) => {
      credentials.invalidate();
      return hubs.delete(input);
    },
    restoreHub: (input: HubChange) => {
      credentials.invalidate();
      return hubs.restore(input);
    },
    recordExport: (input: HubChange) => hubs.recordExport(input),
    recordBackup: (input: { audit: AuditRecord }) => audit.insert(input.audit),
    addMember: (input: MemberChange) => {
      rejectFormerAdmin(users, input.audit.actor, []);
      return memberships.add(input);
    },
    removeMember: (input: MemberChange) => memberships.remove(input),
    markRead: (input: Parameters<typeof memberships.markRead>[0]) => memberships.markRead(input),
  };
}
