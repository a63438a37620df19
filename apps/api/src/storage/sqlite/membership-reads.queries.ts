import { and, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import type { PageRequest } from '../records.ts';
import type { MembershipRecord } from '../users-store.ts';
import { AFTER_ALL_IDS, type Db } from './engine/database.ts';
import { hubs } from './tables/hubs.table.ts';
import { memberships, users } from './tables/users.table.ts';

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
const userColumns = {
  id: users.id,
  email: users.email,
  name: users.name,
  role: users.role,
  createdAt: users.createdAt,
  disabledAt: users.disabledAt,
  lastSeenAt: users.lastSeenAt,
};

export function membershipReads(db: Db) {
  const find = db
    .select(columns)
    .from(memberships)
    .where(and(eq(memberships.hubId, sql.placeholder('hubId')), eq(memberships.personId, sql.placeholder('personId'))))
    .prepare();
  const listMembers = db
    .select({ ...columns, user: userColumns })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.personId))
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
