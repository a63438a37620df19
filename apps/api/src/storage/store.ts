import type { Actor, Priority, Scope } from '@hub/contract';
import type { AuditReads } from './audit-store.ts';
import type { AvatarReads } from './avatar-store.ts';
import type { BackupStore } from './backup-store.ts';
import type { EventLog, ItemReads, MentionReads } from './item-store.ts';
import type { KeyAddressRecord, KeyDayRecord, SavedBlock } from './key-use.ts';
import type { NotificationStore } from './notification-store.ts';
import type { HubRecord, ItemKind, PageRequest } from './records.ts';
import type { RemovalStore } from './removal-store.ts';
import type { Repositories } from './repositories.ts';
import type { MembershipReads, UserReads } from './users-store.ts';

/**
 * The port to the data store. Times are milliseconds since 1970 UTC.
 *
 * Every method that writes is one transaction, which is durable when the promise resolves and includes everything that
 * belongs to the change (event, audit entry, counters). A promise rejects with `StoreUnavailable` if the data could not
 * be read, or if the transaction could not be committed, in which case none of its changes are kept.
 * `store-contract.ts` is the test suite of every adapter.
 */
export interface Store {
  readonly hubs: HubReads;
  readonly keys: KeyReads;
  readonly audit: AuditReads;
  readonly users: UserReads;
  readonly avatars: AvatarReads;
  readonly memberships: MembershipReads;
  readonly items: ItemReads;
  readonly removals: RemovalStore;
  readonly events: EventLog;
  readonly mentions: MentionReads;
  readonly notifications: NotificationStore;
  readonly backups: BackupStore;
  readonly workspace: WorkspaceReads;
  totals(now: number): Promise<Totals>;
  /**
   * Runs `work` in one transaction, and resolves with its result once everything it has written is on disk. If it
   * rejects, nothing is kept; with `StoreUnavailable`, if the data could not be read or the transaction not committed.
   *
   * `work` can run twice, so it must have no effects other than through `tx`. It can await nothing but `tx`: a
   * transaction that awaits anything else is rejected.
   */
  transaction<T>(work: (tx: Repositories) => Promise<T>): Promise<T>;
  /** Rejects if the store cannot serve requests. */
  probe(): Promise<void>;
  /** Bytes on disk. */
  sizes(): { databaseBytes: number; walBytes: number };
  /** Commits waiting writes, then closes the files. */
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

export interface WorkspaceReads {
  find(): Promise<WorkspaceRecord>;
}

export type WorkspaceChanges = Partial<
  Pick<WorkspaceRecord, 'name' | 'botName' | 'membersManageKeys' | 'longestKeyLifetimeDays'>
>;

export interface Totals {
  hubs: number;
  keys: number;
  items: number;
}

/** A Hub with the sequence number of its newest event. */
export interface HubListing extends HubRecord {
  seq: number;
}

export type HubFilter = 'live' | 'deleted' | 'all';

/** The content of a Hub; `openTodos` is `null` if too many to-dos would have to be examined. */
export interface HubContents {
  members: number;
  notes: number;
  openTodos: number | null;
}

export interface HubReads {
  find(hubId: string): Promise<HubListing | null>;
  /** `memberId`: only the Hubs that this user is a member of. */
  list(page: PageRequest & { filter: HubFilter; memberId?: string | undefined }): Promise<HubListing[]>;
  /** Each count is limited to `max`. */
  countContents(hubId: string, max: number): Promise<HubContents>;
  /** Counts the members up to `max`. */
  countMembers(hubId: string, max: number): Promise<number>;
  /** Counts the keys that are valid at `at` (neither revoked nor expired), up to `max`. */
  countKeys(hubId: string, at: number, max: number): Promise<number>;
  /** Counts the items created before `at`, excluding replies, up to `max`. */
  countOlder(hubId: string, at: number, max: number): Promise<number>;
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

/** A key as shown in lists. */
export interface KeyListing extends KeyRecord {
  hubName: string;
  isHubDeleted: boolean;
  /** Whether the account that issued the key is disabled. */
  isIssuerGone: boolean;
  /** The scopes that the key has used at least once. */
  usedScopes: Scope[];
}

/** The part of a key that authentication needs. */
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

/** At most one of the filters may be set. */
export interface KeyPageRequest extends PageRequest {
  hubId?: string | undefined;
  /** Only keys in this user's Hubs. */
  memberId?: string | undefined;
  /** Only the keys that this user has issued. */
  issuerId?: string | undefined;
}

export interface KeyReads {
  /**
   * Returns the usage of these keys by day, starting at `fromDay`, oldest first. Days and keys without usage are left
   * out.
   */
  usageByDay(keyIds: readonly string[], fromDay: number): Promise<ReadonlyMap<string, KeyDayRecord[]>>;
  /** Returns the addresses from which this key was used, most recent first; only the last few are kept. */
  addresses(keyId: string): Promise<KeyAddressRecord[]>;
  findByTokenHash(tokenHash: Uint8Array): Promise<KeyCredential | null>;
  find(keyId: string): Promise<KeyListing | null>;
  list(page: KeyPageRequest): Promise<KeyListing[]>;
  /**
   * Lists the blocks that were not saved as ended, even if their end has passed according to the clock, since the clock
   * may have been adjusted.
   */
  listBlocked(): Promise<SavedBlock[]>;
}

/** An item as posted with a key. Fields that the kind does not have are `null`. */
export interface NewPost {
  id: string;
  kind: ItemKind;
  hubId: string;
  createdAt: number;
  keyId: string;
  /** Known here already, so that it need not be read again to show the post. */
  keyName: string;
  address: string;
  requestId: string;
  title: string | null;
  body: string | null;
  /** JSON, as it was sent. */
  blocks: string | null;
  dueAt: number | null;
  priority: Priority | null;
}
