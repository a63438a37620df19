import type { Repositories } from '../repositories.ts';
import { auditWrites } from './audit.queries.ts';
import { avatarChanges } from './avatars.ts';
import type { CredentialCache } from './credential-cache.ts';
import type { CommitReportBuilder } from './engine/commit-report-builder.ts';
import type { Db } from './engine/database.ts';
import type { Async, RepositoryMaker } from './engine/transaction-session.ts';
import { eventWrites } from './events.ts';
import { hubCountReads } from './hub-counts.queries.ts';
import { hubReads } from './hubs.queries.ts';
import { keyChanges, keyReads } from './keys.ts';
import { membershipReads } from './membership-reads.queries.ts';
import { mentionWrites } from './mentions.queries.ts';
import { notificationChanges, notificationReads } from './notifications.ts';
import type { PostCounts } from './post-counts.ts';
import { postChanges } from './posts.queries.ts';
import { pruneChanges, pruneReads } from './prune.ts';
import { removalChanges, removalReads } from './removals.ts';
import { topicsOf } from './topics-of.ts';
import { userCredentialReads } from './user-credentials.queries.ts';
import { workspaceReads } from './workspace.queries.ts';
import { prepareWrites, type Writes } from './writes.ts';

export interface ConnectionState {
  counts: PostCounts;
  commitReport: CommitReportBuilder;
  credentials: CredentialCache;
  botId: string;
}

/** The repositories of a transaction: those of the port, and the writes that are not use cases yet. */
export interface SqliteRepositories extends Repositories {
  readonly named: Async<Writes>;
}

/** The reads of each noun, on the connection that reads committed data and on the one that writes. */
export function sqliteReads(db: Db, counts: PostCounts) {
  const hubCounts = hubCountReads(db);
  return {
    hubs: {
      ...hubReads(db),
      countContents: hubCounts.contents,
      countMembers: hubCounts.members,
      countKeys: hubCounts.keys,
      countOlder: hubCounts.older,
    },
    keys: keyReads(db, counts),
    notifications: notificationReads(db),
    removals: removalReads(db),
  };
}

/** Prepares the statements of all repositories, and returns how to bind them to a transaction. */
export function sqliteRepositories(db: Db, state: ConnectionState): (maker: RepositoryMaker) => SqliteRepositories {
  const { counts, commitReport, credentials, botId } = state;
  const audit = auditWrites(db, ({ action, hubId }) => {
    for (const topic of topicsOf(action)) commitReport.workspaceChanged({ topic, hubId });
  });
  const events = eventWrites(db, commitReport);
  const reads = sqliteReads(db, counts);
  const keys = keyChanges(db, { counts, credentials, find: reads.keys.find });
  const posts = postChanges(db, { counts, commitReport, botId });
  const { find: findMembership, listHubIds } = membershipReads(db);
  const avatars = avatarChanges(db);
  const { write: writeMentions } = mentionWrites(db, commitReport);
  const notifications = notificationChanges(db);
  const pruning = { reads: pruneReads(db), changes: pruneChanges(db, counts) };
  const removals = removalChanges(db);
  const { findById: findCredentialById } = userCredentialReads(db);
  const { find: workspace } = workspaceReads(db);
  const named = prepareWrites(db, { audit, events, commitReport, credentials, counts, botId });
  return ({ reads: read, changes: change }) => ({
    audit: change({ insert: audit.insert }),
    avatars: { ...read(avatars.reads), ...change(avatars.changes) },
    events: change({ append: events.append }),
    hubs: read(reads.hubs),
    items: change({ insertPost: posts.insertPost }),
    keys: { ...read({ ...reads.keys, ...keys.reads }), ...change(keys.changes) },
    memberships: read({ find: findMembership, listHubIds }),
    mentions: change({ write: writeMentions }),
    notifications: { ...read(reads.notifications), ...change(notifications) },
    pruning: { ...read(pruning.reads), ...change(pruning.changes) },
    removals: { ...read(reads.removals), ...change(removals) },
    users: read({ findCredentialById }),
    ...read({ workspace }),
    named: change(named),
  });
}
