import { type Actor, ALL_SCOPES, type Scope } from '@hub/contract';
import type { PageRequest } from '../core/paging.ts';
import type { SinceBoot } from '../core/ports.ts';
import type { AuditRecord } from './audit-store.ts';

/** Kinds of posts as a bit set, so that the kinds of a key can be updated without reading them first. */
const BITS: Readonly<Record<string, number>> = { message: 1, note: 2, todo: 4 };
const BIT_OF_SCOPE: Readonly<Record<Scope, number>> = { 'messages:create': 1, 'notes:create': 2, 'todos:create': 4 };

export function bitOf(kind: string): number {
  return BITS[kind] ?? 0;
}

export function scopesOf(kinds: number): Scope[] {
  return ALL_SCOPES.filter((scope) => (kinds & BIT_OF_SCOPE[scope]) !== 0);
}

/** Usage of a key on one day (days since 1970, UTC). */
export interface KeyDayRecord {
  day: number;
  requests: number;
  posts: number;
  /** Blocks that began on this day. */
  blocks: number;
}

/** An address from which a key was used. */
export interface KeyAddressRecord {
  address: string;
  lastUsedAt: number;
  requests: number;
}

/**
 * The number of keys whose usage one transaction saves. With thousands of keys, a single transaction would hold up the
 * posts for a tenth of a second.
 */
export const KEYS_PER_SAVE = 64;

/** Requests made with one key since its usage was last saved. */
export interface KeyUsageTally {
  requestCount: number;
  lastUsedAt: number;
  lastUsedAddress: string;
  /** The distinct client addresses. */
  addresses: readonly KeyAddressRecord[];
}

/** A block that begins at the time of its audit entry. */
export interface NewBlock {
  keyId: string;
  until: number;
  sinceBoot: SinceBoot | null;
  audit: AuditRecord;
}

export interface BlockToSave {
  keyId: string;
  /** `null`: the block has ended. */
  until: number | null;
}

/** A block as saved when the clock showed `savedAt` and the machine had been running for `sinceBoot`. */
export interface SavedBlock {
  keyId: string;
  until: number;
  savedAt: number;
  sinceBoot: SinceBoot | null;
}

/** The time at which blocks are saved. */
export interface BlockTime {
  at: number;
  sinceBoot: SinceBoot | null;
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

export interface KeyRepository extends KeyReads {
  /** Counts the keys of a Hub that are valid at `at` and have no successor. */
  countActive(hubId: string, at: number): Promise<number>;
  insert(key: KeyRecord, tokenHash: Uint8Array): Promise<void>;
  update(keyId: string, changes: KeyChanges): Promise<void>;
  /** Saves when a block ends. */
  saveBlock(block: BlockToSave, time: BlockTime): Promise<void>;
  /** Counts a block in the usage of the key on this day. */
  countBlock(keyId: string, at: number): Promise<void>;
  /**
   * Adds the requests since the last call, and saves how many posts these keys made. If these are fewer than
   * `KEYS_PER_SAVE` keys, it also saves the numbers of posts of other keys, beginning with those that have waited
   * longest. The numbers that `KeyReads` returns always include every post.
   */
  addUsage(tallies: ReadonlyMap<string, KeyUsageTally>): Promise<void>;
}

export type KeyChanges = Partial<Pick<KeyRecord, 'successorId' | 'overlapEndsAt' | 'revokedAt'>>;
