import { eq } from 'drizzle-orm';
import type { Db } from './database.ts';
import type { EventWrites } from './events.queries.ts';
import { membershipReads } from './membership-reads.queries.ts';
import { avatars } from './tables/avatars.table.ts';
import { users } from './tables/users.table.ts';

export type MemberChanges = ReturnType<typeof memberChanges>;

/** Each function runs inside a transaction of the writer. */
export function memberChanges(db: Db, { events }: { events: EventWrites }) {
  const { listHubIds } = membershipReads(db);
  return {
    /** Tells the Hubs of a person what he is called now and which picture he has. */
    report: (personId: string, at: number): void => {
      const user = db
        .select({ name: users.name, pictureVersion: avatars.version })
        .from(users)
        .leftJoin(avatars, eq(avatars.ownerId, users.id))
        .where(eq(users.id, personId))
        .get();
      if (!user) return;
      for (const hubId of listHubIds(personId)) {
        events.append({ hubId, at, event: 'member.changed', itemId: null, data: { id: personId, ...user } });
      }
    },
  };
}
