import type { Actor, Priority, Scope } from '@hub/contract';
import type { AuditRecord, AuditStore } from './audit-store.ts';
import type { AvatarStore } from './avatar-store.ts';
import type { BackupStore } from './backup-store.ts';
import type { EventLog, ItemStore } from './item-store.ts';
import type { BlockNote, BlockToNote, NewBlock, NotedBlock } from './key-blocks.ts';
import type { KeyAddressRecord, KeyDayRecord, KeyUsageTally } from './key-use.ts';
import type { MentionStore } from './mention-store.ts';
import type { NotificationStore } from './notification-store.ts';
import type { PruneStore } from './prune-store.ts';
import type { RemovalStore } from './removal-store.ts';
import type { ByUser } from './state.ts';
import type { MembershipStore, UserStore } from './users-store.ts';

/**
 * The port to whatever keeps the data. Times are milliseconds since 1970 UTC.
 *
 * Every method that writes is one transaction, which is durable when its promise resolves, and everything that
 * belongs to the change (event, audit entry, counters) is inside it. A promise rejects with `StoreUnavailable`
 * if the transaction could not be committed (then nothing of it is kept) or the data could not be read.
 * `store-contract.ts` is the test-suite of every adapter.
 */
export interface Store {
  readonly hubs: HubStore;
  readonly keys: KeyStore;
  readonly posts: PostStore;
  readonly audit: AuditStore;
  readonly users: UserStore;
  readonly avatars: AvatarStore;
  readonly memberships: MembershipStore;
  readonly items: ItemStore & RemovalStore & PruneStore;
  readonly events: EventLog;
  readonly mentions: MentionStore;
  readonly notifications: NotificationStore;
  readonly backups: BackupStore;
  workspace(): Promise<WorkspaceRecord>;
  changeWorkspace(change: { changes: WorkspaceChanges; audit: AuditRecord }): Promise<WorkspaceRecord>;
  totals(now: number): Promise<Totals>;
  /** Rejects when the store cannot serve. */
  probe(): Promise<void>;
  /** Bytes on disk. */
  sizes(): { databaseBytes: number; walBytes: number };
  /** Commits what is waiting, then lets go of the files. */
  close(): Promise<void>;
}

export interface WorkspaceRecord {
  botId: string;
  botName: string;
  epoch: string;
  name: string;
  membersManageKeys: boolean;
  longestKeyLifetimeDays: number | null;
}

export type WorkspaceChanges = Partial<
  Pick<WorkspaceRecord, 'name' | 'botName' | 'membersManageKeys' | 'longestKeyLifetimeDays'>
>;

export interface Totals {
  hubs: number;
  keys: number;
  items: number;
}

/** A page of a list, newest first: what comes before the id `before`, at most `limit`. */
export interface PageRequest {
  limit: number;
  before?: string | undefined;
}

export interface HubRecord {
  id: string;
  name: string;
  conversationId: string;
  notesBucketId: string;
  todosBucketId: string;
  createdAt: number;
  deletedAt: number | null;
  retentionDays: number | null;
}

/** A Hub with the number of its newest event. */
export interface HubListing extends HubRecord {
  seq: number;
}

export type HubFilter = 'live' | 'deleted' | 'all';

/** A change of one Hub and the audit entry that tells of it. `null` comes back if there is no such Hub. */
export interface HubChange {
  hubId: string;
  audit: AuditRecord;
}

/** What there is in a Hub; `openTodos` is `null` if too many to-dos would have to be looked at. */
export interface HubContents {
  members: number;
  notes: number;
  openTodos: number | null;
}

export interface HubStore {
  /** `memberId`: who made it, and belongs to it from the start. */
  create(hub: HubRecord, audit: AuditRecord, memberId?: string | null): Promise<HubListing>;
  change(change: HubChange & { name?: string; retentionDays?: number | null }): Promise<HubListing | null>;
  /** Deleting a deleted Hub and restoring a live one change nothing. */
  delete(change: HubChange): Promise<HubListing | null>;
  restore(change: HubChange): Promise<HubListing | null>;
  /** Writes down that it is exported, and returns it as it is at that moment. It is no event. */
  noteExport(change: HubChange): Promise<HubListing | null>;
  find(hubId: string): Promise<HubListing | null>;
  /** `memberId`: only those that this person belongs to. */
  list(page: PageRequest & { filter: HubFilter; memberId?: string | undefined }): Promise<HubListing[]>;
  /** Each counted up to `most`. */
  countContents(hubId: string, most: number): Promise<HubContents>;
  /** Who belongs to it, counted up to `most`. */
  countMembers(hubId: string, most: number): Promise<number>;
  /** Keys that authenticate at `at`: not revoked and before their end. */
  countKeys(hubId: string, at: number, most: number): Promise<number>;
  /** Items made before `at`, without replies, counted up to `most`. */
  countOlder(hubId: string, at: number, most: number): Promise<number>;
}

export interface KeyRecord {
  id: string;
  hubId: string;
  name: string;
  lastFour: string;
  scopes: Scope[];
  generation: number;
  predecessorId: string | null;
  successorId: string | null;
  createdAt: number;
  createdBy: Actor;
  expiresAt: number | null;
  overlapEndsAt: number | null;
  revokedAt: number | null;
  blockedUntil: number | null;
  lastUsedAt: number | null;
  lastUsedAddress: string | null;
  requestCount: number;
  postCount: number;
}

/** A key as lists show it. */
export interface KeyListing extends KeyRecord {
  hubName: string;
  isHubDeleted: boolean;
  /** Whether the account of who issued it was disabled since. */
  isIssuerGone: boolean;
  /** What it has created at least once. */
  usedScopes: Scope[];
}

/** What the gate needs to judge a request. */
export interface KeyCredential {
  id: string;
  name: string;
  hubId: string;
  scopes: Scope[];
  expiresAt: number | null;
  overlapEndsAt: number | null;
  revokedAt: number | null;
  hubDeletedAt: number | null;
}

export interface NewKey extends ByUser {
  /** Refused if the Hub has so many active keys; left out: however many it has. */
  maxActive?: number | undefined;
  key: KeyRecord;
  tokenHash: Uint8Array;
  audit: AuditRecord;
}

export interface KeySuccession extends NewKey {
  predecessorId: string;
  at: number;
  /** When the predecessor stops working; equal to `at` it is revoked in this step. */
  overlapEndsAt: number;
}

/** With at most one of the filters. */
export interface KeyPageRequest extends PageRequest {
  hubId?: string | undefined;
  /** Only the keys of Hubs that this person belongs to. */
  memberId?: string | undefined;
  /** Only the keys that this person has issued. */
  issuerId?: string | undefined;
}

/** Who may not manage keys any more (`by`) is refused as he would be before he asked. */
export interface KeyStore {
  /** Rejects with a `not_found` refusal if the Hub is gone. */
  issue(newKey: NewKey): Promise<KeyListing>;
  /** `successor` unless the predecessor has just been rotated or revoked by somebody else, which changes nothing. */
  succeed(succession: KeySuccession): Promise<{ outcome: 'done'; successor: KeyListing } | { outcome: 'too_late' }>;
  /** Revoking a revoked key changes nothing. */
  revoke(change: ByUser & { keyId: string; at: number; audit: AuditRecord }): Promise<KeyListing | null>;
  block(block: NewBlock): Promise<void>;
  /** Writes down when these blocks end by a clock that now shows `at`. It is how a clock that was set is followed. */
  noteBlocks(blocks: readonly BlockToNote[], note: BlockNote): Promise<void>;
  /** Requests since the last call. Posts are counted by the store itself, exactly. */
  addUsage(tallies: ReadonlyMap<string, KeyUsageTally>): Promise<void>;
  /** What these keys did on each day from `fromDay` on, oldest first; days and keys without use are left out. */
  usageByDay(keyIds: readonly string[], fromDay: number): Promise<ReadonlyMap<string, KeyDayRecord[]>>;
  /** From where this key was used, the latest first: the last few addresses alone are kept. */
  addresses(keyId: string): Promise<KeyAddressRecord[]>;
  findByTokenHash(tokenHash: Uint8Array): Promise<KeyCredential | null>;
  find(keyId: string): Promise<KeyListing | null>;
  list(page: KeyPageRequest): Promise<KeyListing[]>;
  /** The blocks whose end was not written down. By the clock it may have passed, but the clock may have been set. */
  listBlocked(): Promise<NotedBlock[]>;
}

export type ItemKind = 'message' | 'note' | 'todo';

/** An item as a key posts it. Fields that the kind does not have are `null`. */
export interface NewPost {
  id: string;
  kind: ItemKind;
  hubId: string;
  createdAt: number;
  keyId: string;
  address: string;
  requestId: string;
  title: string | null;
  body: string | null;
  /** JSON, as it was sent. */
  blocks: string | null;
  dueAt: number | null;
  priority: Priority | null;
}

export interface PostStore {
  /**
   * The item and its event, in one transaction; it counts for its key from then on. Rejects with `unauthenticated` if the key
   * was revoked or rotated and is not valid any more at `createdAt`, and with `not_found` if the Hub was deleted.
   */
  create(post: NewPost): Promise<{ seq: number; containerId: string }>;
}
