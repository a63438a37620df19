import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { auditChanges, auditEntries, auditReads } from './audit.ts';
import { avatarChanges, avatarReads, avatars } from './avatars.ts';
import type { CommitReportBuilder } from './commit-report.ts';
import { deviceLoginChanges, deviceLoginReads, deviceLogins } from './device-logins.ts';
import type { Connection, ReadConnection } from './engine/connection.ts';
import { eventChanges, eventLog } from './events.ts';
import { factorChanges, factorReads, factors, recoveryCodes, usedChallenges } from './factors.ts';
import { fileChanges, fileReads, files } from './files.ts';
import { countTotals, hubChanges, hubReads } from './hubs.ts';
import { identities, identityChanges, identityReads } from './identities.ts';
import { itemListReads } from './item-lists.ts';
import { type ItemIndexing, itemChanges, itemReads } from './items.ts';
import { type KeyCounting, keyAddresses, keyDays, type UnsavedPostsOf } from './key-usage.ts';
import { keyChanges, keyReads } from './keys.ts';
import { linkChanges, linkReads, links } from './links.ts';
import { mailChanges, mailReads, mails } from './mails.ts';
import { membershipChanges, membershipReads } from './memberships.ts';
import { mentionChanges, mentionReads } from './mentions.ts';
import { notificationChanges, notificationReads, notificationTables } from './notifications.ts';
import { openQuestionChanges, openQuestionReads, openQuestions } from './open-questions.ts';
import { pinChanges, pinReads, pins } from './pins.ts';
import { pruneChanges } from './prune.ts';
import { removalChanges, removalReads, removals } from './removals.ts';
import { apiKeys } from './schema/api-keys.table.ts';
import { hubs } from './schema/hubs.table.ts';
import { events, items, mentions, reactions, touchedItems } from './schema/items.table.ts';
import { memberships, personalTokens, sessions, users } from './schema/users.table.ts';
import { workspace } from './schema/workspace.table.ts';
import { sessionChanges, sessionReads, tokenChanges } from './sessions-and-tokens.ts';
import { todoChangeReads, todoChanges, todoChangeWrites } from './todo-changes.ts';
import { userChanges, userReads } from './users.ts';
import { workspaceChanges, workspaceReads } from './workspace.ts';

export type Reads = Readonly<ReturnType<typeof readsOn>>;

/** Returns the reads of committed data, by noun. */
export function readsOn(on: ReadConnection, unsavedOf?: UnsavedPostsOf) {
  return {
    audit: auditReads(on),
    avatars: avatarReads(on),
    events: eventLog(on),
    factors: factorReads(on),
    files: fileReads(on),
    hubs: hubReads(on),
    identities: identityReads(on),
    items: { ...itemReads(on), ...itemListReads(on) },
    keys: keyReads(on, unsavedOf),
    mails: mailReads(on),
    memberships: membershipReads(on),
    mentions: mentionReads(on),
    notifications: notificationReads(on),
    openQuestions: openQuestionReads(on),
    pins: pinReads(on),
    removals: removalReads(on),
    todoChanges: todoChangeReads(on),
    users: { ...userReads(on), ...sessionReads(on), ...linkReads(on), ...deviceLoginReads(on) },
    workspace: { ...workspaceReads(on), totals: (now: number) => countTotals(on, now) },
  };
}

/** The state that a database keeps beside the tables of both. */
interface Differences {
  indexing: ItemIndexing;
  counts: KeyCounting;
  /** Called for every write that may change what keys may do; `keyId`: what one key may do. */
  keysChanged?: (keyId?: string) => void;
}

export type Repositories = Readonly<ReturnType<typeof repositoriesOn>>;

/**
 * The repositories of a transaction. They hold no rules: use cases decide before they write. What a transaction finds
 * by its id is locked until it ends, because the use cases decide on it.
 */
export function repositoriesOn(on: Connection, report: CommitReportBuilder, differences: Differences) {
  const { indexing, counts, keysChanged } = differences;
  return {
    audit: auditChanges(on, report),
    avatars: avatarChanges(on),
    deviceLogins: deviceLoginChanges(on),
    events: eventChanges(on, report),
    factors: factorChanges(on, report),
    files: fileChanges(on),
    hubs: hubChanges(on, report, keysChanged),
    identities: identityChanges(on),
    items: itemChanges(on, indexing),
    keys: keyChanges(on, counts, keysChanged),
    links: linkChanges(on),
    mails: mailChanges(on, report),
    memberships: membershipChanges(on, report),
    mentions: mentionChanges(on, report),
    notifications: notificationChanges(on, report),
    openQuestions: openQuestionChanges(on, report),
    pins: pinChanges(on),
    pruning: pruneChanges(on, indexing, counts),
    removals: removalChanges(on, indexing),
    sessions: sessionChanges(on, report),
    todoChanges: todoChangeWrites(on),
    tokens: tokenChanges(on, report),
    users: { ...userChanges(on, report), ...sessionReads(on), ...linkReads(on), ...deviceLoginReads(on) },
    workspace: workspaceChanges(on),
  };
}

/** The tables that both databases have, in an order in which none refers to a later one. */
export const sharedTables: readonly SQLiteTable[] = [
  workspace,
  users,
  hubs,
  memberships,
  sessions,
  personalTokens,
  deviceLogins,
  identities,
  factors,
  recoveryCodes,
  usedChallenges,
  links,
  mails,
  apiKeys,
  keyDays,
  keyAddresses,
  items,
  events,
  reactions,
  mentions,
  files,
  pins,
  openQuestions,
  todoChanges,
  removals,
  auditEntries,
  avatars,
  ...notificationTables,
];

/** In PostgreSQL, an item's search terms are saved with it (`postgres-tables.ts`). */
export const sqliteTables: readonly SQLiteTable[] = [...sharedTables, touchedItems];
