import type { EventFrame, HubNotification, LiveErrorCode, UnreadState, WorkspaceTopic } from './frames.ts';

/** The answer to a `subscribe`: what is missing follows, or (`reset`) it cannot be replayed. */
export interface ResponseFrame {
  type: 'subscribed' | 'reset';
  hubId: string;
  /** The newest event at this moment. */
  seq: number;
  epoch: string;
}

/** With a `hubId`: that Hub is not followed (any more). Without: a frame was not understood. */
export interface ErrorFrame {
  type: 'error';
  code: LiveErrorCode;
  message: string;
  hubId?: string;
}

/** Lists of the workspace are to be loaded anew. */
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
  | { type: 'notice'; notice: HubNotification }
  | ({ type: 'unread' } & UnreadState);

export type ClientFrame =
  | { type: 'subscribe'; hubId: string; after?: number; epoch?: string }
  | { type: 'unsubscribe'; hubId: string }
  | { type: 'attend'; isAttending: boolean };

/**
 * Reads a frame of the server; `undefined` if it is none. Of a kind that is not known here, `type` alone is certain: a
 * later server may send more kinds, which are passed over.
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
