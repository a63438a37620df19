import type { SubscribeFrame } from '@hub/contract';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { readableHub } from '../hubs/hub-rights.ts';
import type { HubFeed } from './hub-feed.ts';
import { frame } from './live-frames.ts';
import { type LiveSocket, newSubscription, type Subscription } from './live-socket.ts';

interface RuntimeEnvironment {
  /** A number that rises with each change of anybody's rights. */
  rights: () => number;
  /** The feed of a Hub whose newest event is `seq`. */
  feed: (hubId: string, seq: number) => HubFeed;
}

/**
 * Lets a connection follow a Hub. Returns the subscription if something has to be replayed first; otherwise how it stands:
 * live at once, reset, or refused, of which the client has been told.
 *
 * From the look at the log on, all is one step: what is committed later is published later.
 */
export async function subscribe(
  { store }: Pick<Deps, 'store'>,
  socket: LiveSocket,
  { hubId, after, epoch: knownEpoch }: SubscribeFrame,
  { rights, feed: feedOf }: RuntimeEnvironment,
): Promise<Subscription | 'live' | 'reset' | 'refused'> {
  let authorizedBy: number;
  let epoch: string;
  do {
    authorizedBy = rights();
    try {
      await readableHub({ store }, socket.caller, hubId);
    } catch (error) {
      if (!(error instanceof AppError) || (error.code !== 'not_found' && error.code !== 'forbidden')) throw error;
      socket.error(error.code, error.message, hubId);
      return 'refused';
    }
    ({ epoch } = await store.workspace());
    // Otherwise somebody could be let in by rights that he lost while they were looked up.
  } while (authorizedBy !== rights());
  if (socket.isClosed) return 'refused';

  const span = store.events.span(hubId);
  if (!span) throw new Error(`The Hub ${hubId} has gone while it was subscribed to`);
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
