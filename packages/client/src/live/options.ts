import type { EventFrame, HubEvent, HubNotification, LiveErrorCode, UnreadState, WorkspaceTopic } from './frames.ts';

/** A position in the events of one Hub: the last event that `onEvent` has processed or that a list reflects. */
export interface Position {
  /** The number of the last event that is included; 0 before the first. */
  seq: number;
  /** The numbering that `seq` belongs to. Restoring a backup starts a new one. */
  epoch: string;
}

/** The state of a connection. */
export type LiveState =
  | { status: 'connecting' }
  | { status: 'live' }
  /**
   * Disconnected; the next attempt starts after `delayMs`. `reason` is for display. `isRejected`: the user has too many
   * connections or requests, and `reason` says what to do.
   */
  | { status: 'waiting'; delayMs: number; reason: string; isRejected?: true }
  /** No more attempts: `close` was called, or the session or token is not, or is no longer, valid. */
  | { status: 'ended'; reason: 'closed' | 'unauthenticated'; message: string };

/** The part of the standard `WebSocket` that is used. You can pass any implementation of it. */
export interface LiveSocket {
  /** 1 while it is open, as in the standard. If omitted, the `open` and `close` events decide. */
  readonly readyState?: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: (event: unknown) => void): void;
}

export interface LiveOptions {
  /** The URL of the server, with its path if it has one. In browsers it defaults to the origin of the page. */
  baseUrl?: string | URL | undefined;
  /** The full URL of the WebSocket instead of `baseUrl`, such as `ws+unix:///path/admin.sock:/api/v1/live` in Bun. */
  url?: string | URL | undefined;
  /** A personal access token, `hub_pat_…`. A browser sends the session cookie automatically. */
  token?: string | undefined;
  /** Opens a WebSocket if the runtime has none, or through a proxy. Defaults to `new WebSocket(url, { headers })`. */
  createSocket?: ((url: string, headers: Record<string, string>) => LiveSocket) | undefined;
  /**
   * Finds out whether a rejected connection means that you need to sign in, which a WebSocket does not report. Defaults
   * to the global `fetch`. If `createSocket` adds its own credentials, pass a `fetch` that adds them too. Without a
   * `fetch` and without the option `token`, this check is skipped.
   */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Called with every new `state`. */
  onState?: ((state: LiveState) => void) | undefined;
  /**
   * Called when the Hubs that you may read, or their names, may have changed: call `GET /api/v1/hubs` again. Also
   * called after each connect, because a change may have been missed.
   */
  onHubsChanged?: (() => void) | undefined;
  /** Called with each notification for the user. Requires a session, not a token. */
  onNotification?: ((notification: HubNotification) => void) | undefined;
  /**
   * Called with the unread state of a Hub when the user reads items in it, here or on another device, or when an item
   * mentions them. Requires a session. Not replayed after a disconnect: `GET /api/v1/hubs` has the same data.
   */
  onUnread?: ((unread: UnreadState) => void) | undefined;
  /**
   * Called when lists of the workspace have changed: reload those that you show. Not replayed after a disconnect, so
   * reload them after each connect too.
   */
  onWorkspaceChanged?: ((topics: readonly WorkspaceTopic[]) => void) | undefined;
  /**
   * Called with errors that your callbacks throw or reject with. Such errors stop nothing and do not change the
   * position. Without `onError`, they surface as uncaught errors.
   */
  onError?: ((error: unknown) => void) | undefined;
}

/** The reason why a Hub is no longer followed. */
export interface FollowEnd {
  code: LiveErrorCode | 'unauthenticated';
  message: string;
}

export interface FollowOptions {
  /**
   * The last known event, such as the `seq` of a list. Delivery starts with the event after it: `0` starts with the
   * first event. If omitted, only events from now on are delivered.
   */
  after?: number | undefined;
  /** The epoch of `after`. Without it, a restored backup goes unnoticed. */
  epoch?: string | undefined;
  /**
   * Called with each event, once and in order. If it returns a promise, the next event of this Hub waits for it; other
   * Hubs do not. An event is done when the call has returned or settled, even with an error.
   */
  onEvent: (event: EventFrame) => unknown;
  /**
   * Called when the missing events cannot be replayed: reload the lists. No event is delivered until the call has
   * returned or settled. Delivery then continues after `reset.seq`, or after the position passed to `setPosition`.
   * By default, the items that were created meanwhile are read, and delivered as `created` events.
   */
  onReset?: ((reset: Position) => unknown) | undefined;
  /** Called when all events that were missing at the time of the subscription have been delivered. */
  onCaughtUp?: ((position: Position) => unknown) | undefined;
  /** Called after the last event, when following ends, for example because the Hub was deleted or you were removed. */
  onEnd?: ((end: FollowEnd) => unknown) | undefined;
  /** The maximum number of events that wait for a slow `onEvent`. The rest stay on the server. Default 1,000. */
  queueLimit?: number | undefined;
}

/** The options of `events`, as of `follow`. */
export interface EventsOptions
  extends Pick<FollowOptions, 'after' | 'epoch' | 'onReset' | 'onCaughtUp' | 'queueLimit'> {
  /** Ends the iteration, which throws the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** A followed Hub. */
export interface Following {
  readonly hubId: string;
  /** The last event that is done. Save it to resume later. Undefined before the first response of the server. */
  readonly position: Position | undefined;
  /**
   * Continues after this event, such as the `seq` and `epoch` of a list that you loaded in `onReset`. For several
   * lists, use the smallest `seq`.
   */
  setPosition(seq: number, epoch: string): void;
  /** Stops the delivery, including queued events. */
  stop(): void;
}

/** A connection that reconnects automatically, and the Hubs that are followed over it. */
export interface Live {
  readonly state: LiveState;
  /** @throws TypeError if an option is invalid or unknown, or the Hub already followed; Error if the connection has ended. */
  follow(hubId: string, options: FollowOptions): Following;
  /**
   * Follows a Hub, and yields its events, each after the last one is done: `for await (const event of live.events(id))`.
   * Leaving the loop stops following, and `close` ends it.
   *
   * @throws HubApiError when following ends, for example because the Hub was deleted or you were removed (while
   * iterating), and what `follow` throws.
   */
  events(hubId: string, options?: EventsOptions): AsyncGenerator<HubEvent, void, undefined>;
  /**
   * Reconnects now if the next attempt is pending; otherwise checks that the server responds. A browser's `online`
   * event does this too.
   */
  wake(): void;
  /**
   * Reports whether the user is looking at this client; if so, the server sends no notifications. Sent again after each
   * connect.
   */
  attend(hasAttention: boolean): void;
  close(): void;
}
