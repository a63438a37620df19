import { auditWrites } from './audit.queries.ts';
import type { Db } from './database.ts';
import { eventWrites } from './events.queries.ts';
import { hubWrites } from './hubs.queries.ts';
import { keyWrites } from './keys.queries.ts';
import type { PostCounts } from './post-counts.ts';
import { postWrites } from './posts.queries.ts';

/** Everything that changes the database, each as a function that runs inside a transaction of the writer. */
export function prepareWrites(db: Db, counts: PostCounts, botId: string) {
  const audit = auditWrites(db);
  const events = eventWrites(db);
  return {
    hubs: hubWrites(db, audit, events),
    keys: keyWrites(db, audit, counts),
    posts: postWrites(db, { events, counts, botId }),
  };
}
