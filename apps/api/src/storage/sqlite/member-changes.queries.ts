import { eq } from 'drizzle-orm';
import type { Db } from './engine/database.ts';
import type { EventWrites } from './events.queries.ts';
import { membershipReads } from './memberships.ts';
import { avatars } from './tables/avatars.table.ts';
import { users } from './tables/users.table.ts';

export type MemberChanges = ReturnType<typeof memberChanges>;

/** Each function runs inside a writer transaction. */
export function memberChanges(db: Db, { events }: { events: EventWrites }) {
  const { listHubIds } = membershipReads(db);
  return {
    /** Writes an event with a user's current name and avatar version to each of their Hubs. */
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
