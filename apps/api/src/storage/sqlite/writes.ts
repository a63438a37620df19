import type { AuditRecord } from '../audit-store.ts';
import type { BlockTime, BlockToSave } from '../key-blocks.ts';
import type { KeyUsageTally } from '../key-use.ts';
import type { HubRecord } from '../records.ts';
import type { HubChange, KeySuccession, NewKey, NewPost } from '../store.ts';
import { accessChecks } from './access-checks.queries.ts';
import { auditWrites } from './audit.queries.ts';
import { avatarWrites } from './avatars.queries.ts';
import type { CommitReportBuilder } from './engine/commit-report-builder.ts';
import type { Db } from './engine/database.ts';
import { eventWrites } from './events.queries.ts';
import { hubWrites } from './hubs.queries.ts';
import { itemWrites } from './items.queries.ts';
import { type KeyRevocation, keyWrites } from './keys.queries.ts';
import { memberChanges as memberChangesOf } from './member-changes.queries.ts';
import { type MemberChange, membershipWrites } from './memberships.queries.ts';
import { mentionMarkWrites } from './mention-marks.queries.ts';
import { mentionWrites } from './mentions.queries.ts';
import { notificationWrites } from './notification-writes.queries.ts';
import type { PostCounts } from './post-counts.ts';
import { postWrites } from './posts.queries.ts';
import { pruneWrites } from './prune.queries.ts';
import { removalWrites } from './removals.queries.ts';
import { topicsOf } from './topics-of.ts';
import { usersWrites } from './users.queries.ts';
import { rejectFormerAdmin, userReads } from './users-reads.queries.ts';
import { workspaceWrites } from './workspace.queries.ts';

export type Writes = ReturnType<typeof prepareWrites>;
export type WriteName = keyof Writes;
export type WriteInput<Name extends WriteName> = Parameters<Writes[Name]>[0];
export type WriteOutput<Name extends WriteName> = ReturnType<Writes[Name]>;

/**
 * Everything that changes the database, by name. Each function runs inside a writer transaction, and takes and
 * returns plain data, since the writer may be in another thread.
 */
export function prepareWrites(
  db: Db,
  { counts, commitReport, botId }: { counts: PostCounts; commitReport: CommitReportBuilder; botId: string },
) {
  const audit = auditWrites(db, ({ action, hubId }) => {
    for (const topic of topicsOf(action)) commitReport.workspaceChanged({ topic, hubId });
  });
  const events = eventWrites(db, commitReport);
  const hubs = hubWrites(db, { audit, events, commitReport });
  const { markHub, markKind, ...mentionMarks } = mentionMarkWrites(db, commitReport);
  const memberships = membershipWrites(db, { audit, events, commitReport, markHub, markKind });
  const memberChanges = memberChangesOf(db, { events });
  const access = accessChecks(db);
  const users = userReads(db);
  const keys = keyWrites(db, { audit, counts, access });
  const mentions = mentionWrites(db, commitReport);
  const posts = postWrites(db, { events, counts, keys, mentions, botId });
  return {
    ...workspaceWrites(db, audit),
    ...usersWrites(db, { audit, commitReport, hubs, memberships, memberChanges, access }),
    ...avatarWrites(db, { audit, access, memberChanges, botId }),
    ...itemWrites(db, { audit, events, mentions, access }),
    ...removalWrites(db, { audit, events }),
    ...pruneWrites(db, { events, counts }),
    ...notificationWrites(db, access),
    ...mentionMarks,
    createHub: (input: { hub: HubRecord; audit: AuditRecord; memberId?: string | null }) => hubs.create(input),
    changeHub: (input: Parameters<typeof hubs.change>[0]) => hubs.change(input),
    deleteHub: (input: HubChange) => hubs.delete(input),
    restoreHub: (input: HubChange) => hubs.restore(input),
    recordExport: (input: HubChange) => hubs.recordExport(input),
    recordBackup: (input: { audit: AuditRecord }) => audit.insert(input.audit),
    addMember: (input: MemberChange) => {
      rejectFormerAdmin(users, input.audit.actor, []);
      return memberships.add(input);
    },
    removeMember: (input: MemberChange) => memberships.remove(input),
    markRead: (input: Parameters<typeof memberships.markRead>[0]) => memberships.markRead(input),
    issueKey: (input: NewKey) => keys.issue(input),
    succeedKey: (input: KeySuccession) => keys.succeed(input),
    revokeKey: (input: KeyRevocation) => keys.revoke(input),
    blockKey: (input: Parameters<typeof keys.block>[0]) => keys.block(input),
    saveBlocks: ({ blocks, time }: { blocks: readonly BlockToSave[]; time: BlockTime }) =>
      keys.saveBlocks(blocks, time),
    addUsage: (tallies: ReadonlyMap<string, KeyUsageTally>) => keys.addUsage(tallies),
    createPost: (post: NewPost) => posts.create(post),
  };
}
