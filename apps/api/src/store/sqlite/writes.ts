import type { AuditRecord } from '../audit-store.ts';
import type { BlockNote, BlockToNote } from '../key-blocks.ts';
import type { KeyUsageTally } from '../key-use.ts';
import type { HubChange, HubRecord, KeySuccession, NewKey, NewPost } from '../store.ts';
import { auditWrites } from './audit.queries.ts';
import type { CommitNotes } from './commit-notes.ts';
import type { Db } from './database.ts';
import { eventWrites } from './events.queries.ts';
import { hubWrites } from './hubs.queries.ts';
import { itemWrites } from './items.queries.ts';
import { type KeyRevocation, keyWrites } from './keys.queries.ts';
import { memberChanges as memberChangesOf } from './member-changes.queries.ts';
import { type MemberChange, membershipWrites } from './memberships.queries.ts';
import { mentionMarkWrites } from './mention-marks.queries.ts';
import { mentionWrites } from './mentions.queries.ts';
import { noticeWrites } from './notice-writes.queries.ts';
import { peopleWrites } from './people.queries.ts';
import { personReads, refuseFormerAdmin } from './people-reads.queries.ts';
import { pictureWrites } from './pictures.queries.ts';
import type { PostCounts } from './post-counts.ts';
import { postWrites } from './posts.queries.ts';
import { pruneWrites } from './prune.queries.ts';
import { removalWrites } from './removals.queries.ts';
import { standingReads } from './standing.queries.ts';
import { topicsOf } from './topics-of.ts';
import { workspaceWrites } from './workspace.queries.ts';

export type Writes = ReturnType<typeof prepareWrites>;
export type WriteName = keyof Writes;
export type WriteInput<Name extends WriteName> = Parameters<Writes[Name]>[0];
export type WriteOutput<Name extends WriteName> = ReturnType<Writes[Name]>;

/**
 * Everything that changes the database, by name. Each runs inside a transaction of the writer, takes plain data and returns
 * plain data, since the writer may be in another thread.
 */
export function prepareWrites(
  db: Db,
  { counts, notes, botId }: { counts: PostCounts; notes: CommitNotes; botId: string },
) {
  const audit = auditWrites(db, ({ action, hubId }) => {
    for (const topic of topicsOf(action)) notes.workspaceChanged({ topic, hubId });
  });
  const events = eventWrites(db, notes);
  const hubs = hubWrites(db, { audit, events, notes });
  const { markHub, markKind, ...mentionMarks } = mentionMarkWrites(db, notes);
  const memberships = membershipWrites(db, { audit, events, notes, markHub, markKind });
  const memberChanges = memberChangesOf(db, { events });
  const standing = standingReads(db);
  const people = personReads(db);
  const keys = keyWrites(db, { audit, counts, standing });
  const mentions = mentionWrites(db, notes);
  const posts = postWrites(db, { events, counts, keys, mentions, botId });
  return {
    ...workspaceWrites(db, audit),
    ...peopleWrites(db, { audit, notes, hubs, memberships, memberChanges, standing }),
    ...pictureWrites(db, { audit, standing, memberChanges, botId }),
    ...itemWrites(db, { audit, events, mentions, standing }),
    ...removalWrites(db, { audit, events }),
    ...pruneWrites(db, { events, counts }),
    ...noticeWrites(db, standing),
    ...mentionMarks,
    createHub: (input: { hub: HubRecord; audit: AuditRecord; memberId?: string | null }) => hubs.create(input),
    changeHub: (input: Parameters<typeof hubs.change>[0]) => hubs.change(input),
    deleteHub: (input: HubChange) => hubs.delete(input),
    restoreHub: (input: HubChange) => hubs.restore(input),
    noteExport: (input: HubChange) => hubs.noteExport(input),
    noteBackup: (input: { audit: AuditRecord }) => audit.insert(input.audit),
    addMember: (input: MemberChange) => {
      refuseFormerAdmin(people, input.audit.actor, []);
      return memberships.add(input);
    },
    removeMember: (input: MemberChange) => memberships.remove(input),
    markRead: (input: Parameters<typeof memberships.markRead>[0]) => memberships.markRead(input),
    issueKey: (input: NewKey) => keys.issue(input),
    succeedKey: (input: KeySuccession) => keys.succeed(input),
    revokeKey: (input: KeyRevocation) => keys.revoke(input),
    blockKey: (input: Parameters<typeof keys.block>[0]) => keys.block(input),
    noteBlocks: ({ blocks, note }: { blocks: readonly BlockToNote[]; note: BlockNote }) =>
      keys.noteBlocks(blocks, note),
    addUsage: (tallies: ReadonlyMap<string, KeyUsageTally>) => keys.addUsage(tallies),
    createPost: (post: NewPost) => posts.create(post),
  };
}
