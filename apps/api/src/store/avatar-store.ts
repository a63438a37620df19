import type { AvatarType } from '@hub/contract';
import type { AuditRecord } from './audit-store.ts';
import type { ByUser } from './state.ts';
import type { PageRequest } from './store.ts';

/** Whose picture, and which. */
export interface AvatarListing {
  /** A person or the bot. */
  ownerId: string;
  version: string;
}

export interface AvatarRecord extends AvatarListing {
  type: AvatarType;
  bytes: Uint8Array;
}

/** Who looks: a person sees his own, those of people with whom he shares a Hub that is not deleted, and the bot's. `null`: all. */
export interface AvatarViewer {
  viewerId: string | null;
}

interface AvatarChange extends ByUser {
  audit: AuditRecord;
}

/**
 * The pictures of people and of the bot. A change of a person's is an event in each of his Hubs. Changes of the bot's reject
 * with `forbidden` if the actor of the audit entry is a person who is no admin at that moment, others with `unauthenticated`
 * if his session has ended.
 */
export interface AvatarStore {
  /** The same picture once more changes nothing. */
  set(change: AvatarChange & { avatar: AvatarRecord }): Promise<void>;
  /** Which one it was; `null` if there was none. */
  remove(change: AvatarChange & { ownerId: string }): Promise<AvatarListing | null>;
  /** `null` also for one that this viewer may not see. */
  find(wanted: AvatarViewer & { ownerId: string }): Promise<AvatarRecord | null>;
  /** By the owners, the newest of them first. */
  list(page: PageRequest & AvatarViewer): Promise<AvatarListing[]>;
}
