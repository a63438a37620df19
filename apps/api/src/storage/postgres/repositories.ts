import { auditChanges } from '../audit.ts';
import { avatarChanges } from '../avatars.ts';
import type { CommitReportBuilder } from '../commit-report-builder.ts';
import { eventChanges } from '../events.ts';
import { hubChanges } from '../hubs.ts';
import { itemChanges } from '../item-changes.ts';
import { keyChanges } from '../keys.ts';
import { linkChanges, linkReads } from '../links.ts';
import { membershipChanges } from '../memberships.ts';
import { mentionChanges } from '../mentions.ts';
import { notificationChanges } from '../notifications.ts';
import { pruneChanges } from '../prune.ts';
import { removalChanges } from '../removals.ts';
import type { Repositories } from '../repositories.ts';
import { sessionChanges, sessionReads, tokenChanges } from '../sessions-and-tokens.ts';
import { userChanges } from '../users.ts';
import { workspaceChanges } from '../workspace.ts';
import type { Connection } from './engine/database.ts';
import { postChanges } from './posts.ts';
import { itemTermsOn } from './search.ts';

/**
 * The repositories of one transaction. What a transaction finds by its id is locked until it ends: the use cases decide
 * on it, and on SQLite nothing else can happen in between either.
 */
export function postgresRepositories(
  on: Connection,
  report: CommitReportBuilder,
): Repositories & { posts: ReturnType<typeof postChanges> } {
  const indexing = itemTermsOn(on);
  return {
    audit: auditChanges(on, report),
    avatars: avatarChanges(on),
    events: eventChanges(on, report),
    hubs: hubChanges(on, report),
    items: itemChanges(on, indexing),
    keys: keyChanges(on),
    links: linkChanges(on),
    memberships: membershipChanges(on, report),
    mentions: mentionChanges(on, report),
    notifications: notificationChanges(on),
    posts: postChanges(on, report),
    pruning: pruneChanges(on, { indexing }),
    removals: removalChanges(on, indexing),
    sessions: sessionChanges(on, report),
    tokens: tokenChanges(on, report),
    users: { ...userChanges(on, report), ...sessionReads(on), ...linkReads(on) },
    workspace: workspaceChanges(on),
  };
}
