import type { PeopleStore } from '../people-store.ts';
import type { AuditWrites } from './audit.queries.ts';
import type { CommitNotes } from './commit-notes.ts';
import type { Db } from './database.ts';
import type { EventWrites } from './events.queries.ts';
import type { HubWrites } from './hubs.queries.ts';
import type { Writer } from './writer.ts';

export interface PeopleWriteDeps {
  audit: AuditWrites;
  events: EventWrites;
  notes: CommitNotes;
  hubs: HubWrites;
}

export function peopleWrites(_db: Db, _deps: PeopleWriteDeps) {
  return {};
}

export function peopleStore(_db: Db, _writer: Writer): PeopleStore {
  return {} as PeopleStore;
}
