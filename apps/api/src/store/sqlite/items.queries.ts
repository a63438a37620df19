import type { ItemStore } from '../item-store.ts';
import type { AuditWrites } from './audit.queries.ts';
import type { Db } from './database.ts';
import type { EventWrites } from './events.queries.ts';
import type { Writer } from './writer.ts';

export interface ItemWriteDeps {
  audit: AuditWrites;
  events: EventWrites;
}

export function itemWrites(_db: Db, _deps: ItemWriteDeps) {
  return {};
}

export function itemStore(_db: Db, _writer: Writer, _onItems: () => void): ItemStore {
  return {} as ItemStore;
}
