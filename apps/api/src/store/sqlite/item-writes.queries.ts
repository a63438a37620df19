import type { NewItem } from '../item-store.ts';
import type { AuditWrites } from './audit.queries.ts';
import type { Db } from './database.ts';
import type { EventWrites } from './events.queries.ts';
import { itemBasics } from './item-basics.queries.ts';
import { mentionWrites } from './mentions.queries.ts';
import { replyWrites } from './replies.queries.ts';

export interface ItemWriteDeps {
  audit: AuditWrites;
  events: EventWrites;
}

/** Each function runs inside a transaction of the writer. */
export function itemWrites(db: Db, { events }: ItemWriteDeps) {
  const mentions = mentionWrites(db);
  const basics = itemBasics(db, { events, mentions });
  const replies = replyWrites(db, basics);

  return {
    createItem: (item: NewItem) => {
      if (item.kind === 'reply') return replies.create(item);
      return basics.create(item);
    },
  };
}
