import { statfsSync } from 'node:fs';
import type { NodeStatus } from '@hub/contract';
import { Gauge, Registry } from 'prom-client';
import type { LiveCounts } from '../../live/live-counts.ts';
import type { PushCounts } from '../../notifications/notifications.ts';
import { type BackupGauges, registerBackupMetrics } from './backup-metrics.ts';
import { measuredCounter, measuredGauge } from './measured.ts';
import { registerNodeMetrics } from './node-metrics.ts';
import { type RequestMetrics, requestMetrics } from './observe-requests.ts';
import { registerProcessMetrics } from './process-metrics.ts';
import { type StoreMetrics, storeMetrics } from './store-metrics.ts';

/** The metrics of the server. docs/operations.md explains each of them. */
export interface Metrics extends RequestMetrics, StoreMetrics {
  watchLive(read: () => LiveCounts): void;
  watchPush(read: () => PushCounts): void;
  watchDisk(dataDir: string): void;
  watchBackups(read: () => BackupGauges): void;
  watchNode(read: () => Promise<NodeStatus | null>): void;
  /** All metrics in the Prometheus text format. */
  render(): Promise<string>;
  readonly contentType: string;
}

export function createMetrics({ version }: { version: string }): Metrics {
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  registerProcessMetrics(registry);
  new Gauge({
    name: 'hub_build_info',
    help: 'Always 1; the labels are the versions of Hub and Bun.',
    labelNames: ['version', 'bun'],
    registers,
  })
    .labels(version, Bun.version)
    .set(1);

  return {
    ...requestMetrics(registers),
    ...storeMetrics(registers),
    watchLive: (read) => registerCounts(registers, LIVE_METRICS, read),
    watchPush: (read) => registerCounts(registers, PUSH_METRICS, read),
    watchDisk: (dataDir) => registerDiskMetrics(registers, dataDir),
    watchBackups: (read) => registerBackupMetrics(registers, read),
    watchNode: (read) => registerNodeMetrics(registers, read),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

const LIVE_METRICS = [
  ['hub_live_sockets', 'Live connections.', 'sockets'],
  ['hub_live_subscriptions', 'Hubs followed by live connections, summed over all connections.', 'subscriptions'],
  ['hub_live_published_events_total', 'Events published to Hubs with at least one follower.', 'publishedEvents'],
  ['hub_live_replays_total', 'Subscriptions for which missing events were replayed.', 'replays'],
  ['hub_live_resets_total', 'Subscriptions that had to reload because the missed events are no longer kept.', 'resets'],
  [
    'hub_live_abnormal_closes_total',
    'Live connections that ended without a closing handshake: lost by the network, or closed as too slow.',
    'abnormalCloses',
  ],
  [
    'hub_live_backpressure_closes_total',
    'Live connections that the server closed because the client read too slowly.',
    'backpressureCloses',
  ],
  [
    'hub_live_denied_closes_total',
    'Live connections closed because their session, token or account ended.',
    'deniedCloses',
  ],
] as const satisfies CountedMetrics<LiveCounts>;

const PUSH_METRICS = [
  ['hub_push_subscriptions', 'Browsers subscribed to push notifications.', 'subscriptions'],
  ['hub_push_waiting', 'Push notifications being sent or waiting.', 'waiting'],
  ['hub_push_sent_total', 'Push notifications accepted by a push service.', 'sent'],
  ['hub_push_failed_total', 'Push notifications that failed, after one retry.', 'failed'],
  ['hub_push_dropped_total', 'Push notifications dropped because too many were waiting.', 'dropped'],
  ['hub_push_gone_total', 'Subscriptions that the push service reported as gone.', 'gone'],
] as const satisfies CountedMetrics<PushCounts>;

/** The name of each metric, its explanation, and the field with its number. */
type CountedMetrics<Counts> = readonly (readonly [string, string, keyof Counts])[];

/** Registers metrics whose owner keeps the totals itself, so that counting costs nothing per event. */
function registerCounts<Field extends string>(
  registers: Registry[],
  metrics: readonly (readonly [string, string, Field])[],
  read: () => Record<Field, number>,
): void {
  for (const [name, help, field] of metrics) {
    const measured = name.endsWith('_total') ? measuredCounter : measuredGauge;
    measured(registers, { name, help }, () => read()[field]);
  }
}

/** Registers metrics for the disk with the database. */
function registerDiskMetrics(registers: Registry[], dataDir: string): void {
  const free = { name: 'hub_disk_free_bytes', help: 'Free space for the server on the disk of the data directory.' };
  measuredGauge(registers, free, () => diskSpace(dataDir).freeBytes);
  const size = { name: 'hub_disk_size_bytes', help: 'Size of the disk of the data directory.' };
  measuredGauge(registers, size, () => diskSpace(dataDir).sizeBytes);
}

/** Returns the free space and the size of the disk that a folder is on, in bytes; NaN if they are unknown. */
export function diskSpace(folder: string): { freeBytes: number; sizeBytes: number } {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
  } catch {
    return { freeBytes: Number.NaN, sizeBytes: Number.NaN };
  }
}
