import { LIVE_PATH } from '@hub/contract/paths';
import { itemsOf } from '../workspace/items-of.ts';
import { requestsTo } from '../workspace/requests.ts';
import type { EventFrame } from './frames.ts';
import { readTarget } from './open-socket.ts';
import type { Following, FollowOptions, LiveOptions, Position } from './options.ts';

/**
 * Reloads after a reset: delivers the items that were created since the last event, oldest first and as they are now, as
 * if their events had come. Then, events continue after what the list reflects.
 */
export async function reload(
  following: Following,
  options: LiveOptions,
  onEvent: FollowOptions['onEvent'],
  reset: Position,
): Promise<void> {
  const { hubId, position } = following;
  const after = position?.seq ?? reset.seq;
  const { httpUrl, headers } = readTarget(options);
  if (httpUrl === undefined) throw new TypeError('Over a unix socket, onReset is required.');
  const base = httpUrl.slice(0, -LIVE_PATH.length);
  const client = requestsTo({ base, headers, fetch: options.fetch });
  const { items, seq, epoch } = await itemsOf(client, hubId, (oldest) => oldest.seq <= after);
  const isNew = (item: { seq: number }) => item.seq > after;
  for (const item of items.filter(isNew).sort((one, other) => one.seq - other.seq)) {
    const event: EventFrame = { type: 'event', hubId, seq: item.seq, event: `${item.kind}.created`, data: item };
    await onEvent(event);
  }
  following.setPosition(seq, epoch);
}
