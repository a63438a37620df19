import type { SinceBoot } from '../ports.ts';
import type { AuditRecord } from './audit-store.ts';

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
