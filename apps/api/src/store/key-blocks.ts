import type { SinceBoot } from '../ports.ts';
import type { AuditRecord } from './audit-store.ts';

/** A block that begins at the time of its audit entry. */
export interface NewBlock {
  keyId: string;
  until: number;
  sinceBoot: SinceBoot | null;
  audit: AuditRecord;
}

export interface BlockToNote {
  keyId: string;
  /** `null`: it has ended. */
  until: number | null;
}

/** A block as it was written down when the clock showed `notedAt`, and the machine had run for `sinceBoot`. */
export interface NotedBlock {
  keyId: string;
  until: number;
  notedAt: number;
  sinceBoot: SinceBoot | null;
}

/** The time at which blocks are written down. */
export interface BlockNote {
  at: number;
  sinceBoot: SinceBoot | null;
}
