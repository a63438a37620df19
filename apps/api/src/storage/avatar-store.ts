import type { AvatarType } from '@hub/contract';
import type { PageRequest } from '../core/paging.ts';

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

/** The avatars of users and of the bot. */
export interface AvatarReads {
  /** Returns `null` if there is no such avatar, or this viewer may not see it. */
  find(wanted: AvatarViewer & { ownerId: string }): Promise<AvatarRecord | null>;
  /** Sorted by owner, newest first. */
  list(page: PageRequest & AvatarViewer): Promise<AvatarListing[]>;
}

export interface AvatarRepository {
  findVersion(ownerId: string): Promise<string | null>;
  /** Replaces any avatar of this owner. */
  set(avatar: AvatarRecord): Promise<void>;
  delete(ownerId: string): Promise<void>;
}
