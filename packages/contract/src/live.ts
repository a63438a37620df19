import type { UnreadState } from './hubs.ts';
import type { Item } from './items.ts';
import type { HubNotification } from './notifications.ts';

/** The names of item events. The part before the dot is the kind of item. */
const ITEM_EVENTS = [
  'message.created',
  'message.changed',
  'message.deleted',
  'message.restored',
  'note.created',
  'note.changed',
  'note.deleted',
  'note.restored',
  'todo.created',
  'todo.changed',
  'todo.deleted',
  'todo.restored',
] as const;
export type ItemEventName = (typeof ITEM_EVENTS)[number];

/** The topics of changes to workspace lists. The items in Hubs have their own events. */
export const WORKSPACE_TOPICS = ['keys', 'users', 'hubs', 'workspace', 'audit'] as const;
export type WorkspaceTopic = (typeof WORKSPACE_TOPICS)[number];

/** Frames sent to the server. */
export type SubscribeFrame = { type: 'subscribe'; hubId: string; after?: number; epoch?: string };
export type UnsubscribeFrame = { type: 'unsubscribe'; hubId: string };
/**
 * Whether the user is looking at this client, so that no notification is needed. Applies until the next such frame or
 * the end of the connection.
 */
export type AttendFrame = { type: 'attend'; isAttending: boolean };
export type ClientFrame = SubscribeFrame | UnsubscribeFrame | AttendFrame;

/**
 * A change in a Hub. `data` has the current state, which may be newer than the event, so a client can always replace
 * its own copy. For an item that has since been erased, only `id`, `kind`, `hubId` and `deletedAt` are left.
 */
export type EventFrame =
  | { type: 'event'; hubId: string; seq: number; event: ItemEventName; data: Item | ErasedItem }
  | { type: 'event'; hubId: string; seq: number; event: 'items.pruned'; data: { before: string } }
  | {
      type: 'event';
      hubId: string;
      seq: number;
      event: 'hub.changed';
      data: {
        name: string;
        topic: string | null;
        retentionDays: number | null;
        /** Only after an item was pinned or unpinned. */
        pinnedIds?: string[];
      };
    }
  | { type: 'event'; hubId: string; seq: number; event: 'hub.deleted' | 'hub.restored'; data: { name: string } }
  | {
      type: 'event';
      hubId: string;
      seq: number;
      event: 'member.added' | 'member.removed';
      data: { id: string; name: string };
    }
  /** A member of the Hub changed their name or avatar. */
  | {
      type: 'event';
      hubId: string;
      seq: number;
      event: 'member.changed';
      data: { id: string; name: string; avatarVersion: string | null };
    };

export interface ErasedItem {
  kind: Item['kind'];
  id: string;
  hubId: string;
  deletedAt: string;
}

/** Frames sent by the server. */
export type ServerFrame =
  /** The missing events follow, then new ones. `seq` is the newest event at this moment. */
  | { type: 'subscribed'; hubId: string; seq: number; epoch: string }
  /** The missing events cannot be replayed: reload the lists. Events after `seq` follow, as after `subscribed`. */
  | { type: 'reset'; hubId: string; seq: number; epoch: string }
  | EventFrame
  /** The Hubs that this client may read, or their names, have changed: repeat `GET /api/v1/hubs`. */
  | { type: 'hubs.changed' }
  /** Data of the workspace has changed: reload the lists that show it. */
  | { type: 'workspace.changed'; topics: WorkspaceTopic[] }
  /** A notification for the user. Unlike an event, it is not replayed. */
  | { type: 'notification'; notification: HubNotification }
  /** The user read items of a Hub, here or on another device, or an item mentions them. Not replayed either. */
  | ({ type: 'unread' } & UnreadState)
  | LiveErrorFrame;

export const LIVE_ERROR_CODES = [
  'invalid',
  'forbidden',
  'not_found',
  'hub_deleted',
  'not_member',
  'unavailable',
] as const;
export type LiveErrorCode = (typeof LIVE_ERROR_CODES)[number];

/**
 * With a `hubId`, the subscription to that Hub failed or ended. Without one, the frame was invalid. The connection
 * stays open.
 */
export type LiveErrorFrame = { type: 'error'; code: LiveErrorCode; message: string; hubId?: string };

/** The message for a user with a disabled account, at sign-in and as the reason why a live connection is closed. */
export const ACCOUNT_DISABLED = 'This account was disabled. Ask an admin of the workspace.';

/** Close codes beyond those of RFC 6455, section 7.4. */
export const LIVE_CLOSE = {
  /** The session or token is no longer valid, or the account was disabled: sign in again instead of reconnecting. */
  unauthenticated: 4401,
} as const;
