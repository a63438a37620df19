import type { NodeStatus } from '@hub/contract';
import type { LiveDeps } from '../../live/live-server.ts';

/** Returns the status of this node and of what it shares with others, or null if this server runs alone. */
export async function readNodeStatus(deps: Pick<LiveDeps, 'node' | 'live' | 'store'>): Promise<NodeStatus | null> {
  const { node } = deps;
  if (node === null) return null;
  const [cluster, eventLag] = await Promise.all([node.cluster(), readEventLag(deps)]);
  return { id: node.id, isLeader: node.isLeader(), clockDifferenceMs: node.clockDifferenceMs(), eventLag, ...cluster };
}

/** Returns how many committed events are not published yet, in the followed Hub that is furthest behind. */
export async function readEventLag({ live: { feeds }, store }: Pick<LiveDeps, 'live' | 'store'>): Promise<number> {
  if (feeds.size === 0) return 0;
  const heads = await store.events.heads([...feeds.keys()]);
  return Math.max(0, ...[...heads].map(([hubId, seq]) => seq - (feeds.get(hubId)?.published ?? seq)));
}
