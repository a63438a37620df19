import type { SinceBoot } from '../ports.ts';
import type { AuditRecord } from './audit-store.ts';

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
