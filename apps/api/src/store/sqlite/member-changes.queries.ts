import { eq } from 'drizzle-orm';
import type { Db } from './database.ts';
import type { EventWrites } from './events.queries.ts';
import { membershipReads } from './membership-reads.queries.ts';
import { people } from './tables/people.table.ts';
import { pictures } from './tables/pictures.table.ts';

export type MemberChanges = ReturnType<typeof memberChanges>;

/** Each function runs inside a transaction of the writer. */
export function memberChanges(db: Db, { events }: { events: EventWrites }) {
  const { listHubIds } = membershipReads(db);
  return {
    /** Tells the Hubs of a person what he is called now and which picture he has. */
    tell: (personId: string, at: number): void => {
      const person = db
        .select({ name: people.name, pictureVersion: pictures.version })
        .from(people)
        .leftJoin(pictures, eq(pictures.ownerId, people.id))
        .where(eq(people.id, personId))
        .get();
      if (!person) return;
      for (const hubId of listHubIds(personId)) {
        events.append({ hubId, at, event: 'member.changed', itemId: null, data: { id: personId, ...person } });
      }
    },
  };
}
