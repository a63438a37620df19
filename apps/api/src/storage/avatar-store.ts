import type { AvatarType } from '@hub/contract';
import type { UserAction } from './acting-user.ts';
import type { AuditRecord } from './audit-store.ts';
import type { PageRequest } from './records.ts';

/** The owner of an avatar, and its version. */
export interface AvatarListing {
  /** A user or the bot. */
  ownerId: string;
  version: string;
}

export interface AvatarRecord extends AvatarListing {
  type: AvatarType;
  bytes: Uint8Array;
}

/**
 * The viewer. Users see their own avatar, those of users with whom they share a live Hub, and the bot's. `null`: no
 * restriction.
 */
export interface AvatarViewer {
  viewerId: string | null;
}

interface AvatarChange extends UserAction {
  audit: AuditRecord;
}

/**
 * The avatars of users and of the bot. Changing a user's avatar writes an event in each of their Hubs, and rejects with
 * `unauthenticated` if the session has ended. Changing the bot's avatar rejects with `forbidden` if the actor in the
 * audit entry is a user who is no longer an admin.
 */
export interface AvatarStore {
  /** Setting the same avatar again changes nothing. */
  set(change: AvatarChange & { avatar: AvatarRecord }): Promise<void>;
  /** Returns the removed avatar; `null` if there was none. */
  remove(change: AvatarChange & { ownerId: string }): Promise<AvatarListing | null>;
  /** Returns `null` if there is no such avatar, or this viewer may not see it. */
  find(wanted: AvatarViewer & { ownerId: string }): Promise<AvatarRecord | null>;
  /** Sorted by owner, newest first. */
  list(page: PageRequest & AvatarViewer): Promise<AvatarListing[]>;
}
