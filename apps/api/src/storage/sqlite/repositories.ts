import { auditChanges, auditReads } from '../audit.ts';
import { avatarChanges, avatarReads } from '../avatars.ts';
import type { CommitReportBuilder } from '../commit-report-builder.ts';
import { countTotals } from '../counts.ts';
import type { Connection } from '../engine/query.ts';
import { eventChanges, eventLog } from '../events.ts';
import { type HubRepository, hubChanges, hubReads } from '../hubs.ts';
import { itemChanges } from '../item-changes.ts';
import { itemListReads } from '../item-lists.ts';
import { itemReads } from '../items.ts';
import type { KeyUsageTally } from '../key-usage.ts';
import { findCredential, type KeyChanges, keyChanges, keyReads } from '../keys.ts';
import { linkChanges, linkReads } from '../links.ts';
import { membershipChanges, membershipReads } from '../memberships.ts';
import { mentionChanges, mentionReads } from '../mentions.ts';
import { countSubscriptions, notificationChanges, notificationReads } from '../notifications.ts';
import { pruneChanges } from '../prune.ts';
import { removalChanges, removalReads } from '../removals.ts';
import type { Repositories } from '../repositories.ts';
import { sessionChanges, sessionReads, tokenChanges } from '../sessions-and-tokens.ts';
import { userChanges, userReads } from '../users.ts';
import { findWorkspace, workspaceChanges, workspaceReads } from '../workspace.ts';
import type { CredentialCache } from './credential-cache.ts';
import type { SqliteConnection } from './engine/statements.ts';
import type { PostCounts } from './post-counts.ts';
import { touchedItemsOn } from './touched-items.ts';

/** The reads of each noun on a connection that reads committed data. */
export function sqliteReads(on: SqliteConnection, counts: PostCounts) {
  return {
    audit: auditReads(on),
    avatars: avatarReads(on),
    credentials: { find: (tokenHash: Uint8Array) => on.first(findCredential, { tokenHash }) ?? null },
    events: eventLog(on),
    hubs: hubReads(on),
    items: { ...itemReads(on), ...itemListReads(on) },
    keys: keyReads(on, counts.unsaved),
    memberships: membershipReads(on),
    mentions: mentionReads(on),
    notifications: notificationReads(on),
    removals: removalReads(on),
    subscriptions: { countSubscriptions: () => on.first(countSubscriptions)?.all ?? 0 },
    totals: { totals: (now: number) => countTotals(on, now), probe: () => void on.first(findWorkspace) },
    users: { ...userReads(on), ...sessionReads(on), ...linkReads(on) },
    workspace: workspaceReads(on),
  };
}

interface MemoryState {
  counts: PostCounts;
  commitReport: CommitReportBuilder;
  credentials: CredentialCache;
}

/** The repositories of a transaction. */
export function sqliteRepositories(on: Connection, { counts, commitReport, credentials }: MemoryState): Repositories {
  const indexing = touchedItemsOn(on);
  return {
    audit: auditChanges(on, commitReport),
    avatars: avatarChanges(on),
    events: eventChanges(on, commitReport),
    hubs: hubsOfKeys(hubChanges(on, commitReport), credentials),
    items: itemChanges(on, indexing),
    keys: sqliteKeyChanges(on, { counts, credentials }),
    links: linkChanges(on),
    memberships: membershipChanges(on, commitReport),
    mentions: mentionChanges(on, commitReport),
    notifications: notificationChanges(on),
    pruning: pruneChanges(on, { indexing, savePostCounts: () => counts.save(on, new Map()) }),
    removals: removalChanges(on, indexing),
    sessions: sessionChanges(on, commitReport),
    tokens: tokenChanges(on, commitReport),
    users: { ...userChanges(on, commitReport), ...sessionReads(on), ...linkReads(on) },
    workspace: workspaceChanges(on),
  };
}

/** Keeps what is in memory in step with the keys. */
function sqliteKeyChanges(on: Connection, { counts, credentials }: Omit<MemoryState, 'commitReport'>) {
  const keys = keyChanges(on, counts.unsaved);
  return {
    ...keys,
    update: (keyId: string, changes: KeyChanges): Promise<void> => {
      credentials.invalidate(keyId);
      return keys.update(keyId, changes);
    },
    addUsage: (tallies: ReadonlyMap<string, KeyUsageTally>): Promise<void> => counts.save(on, tallies),
  };
}

/** The keys of a deleted Hub are not accepted. */
function hubsOfKeys(hubs: HubRepository, credentials: CredentialCache): HubRepository {
  const update: HubRepository['update'] = (hubId, changes) => {
    if (changes.deletedAt !== undefined) credentials.invalidate();
    return hubs.update(hubId, changes);
  };
  return { ...hubs, update };
}
