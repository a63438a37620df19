import type { EventFrame, HubNotification, LiveErrorCode, UnreadState, WorkspaceTopic } from './frames.ts';

/** A place in the events of one Hub: what `onEvent` is done with, or what a list reflects. */
export interface Position {
  /** The number of the last event that is accounted for; 0 before the first. */
  seq: number;
  /** Which run of numbers it belongs to: another one begins when a backup is restored. */
  epoch: string;
}

/** How a connection stands. */
export type LiveState =
  | { status: 'connecting' }
  | { status: 'live' }
  /**
   * Cut off; it tries again after `delayMs`. `reason` is for people. `isRefused`: the server allows this user no more
   * connections or requests for now, and `reason` says what to do.
   */
  | { status: 'waiting'; delayMs: number; reason: string; isRefused?: true }
  /** It tries no more: `close` was called, or the session or token is not (any longer) valid. */
  | { status: 'ended'; reason: 'closed' | 'unauthenticated'; message: string };

/** The part of the standard `WebSocket` that is used, so that any implementation of it can be passed in. */
export interface LiveSocket {
  /** 1 while it is open, as the standard has it; without it, it is open from its `open` to its `close`. */
  readonly readyState?: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: (event: unknown) => void): void;
}

export interface LiveOptions {
  /** The address of the server, with its path if it has one. In a browser's page it may be left out: its own origin. */
  baseUrl?: string | URL | undefined;
  /** The whole address of the WebSocket instead of `baseUrl`, such as `ws+unix:///path/admin.sock:/api/v1/live` in Bun. */
  url?: string | URL | undefined;
  /** A personal access token, `hub_pat_…`. In a browser the cookie of the session goes along by itself. */
  token?: string | undefined;
  /** Opens a WebSocket where the runtime has none, or through a proxy. By default `new WebSocket(url, { headers })`. */
  createSocket?: ((url: string, headers: Record<string, string>) => LiveSocket) | undefined;
  /**
   * For asking whether a refused connection means that one has to sign in, which a WebSocket does not tell. By default the
   * global one; where `createSocket` adds credentials of its own, nothing is asked unless this is given and adds them, too.
   */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Told of every change of `state`. */
  onState?: ((state: LiveState) => void) | undefined;
  /**
   * The Hubs that one may read, or their names, may have changed: `GET /api/v1/hubs` again. Called when the server says so,
   * and after each connection, since it may have said so while there was none.
   */
  onHubsChanged?: (() => void) | undefined;
  /** Told of what the person wants to be told of; by a session alone, not by a token. */
  onNotification?: ((notification: HubNotification) => void) | undefined;
  /**
   * Told what is unread in a Hub when the person has read something of it, here or elsewhere, or something in it is addressed to
   * that person. By a session alone, and not repeated for who was away: `GET /api/v1/hubs` has it, too.
   */
  onUnread?: ((unread: UnreadState) => void) | undefined;
  /**
   * Lists of the workspace that one may load show something else now: load those anew that are shown. It is not repeated for
   * who was away, so load them after each connection, too.
   */
  onWorkspaceChanged?: ((topics: readonly WorkspaceTopic[]) => void) | undefined;
  /**
   * Told of what one of the functions given to this library has thrown or rejected with. That stops nothing and loses no
   * place. Without it such a fault surfaces as an uncaught error.
   */
  onError?: ((error: unknown) => void) | undefined;
}

/** Why a Hub is followed no more. */
export interface FollowEnd {
  code: LiveErrorCode | 'unauthenticated';
  message: string;
}

export interface FollowOptions {
  /**
   * The last event that is known, such as the `seq` of a list: what comes after it follows. 0: from the first event.
   * Left out: from now.
   */
  after?: number | undefined;
  /** What came with that number. Without it a restored backup goes unnoticed. */
  epoch?: string | undefined;
  /**
   * Gets each event once and in order. If it returns a promise, the next event of this Hub waits for it; other Hubs do
   * not. An event counts as done when it has returned or settled, also if it has thrown.
   */
  onEvent: (event: EventFrame) => unknown;
  /**
   * What is missing cannot be replayed: load the lists anew. No event is delivered until this has returned or settled;
   * then those after `seq` are, or after what was given to `setPosition`.
   */
  onReset: (reset: Position) => unknown;
  /** All that was missing when this Hub was (again) subscribed to has been delivered. */
  onCaughtUp?: ((position: Position) => unknown) | undefined;
  /** The Hub is followed no more, after the events that had come before: it was deleted, one was removed from it, … */
  onEnd?: ((end: FollowEnd) => unknown) | undefined;
  /** Events that may wait for a slow `onEvent`; the rest is left on the server until it has caught up. 1,000 by default. */
  queueLimit?: number | undefined;
}

/** A Hub that is followed. */
export interface Following {
  readonly hubId: string;
  /** What is done with; to be kept, if one wants to go on from here later. Undefined until the server has first answered. */
  readonly position: Position | undefined;
  /**
   * Goes on after this event, such as the `seq` and `epoch` of a list that was loaded in `onReset`. Of several lists take
   * the smallest `seq`.
   */
  setPosition(seq: number, epoch: string): void;
  /** No more is delivered, not even what waits. */
  stop(): void;
}

/** One connection, which comes back by itself, and the Hubs that are followed over it. */
export interface Live {
  readonly state: LiveState;
  /** @throws TypeError if an option is wrong or the Hub is followed already; Error if the connection has ended. */
  follow(hubId: string, options: FollowOptions): Following;
  /** Tries at once if it waits, and otherwise asks the server for a sign of life. Browsers' `online` does so by itself. */
  wake(): void;
  /** Says whether somebody looks at this client: then the server sends no notices. It is said again after each connection. */
  attend(hasAttention: boolean): void;
  close(): void;
}
