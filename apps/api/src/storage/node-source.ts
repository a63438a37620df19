import type { HubNotification } from '@hub/contract';
import type { Admission } from '../platform/sliding-window.ts';
import type { KeyCredential, KeyReads, KeyRecord, NewBlock } from './keys.ts';

/** This server as one of several that share a workspace. */
export interface NodeSource {
  id: string;
  /** Whether this is the node that does what must be done once. */
  isLeader(): boolean;
  cluster(): Promise<Cluster>;
  readonly notifications: NotificationHandover;
}

/** A notification that is not sent yet: of one item, or of the newest of `count` items in its Hub. */
export interface WaitingNotification {
  userId: string;
  hubId: string;
  itemId: string;
  reason: 'mention' | 'assignment' | 'reply' | 'post';
  keyId: string | null;
  /** The user who caused it; `null` if that is the author of the item. */
  byId: string | null;
  /** The number of the event. */
  seq: number;
  count: number;
}

/** The number of the last event that was read in each Hub. */
export type Positions = ReadonlyMap<string, number>;

/** The users with open pages on a node, once for each page, and those who are looking at one. */
export interface Presence {
  pages: string[];
  attending: string[];
}

/** The work of a node for notifications. */
export interface NotificationWorker {
  /** Called when this node has become the leader. Begins to notify, where the last leader stopped. */
  startLeading(): Promise<void>;
  /** Called every second while this node leads. */
  tick(): Promise<void>;
  /** Called when this node no longer leads. Another one continues with everything that is not sent yet. */
  stopLeading(): void;
  /** Called when a user looks at a page on another node. */
  attended(userId: string): void;
  /** Shows a notification of the leader in the open pages on this node. */
  show(userId: string, notification: HubNotification): void;
}

/** The state that nodes share, so that the leader notifies users on all of them, and the next leader continues. */
interface NotificationHandover {
  attach(worker: NotificationWorker, presence: () => Presence): void;
  /** Returns what the last leader has left. */
  takeOver(): Promise<{ positions: Positions; waiting: WaitingNotification[] }>;
  /** Saves how far the events of Hubs are read, if they cause no notifications. */
  savePositions(positions: Positions): Promise<void>;
  /** Saves how far the events of a Hub are read, together with what they cause. Rejects if this node no longer leads. */
  add(hubId: string, seq: number, waiting: readonly WaitingNotification[]): Promise<void>;
  /** Whether this session's browser has it already; `null` if it is no longer waiting, or this node no longer leads. */
  isSent(waiting: WaitingNotification, browser: string): Promise<boolean | null>;
  sent(waiting: WaitingNotification, browser: string): Promise<void>;
  remove(waiting: WaitingNotification): Promise<void>;
  removeAll(userId: string): Promise<void>;
  /** Whether any browser is subscribed, or any page is open on another node. */
  canReachAnyUser(): Promise<boolean>;
  /** The number of pages that a user has open on other nodes, and whether the user is looking at one of them. */
  presenceElsewhere(userId: string): Promise<{ pages: number; isAttended: boolean }>;
  /** Tells the other nodes that pages were opened or closed here, or that a user now looks at one. */
  presenceChanged(attended: string | null): void;
  showElsewhere(userId: string, notification: HubNotification): void;
}

/** The servers behind a workspace, as far as this node's account may see them. */
export interface Cluster {
  /** The number of nodes that are connected to the database. */
  nodes: number;
  standbys: Standby[];
}

/** A copy of the database that PostgreSQL itself keeps up to date. */
export interface Standby {
  name: string;
  /** `null`: unknown, since only accounts with the role `pg_monitor` can see it. */
  isSynchronous: boolean | null;
  /** How much of the log it has not replayed yet; `null`: unknown. */
  lagBytes: number | null;
}

/** A key, and whether this request with it is admitted. */
export interface CountedRequest {
  key: KeyCredential;
  /** `null`: the key is not valid, so the request is not counted. */
  admission: Admission | null;
}

/** Limits the requests of each key: in memory (`KeyLimiter`), or for all nodes in their database (`SharedLimiter`). */
export interface RequestLimiter {
  /** Finds the key for the hash of its token, and counts this request if `isValid`. Returns `null` if there is none. */
  countRequest(
    tokenHash: Uint8Array,
    find: Pick<KeyReads, 'findByTokenHash'> & { isValid: (key: KeyCredential) => boolean },
  ): Promise<CountedRequest | null>;
  /** Counts one request with this key, and returns whether it is admitted. */
  admit(keyId: string): Admission | Promise<Admission>;
  /** When the block of this key ends, by a clock that shows `now`; `null` if it is not blocked. */
  blockedUntil(key: Pick<KeyRecord, 'id' | 'blockedUntil'>, now: number): number | null;
  /** Blocks that could not be saved when they began. Each is retried with its audit entry. */
  readonly unsavedBlocks: Map<string, NewBlock>;
  /** Active blocks, and ended ones whose end must be saved, if this process alone knows them. */
  blocks(): { keyId: string; remainingMs: number }[];
  forgetEndedBlock(keyId: string): void;
}
