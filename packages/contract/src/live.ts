import type { UnreadState } from './hubs.ts';
import type { Item } from './items.ts';
import type { HubNotification } from './notifications.ts';

/** Where a live connection is opened: a WebSocket (RFC 6455), one per client, for all of its Hubs. */
export const LIVE_PATH = '/api/v1/live';

/** The events of items; the part before the point is the kind. */
export const ITEM_EVENTS = [
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

/** What lists of the workspace show, outside of the items of its Hubs. */
export const WORKSPACE_TOPICS = ['keys', 'people', 'hubs', 'workspace', 'audit'] as const;
export type WorkspaceTopic = (typeof WORKSPACE_TOPICS)[number];

/** To the server. */
export type SubscribeFrame = { type: 'subscribe'; hubId: string; after?: number; epoch?: string };
export type UnsubscribeFrame = { type: 'unsubscribe'; hubId: string };
/** Whether somebody looks at this client: then no notice need be given. It counts until the next one, or the end of the connection. */
export type AttendFrame = { type: 'attend'; isAttending: boolean };
export type ClientFrame = SubscribeFrame | UnsubscribeFrame | AttendFrame;

/**
 * A change of a Hub. `data` is the thing as it is now, which may be later than the event: a client that puts it in
 * place of what it has is right. Of what was erased meanwhile, only `id`, `kind`, `hubId` and `deletedAt` are left.
 */
export type EventFrame =
  | { type: 'event'; hubId: string; seq: number; event: ItemEventName; data: Item | ErasedItem }
  | { type: 'event'; hubId: string; seq: number; event: 'items.pruned'; data: { before: string } }
  | {
      type: 'event';
      hubId: string;
      seq: number;
      event: 'hub.changed';
      data: { name: string; retentionDays: number | null };
    }
  | { type: 'event'; hubId: string; seq: number; event: 'hub.deleted' | 'hub.restored'; data: { name: string } }
  | {
      type: 'event';
      hubId: string;
      seq: number;
      event: 'member.added' | 'member.removed';
      data: { id: string; name: string };
    }
  /** Somebody who belongs to the Hub has another name or another picture. */
  | {
      type: 'event';
      hubId: string;
      seq: number;
      event: 'member.changed';
      data: { id: string; name: string; pictureVersion: string | null };
    };

export interface ErasedItem {
  kind: Item['kind'];
  id: string;
  hubId: string;
  deletedAt: string;
}

/** From the server. */
export type ServerFrame =
  /** What is missing follows, then what comes. `seq` is the newest event at this moment. */
  | { type: 'subscribed'; hubId: string; seq: number; epoch: string }
  /** What is missing cannot be replayed: reload the lists. What comes after `seq` follows, as after `subscribed`. */
  | { type: 'reset'; hubId: string; seq: number; epoch: string }
  | EventFrame
  /** The Hubs that this client may read, or their names, have changed: `GET /api/v1/hubs` again. */
  | { type: 'hubs.changed' }
  /** Something of the workspace itself has changed, which lists of it show: load those anew. */
  | { type: 'workspace.changed'; topics: WorkspaceTopic[] }
  /** Something that the person wants to be told of. It is no event: it is not repeated. */
  | { type: 'notice'; notice: HubNotification }
  /** The person has read something of a Hub, here or elsewhere, or something in it is addressed to him. It is no event. */
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

/** With a `hubId`: that Hub is not followed (any more). Without: the frame was not understood. The connection stays. */
export type LiveErrorFrame = { type: 'error'; code: LiveErrorCode; message: string; hubId?: string };

/** What somebody is told whose account was disabled: at the way in, and as the reason when the live connection is closed with `unauthenticated`. */
export const ACCOUNT_DISABLED = 'This account was disabled. Ask an admin of the workspace.';

/** Close codes beyond those of RFC 6455, section 7.4. */
export const LIVE_CLOSE = {
  /** The session or token has ended, or the person was disabled: sign in again, do not just reconnect. */
  unauthenticated: 4401,
} as const;
