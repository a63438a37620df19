import type { EventFrame, HubNotification, LiveErrorCode, UnreadState, WorkspaceTopic } from './frames.ts';

/** The response to a `subscribe`: the missing events follow, or (`reset`) cannot be replayed. */
export interface ResponseFrame {
  type: 'subscribed' | 'reset';
  hubId: string;
  /** The newest event at this moment. */
  seq: number;
  epoch: string;
}

/** With a `hubId`, the subscription to that Hub failed or ended. Without one, a frame was invalid. */
export interface ErrorFrame {
  type: 'error';
  code: LiveErrorCode;
  message: string;
  hubId?: string;
}

/** Lists of the workspace have changed. */
export interface WorkspaceFrame {
  type: 'workspace.changed';
  topics: WorkspaceTopic[];
}

export type ServerFrame =
  | ResponseFrame
  | EventFrame
  | ErrorFrame
  | { type: 'hubs.changed' }
  | WorkspaceFrame
  | { type: 'notification'; notification: HubNotification }
  | ({ type: 'unread' } & UnreadState);

export type ClientFrame =
  | { type: 'subscribe'; hubId: string; after?: number; epoch?: string }
  | { type: 'unsubscribe'; hubId: string }
  | { type: 'attend'; isAttending: boolean };

/**
 * Parses a frame from the server; returns `undefined` if it is invalid. A frame of an unknown kind is only guaranteed
 * to have a `type`: a newer server may send more kinds, which are ignored.
 */
export function readFrame(text: unknown): ServerFrame | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const frame: unknown = JSON.parse(text);
    const isFrame = typeof frame === 'object' && frame !== null && typeof (frame as ServerFrame).type === 'string';
    return isFrame ? (frame as ServerFrame) : undefined;
  } catch {
    return undefined;
  }
}
