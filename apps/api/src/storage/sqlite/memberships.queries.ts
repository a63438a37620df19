import { ITEM_KINDS, perKind, type WireKind } from '@hub/contract';
import { and, eq, isNull, max } from 'drizzle-orm';
import { AppError } from '../../errors.ts';
import type { AuditRecord } from '../audit-store.ts';
import type { MembershipRecord, MembershipStore, ReadChange } from '../users-store.ts';
import type { AuditWrites } from './audit.queries.ts';
import type { CommitReportBuilder } from './engine/commit-report-builder.ts';
import type { Db } from './engine/database.ts';
import { reading } from './engine/storage-error.ts';
import type { EventWrites } from './events.queries.ts';
import { membershipReads } from './membership-reads.queries.ts';
import type { MentionMarkWrites } from './mention-marks.queries.ts';
import { hubs } from './tables/hubs.table.ts';
import { items } from './tables/items.table.ts';
import { memberships, users } from './tables/users.table.ts';
import { unreadReads } from './unread.queries.ts';
import type { Writer } from './writes.ts';

export interface MemberChange {
  hubId: string;
  personId: string;
  at: number;
  audit: AuditRecord;
}

interface MembershipWriteDeps extends Pick<MentionMarkWrites, 'markHub' | 'markKind'> {
  audit: AuditWrites;
  events: EventWrites;
  commitReport: CommitReportBuilder;
}

export type MembershipWrites = ReturnType<typeof membershipWrites>;

/** Each function runs inside a writer transaction. */
export function membershipWrites(db: Db, { audit, events, commitReport, markHub, markKind }: MembershipWriteDeps) {
  const { find } = membershipReads(db);
  const unread = unreadReads(db);
  const findUser = (id: string) =>
    db
      .select({ id: users.id, name: users.name, disabledAt: users.disabledAt })
      .from(users)
      .where(eq(users.id, id))
      .get();
  const findHub = (id: string) =>
    db
      .select({ seq: hubs.seq })
      .from(hubs)
      .where(and(eq(hubs.id, id), isNull(hubs.deletedAt)))
      .get();
  const at = (hubId: string, personId: string) => and(eq(memberships.hubId, hubId), eq(memberships.personId, personId));
  const recordChange = (event: string, change: MemberChange, name: string) => {
    const { hubId, at: when, personId, audit: entry } = change;
    const hub = events.append({ hubId, at: when, event, itemId: null, data: { id: personId, name } });
    audit.insert(entry);
    commitReport.hubsChanged();
    return hub;
  };

  return {
    /** Everything already in the Hub counts as read: items from before a member joined are history, not unread. */
    add: (change: MemberChange): MembershipRecord | null => {
      const { hubId, personId } = change;
      const [hub, user, former] = [findHub(hubId), findUser(personId), find(hubId, personId)];
      if (!hub || !user) return null;
      if (former) return former;
      if (user.disabledAt !== null) {
        throw new AppError(
          'conflict',
          `The account of ${user.name} is disabled. Enable it before you add them to a Hub.`,
        );
      }
      const seq = recordChange('member.added', change, user.name)?.seq ?? hub.seq;
      const rank = newestRank(db);
      const membership = {
        hubId,
        personId,
        joinedAt: change.at,
        readSeqs: perKind(() => seq),
        readRanks: perKind(() => rank),
      };
      db.insert(memberships)
        .values({ hubId, personId, joinedAt: change.at, ...markColumns(membership) })
        .run();
      markHub({ personId, hubId });
      return membership;
    },
    /** To-dos assigned to this user stay assigned: the other members decide who takes them over. */
    remove: (change: MemberChange): boolean => {
      const user = findUser(change.personId);
      if (!user || !find(change.hubId, change.personId)) return false;
      db.delete(memberships).where(at(change.hubId, change.personId)).run();
      recordChange('member.removed', change, user.name);
      return true;
    },
    markRead: ({ hubId, personId, seq, kind: only }: ReadChange): MembershipRecord | null => {
      const [hub, membership] = [findHub(hubId), find(hubId, personId)];
      if (!hub || !membership) return null;
      const readSeq = Math.min(seq, hub.seq);
      const moved = ITEM_KINDS.filter(
        (kind) => (only === undefined || kind === only) && readSeq > membership.readSeqs[kind],
      );
      if (moved.length === 0) return membership;
      const rankOf = (kind: WireKind) =>
        readSeq === hub.seq
          ? newestRank(db)
          : unread.rankUpTo(kind, { hubId, seq: readSeq, from: membership.readRanks[kind] });
      const marked = {
        ...membership,
        readSeqs: perKind((kind) => (moved.includes(kind) ? readSeq : membership.readSeqs[kind])),
        readRanks: perKind((kind) => (moved.includes(kind) ? rankOf(kind) : membership.readRanks[kind])),
      };
      db.update(memberships).set(markColumns(marked)).where(at(hubId, personId)).run();
      commitReport.unreadChanged({ personId, hubId });
      for (const kind of moved) markKind({ personId, hubId, kind, rank: marked.readRanks[kind] });
      return marked;
    },
  };
}

function markColumns({ readSeqs, readRanks }: Pick<MembershipRecord, 'readSeqs' | 'readRanks'>) {
  return {
    messageReadSeq: readSeqs.message,
    messageReadRank: readRanks.message,
    noteReadSeq: readSeqs.note,
    noteReadRank: readRanks.note,
    todoReadSeq: readSeqs.todo,
    todoReadRank: readRanks.todo,
  };
}

/**
 * Returns the newest rank across all Hubs. Ranks rise across Hubs, so anything added to any Hub later has a higher
 * rank.
 */
function newestRank(db: Db): number {
  return (
    db
      .select({ rank: max(items.rank) })
      .from(items)
      .get()?.rank ?? 0
  );
}

export function membershipStore(db: Db, writer: Writer): MembershipStore {
  const reads = membershipReads(db);
  const unread = unreadReads(db);
  return {
    add: (change) => writer.write('addMember', change),
    remove: (change) => writer.write('removeMember', change),
    find: reading(reads.find),
    listMembers: reading(reads.listMembers),
    listHubIds: reading(reads.listHubIds),
    markRead: (change) => writer.write('markRead', change),
    countUnread: reading(unread.count),
  };
}
