import { Gauge, Registry } from 'prom-client';
import type { LiveCounts } from '../live/live-counts.ts';
import type { PushCounts } from '../notifications/notifications.ts';
import { type BackupGauges, registerBackupMetrics } from './backup-metrics.ts';
import { registerDiskMetrics } from './disk-metrics.ts';
import { registerLiveMetrics } from './live-metrics.ts';
import { registerProcessMetrics } from './process-metrics.ts';
import { registerPushMetrics } from './push-metrics.ts';
import { type RequestMetrics, requestMetrics } from './request-metrics.ts';
import { type StoreMetrics, storeMetrics } from './store-metrics.ts';

/** The metrics of the server. docs/operations.md explains each of them. */
export interface Metrics extends RequestMetrics, StoreMetrics {
  watchLive(read: () => LiveCounts): void;
  watchPush(read: () => PushCounts): void;
  watchDisk(dataDir: string): void;
  watchBackups(read: () => BackupGauges): void;
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
    watchLive: (read) => registerLiveMetrics(registers, read),
    watchPush: (read) => registerPushMetrics(registers, read),
    watchDisk: (dataDir) => registerDiskMetrics(registers, dataDir),
    watchBackups: (read) => registerBackupMetrics(registers, read),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
