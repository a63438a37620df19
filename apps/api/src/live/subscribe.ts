import type { SubscribeFrame } from '@hub/contract';
import type { Deps } from '../context/deps.ts';
import { AppError } from '../core/errors.ts';
import { readableHub } from '../hubs/hub-rights.ts';
import type { HubFeed } from './hub-feed.ts';
import { frame } from './live-frames.ts';
import { type LiveSocket, newSubscription, type Subscription } from './live-socket.ts';

interface SubscribeContext {
  /** Returns a number that increases with each change of rights. */
  rightsVersion: () => number;
  /** Returns the feed of a Hub whose newest event is `seq`. */
  feed: (hubId: string, seq: number) => HubFeed;
}

/**
 * Subscribes a connection to a Hub. Returns the subscription if events must be replayed first, and otherwise `live`,
 * `reset` or `rejected` (in which case an error was sent to the client).
 *
 * Everything after reading the log is one synchronous step, so no commit can be published in the middle of it.
 */
export async function subscribe(
  { store }: Pick<Deps, 'store'>,
  socket: LiveSocket,
  { hubId, after, epoch: knownEpoch }: SubscribeFrame,
  { rightsVersion, feed: feedOf }: SubscribeContext,
): Promise<Subscription | 'live' | 'reset' | 'rejected'> {
  let checkedVersion: number;
  let epoch: string;
  do {
    checkedVersion = rightsVersion();
    try {
      await readableHub(store, socket.caller, hubId);
    } catch (error) {
      if (!(error instanceof AppError) || (error.code !== 'not_found' && error.code !== 'forbidden')) throw error;
      socket.error(error.code, error.message, hubId);
      return 'rejected';
    }
    ({ epoch } = await store.workspace.find());
    // Otherwise a user could get access with rights that they lost during the look-up.
  } while (checkedVersion !== rightsVersion());
  if (socket.isClosed) return 'rejected';

  const span = store.events.span(hubId);
  if (!span) throw new Error(`The Hub ${hubId} disappeared while subscribing to it`);
  const feed = feedOf(hubId, span.seq);
  const seq = feed.published;
  const isKnown = after !== undefined && (knownEpoch === undefined || knownEpoch === epoch);
  const canReplay = isKnown && after <= seq && after >= span.oldest - 1;
  const subscription = newSubscription(feed, epoch, canReplay ? after : seq);
  feed.followers += 1;
  socket.subscriptions.set(hubId, subscription);
  const isReset = after !== undefined && !canReplay;
  socket.send(frame({ type: isReset ? 'reset' : 'subscribed', hubId, seq, epoch }));
  if (subscription.sent < seq || socket.isFull) return subscription;
  socket.goLive(subscription);
  return isReset ? 'reset' : 'live';
}
