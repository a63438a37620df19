import { hostname } from 'node:os';
import type { NodeList } from '@hub/contract';
import type { NewId } from '../../../platform/ids.ts';
import type { Clock } from '../../../platform/ports.ts';
import { isoTime } from '../../../platform/time.ts';
import type { ReadConnection } from '../engine/connection.ts';
import { readClockDifference } from './clock-difference.ts';
import { readConnectedNodes } from './cluster.ts';
import type { NodeMessage } from './node-channel.ts';

type NodeDescription = NodeList['items'][number];

/** The facts about a node that its storage does not have. */
export interface NodeFacts {
  version: string;
  startedAt: number;
  liveConnections: number;
}

/** How long nodes have to respond. */
const RESPONSE_MS = 1_000;

interface NodeLister {
  nodeId: string;
  on: ReadConnection;
  clock: Clock;
  newId: NewId;
  /** The number of migrations that this program knows. */
  schema: number;
  isLeader: () => boolean;
  facts: () => NodeFacts;
  send: (message: NodeMessage) => Promise<unknown>;
}

interface Listing {
  nodes: Map<string, NodeDescription>;
  added: () => void;
}

/** Lists the nodes by asking all of them, so that a node that nobody asks about writes nothing. */
export function nodeLister({ nodeId, on, clock, newId, schema, isLeader, facts, send }: NodeLister) {
  const listings = new Map<string, Listing>();

  const describe = async (): Promise<NodeDescription> => {
    const { version, startedAt, liveConnections } = facts();
    const clockDifferenceMs = await readClockDifference(on, clock);
    const process = { id: nodeId, host: hostname(), version, schema, startedAt: isoTime(startedAt) };
    return { ...process, isLeader: isLeader(), clockDifferenceMs, liveConnections };
  };

  return {
    received: async ({ list, description }: NodeMessage): Promise<void> => {
      if (list) await send({ description: { request: list.request, node: await describe() } });
      const listing = description && listings.get(description.request);
      if (!listing) return;
      listing.nodes.set(description.node.id, description.node);
      listing.added();
    },
    list: async (): Promise<NodeList> => {
      const request = newId('list');
      const all = Promise.withResolvers<void>();
      const connected = await readConnectedNodes(on);
      const nodes = new Map([[nodeId, await describe()]]);
      const missing = () => connected.filter((id) => !nodes.has(id));
      const added = () => missing().length === 0 && all.resolve();
      listings.set(request, { nodes, added });
      added();
      try {
        await send({ list: { request } });
        await Promise.race([all.promise, clock.sleep(RESPONSE_MS)]);
      } finally {
        listings.delete(request);
      }
      const items = [...nodes.values()].sort((one, other) => one.startedAt.localeCompare(other.startedAt));
      return { items, missing: missing() };
    },
  };
}
