import type { Caller } from '../actor.ts';
import type { ErrorCode } from '../errors.ts';
import type { KeyCredential } from '../store/store.ts';
import type { BodyWatch } from './body-watch.ts';
import type { Access } from './workspace-gate.ts';

/** What is known of a request besides what it says itself. */
export interface RequestContext {
  readonly requestId: string;
  /** Monotonic milliseconds when it began. */
  readonly startedAt: number;
  /** Gives up on a body that comes too slowly. */
  readonly bodies: BodyWatch;
  /** The key that authenticated it, once the public gate has judged it. */
  key?: KeyCredential;
  /** Who asks, once the gate of the workspace API has judged it. */
  caller?: Caller;
  /** Whom its route is for, once that was judged. */
  access?: Access;
  /**
   * Judges anew who asks, where time has passed since the gate did: a body or an answer can be as slow as he likes, and he may
   * have lost his rights meanwhile. The gate of the workspace API sets it; for the local admin there is nothing to judge.
   */
  authorizeAgain?: () => Promise<void>;
  /** Why it was refused, if it was; `internal` for a fault of this program. */
  error?: ErrorCode | 'internal';
  /** What a post became, for the log. */
  posted?: PostedItem;
}

export interface PostedItem {
  readonly hubId: string;
  readonly itemId: string;
  readonly seq: number;
  /** The live views to which its event had gone out by the time of the answer; `null` if it had not gone out by then. */
  readonly liveViews: number | null;
}

/** Whether its route is for anyone, so that nobody answers for what it makes the server hold. */
export function isOpen(request: Request): boolean {
  return contextOf(request).access === 'anyone';
}

const contexts = new WeakMap<Request, RequestContext>();

export function noteContext(request: Request, context: RequestContext): void {
  contexts.set(request, context);
}

export function contextOf(request: Request): RequestContext {
  const context = contexts.get(request);
  if (!context) throw new Error('The request has no context: the first hook of the app did not see it');
  return context;
}

/** The key of a request that passed the public gate. */
export function keyOf(request: Request): KeyCredential {
  const { key } = contextOf(request);
  if (!key) throw new Error('A public route was reached without the public gate');
  return key;
}
