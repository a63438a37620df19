import type { Caller } from '../context/actor.ts';
import type { ErrorCode } from '../core/errors.ts';
import type { KeyCredential } from '../storage/key-store.ts';
import type { BodyWatch } from './body-watch.ts';

/**
 * The access rule of an operation. `member`: every user, and the local admin; the use case decides what they can see
 * or do. `person`: every user, but not the local admin, who has no account. `session`: a signed-in user, since a token
 * must not create another one or change the password. `owner`: owners and the local admin, for operations that expose
 * the content of every Hub.
 */
export type Access = 'anyone' | 'member' | 'person' | 'session' | 'admin' | 'owner';

/** Facts about a request beyond its content. */
export interface RequestContext {
  readonly requestId: string;
  /** The path as sent, see `requestPath`. */
  readonly path: string;
  /** When the request began, in monotonic milliseconds. */
  readonly startedAt: number;
  /** Times out bodies that arrive too slowly. */
  readonly bodies: BodyWatch;
  /** The key of the request, set by the public gate. */
  key?: KeyCredential;
  /** The caller, set by the gate of the workspace API. */
  caller?: Caller;
  /** The access rule of the route, set once it was checked. */
  access?: Access;
  /**
   * Authorizes the caller again some time after the gate did: a body or response can be slow, and the caller may have
   * lost their rights in the meantime. Set by the gate of the workspace API; it does nothing for the local admin.
   */
  reauthorize?: () => Promise<void>;
  /** The error code if the request was rejected; `internal` for a bug. */
  error?: ErrorCode | 'internal';
  /** The created item, for the log. */
  posted?: PostedItem;
}

export interface PostedItem {
  readonly hubId: string;
  readonly itemId: string;
  readonly seq: number;
  /** How many live views got the item's event before the response; `null` if it was not published by then. */
  readonly liveViews: number | null;
}

/** Whether the route needs no authentication, so that no caller is accountable for the memory it uses. */
export function isOpen(request: Request): boolean {
  return contextOf(request).access === 'anyone';
}

const contexts = new WeakMap<Request, RequestContext>();

export function setRequestContext(request: Request, context: RequestContext): void {
  contexts.set(request, context);
}

export function contextOf(request: Request): RequestContext {
  const context = contexts.get(request);
  if (!context) throw new Error('The request has no context: the first hook of the app did not run');
  return context;
}

/** Returns the key of a request that passed the public gate. */
export function keyOf(request: Request): KeyCredential {
  const { key } = contextOf(request);
  if (!key) throw new Error('A route of the public API was reached without its gate');
  return key;
}
