import type { NodeStatus } from '@hub/contract';
import { Gauge, type Registry } from 'prom-client';

/** Registers metrics for one of several nodes. While the database is away, they have no values. */
export function registerNodeMetrics(registers: Registry[], read: () => Promise<NodeStatus | null>): void {
  // One read for all gauges of a scrape.
  let reading: Promise<NodeStatus | null> | null = null;
  const readOnce = (): Promise<NodeStatus | null> => {
    reading ??= read()
      .catch(() => null)
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  const gauge = (name: string, help: string, labelNames: string[], set: (gauge: Gauge, status: NodeStatus) => void) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        const status = await readOnce();
        this.reset();
        // Without labels, a reset sets 0.
        this.remove({});
        if (status !== null) set(this, status);
      },
    });
  gauge('hub_node_info', 'Always 1; the label is the ID of this node.', ['node'], (each, { id }) => {
    each.set({ node: id }, 1);
  });
  gauge('hub_node_leader', '1 if this node sends notifications and prunes.', [], (each, { isLeader }) => {
    each.set(isLeader ? 1 : 0);
  });
  gauge('hub_nodes', 'Nodes connected to the database.', [], (each, { nodes }) => {
    each.set(nodes);
  });
  gauge(
    'hub_live_lag_events',
    'Committed events that this node has not published yet, in the followed Hub that is furthest behind.',
    [],
    (each, { eventLag }) => {
      each.set(eventLag);
    },
  );
  gauge(
    'hub_replication_lag_bytes',
    'Log that a standby has not replayed yet. Absent if the account of the node may not see it.',
    ['standby'],
    (each, { standbys }) => {
      for (const { name, lagBytes } of standbys) if (lagBytes !== null) each.set({ standby: name }, lagBytes);
    },
  );
}
