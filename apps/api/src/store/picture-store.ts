import type { PictureType } from '@hub/contract';
import type { AuditRecord } from './audit-store.ts';
import type { ByPerson } from './standing.ts';
import type { PageRequest } from './store.ts';

/** Whose picture, and which. */
export interface PictureListing {
  /** A person or the bot. */
  ownerId: string;
  version: string;
}

export interface PictureRecord extends PictureListing {
  type: PictureType;
  bytes: Uint8Array;
}

/** Who looks: a person sees his own, those of people with whom he shares a Hub that is not deleted, and the bot's. `null`: all. */
export interface PictureViewer {
  viewerId: string | null;
}

interface PictureChange extends ByPerson {
  audit: AuditRecord;
}

/**
 * The pictures of people and of the bot. A change of a person's is an event in each of his Hubs. Changes of the bot's reject
 * with `forbidden` if the actor of the audit entry is a person who is no admin at that moment, others with `unauthenticated`
 * if his session has ended.
 */
export interface PictureStore {
  /** The same picture once more changes nothing. */
  set(change: PictureChange & { picture: PictureRecord }): Promise<void>;
  /** Which one it was; `null` if there was none. */
  remove(change: PictureChange & { ownerId: string }): Promise<PictureListing | null>;
  /** `null` also for one that this viewer may not see. */
  find(wanted: PictureViewer & { ownerId: string }): Promise<PictureRecord | null>;
  /** By the owners, the newest of them first. */
  list(page: PageRequest & PictureViewer): Promise<PictureListing[]>;
}
