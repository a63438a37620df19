import { and, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import type { MembershipRecord } from '../people-store.ts';
import type { PageRequest } from '../store.ts';
import { AFTER_ALL_IDS, type Db } from './database.ts';
import { hubs } from './tables/hubs.table.ts';
import { memberships, people } from './tables/people.table.ts';

const columns = {
  hubId: memberships.hubId,
  personId: memberships.personId,
  joinedAt: memberships.joinedAt,
  readSeqs: {
    message: memberships.messageReadSeq,
    note: memberships.noteReadSeq,
    todo: memberships.todoReadSeq,
  },
  readRanks: {
    message: memberships.messageReadRank,
    note: memberships.noteReadRank,
    todo: memberships.todoReadRank,
  },
};
const personColumns = {
  id: people.id,
  email: people.email,
  name: people.name,
  role: people.role,
  createdAt: people.createdAt,
  disabledAt: people.disabledAt,
  lastSeenAt: people.lastSeenAt,
};

export function membershipReads(db: Db) {
  const find = db
    .select(columns)
    .from(memberships)
    .where(and(eq(memberships.hubId, sql.placeholder('hubId')), eq(memberships.personId, sql.placeholder('personId'))))
    .prepare();
  const listMembers = db
    .select({ ...columns, person: personColumns })
    .from(memberships)
    .innerJoin(people, eq(people.id, memberships.personId))
    .where(and(eq(memberships.hubId, sql.placeholder('hubId')), lt(memberships.personId, sql.placeholder('before'))))
    .orderBy(desc(memberships.personId))
    .limit(sql.placeholder('limit'))
    .prepare();
  const listHubIds = db
    .select({ id: memberships.hubId })
    .from(memberships)
    .innerJoin(hubs, eq(hubs.id, memberships.hubId))
    .where(and(eq(memberships.personId, sql.placeholder('personId')), isNull(hubs.deletedAt)))
    .prepare();

  return {
    find: (hubId: string, personId: string): MembershipRecord | null => find.get({ hubId, personId }) ?? null,
    listMembers: ({ hubId, limit, before = AFTER_ALL_IDS }: PageRequest & { hubId: string }) =>
      listMembers.all({ hubId, limit, before }),
    listHubIds: (personId: string): string[] => listHubIds.all({ personId }).map(({ id }) => id),
  };
}
