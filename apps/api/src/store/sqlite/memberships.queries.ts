import type { MembershipStore } from '../people-store.ts';
import type { AuditWrites } from './audit.queries.ts';
import type { CommitNotes } from './commit-notes.ts';
import type { Db } from './database.ts';
import type { EventWrites } from './events.queries.ts';
import type { Writer } from './writer.ts';

export interface MembershipWriteDeps {
  audit: AuditWrites;
  events: EventWrites;
  notes: CommitNotes;
}

export function membershipWrites(_db: Db, _deps: MembershipWriteDeps) {
  return {};
}

export function membershipStore(_db: Db, _writer: Writer): MembershipStore {
  return {} as MembershipStore;
}
