import { statfsSync } from 'node:fs';
import type { NodeStatus } from '@hub/contract';
import type { Deps } from '../../access/deps.ts';
import type { LiveCounts } from '../../live/live-counts.ts';
import type { MailCounts } from '../../mail/mail-queue.ts';
import type { PushCounts } from '../../notifications/notifications.ts';
import type { BackupHistory } from '../../storage/store.ts';
import { HistogramCounts, MeasuredMetrics } from './measured.ts';
import { type RequestMetrics, requestMetrics } from './observe-requests.ts';
import { registerProcessMetrics } from './process-metrics.ts';

/** The metrics of the server. docs/operations.md explains each of them. */
export interface Metrics extends RequestMetrics, StoreMetrics {
  watchLive(read: () => LiveCounts): void;
  watchPush(read: () => PushCounts): void;
  watchMail(deps: Pick<Deps, 'mail' | 'store'>): void;
  watchDisk(dataDir: string): void;
  watchFiles(read: () => Promise<number>, maxBytes: number): void;
  watchBackups(read: () => BackupGauges): void;
  watchNode(read: () => Promise<NodeStatus | null>, poolUse: () => Readonly<Record<string, number>>): void;
  render(): Promise<string>;
  readonly contentType: string;
}

export function createMetrics({ version }: { version: string }): Metrics {
  const metrics = new MeasuredMetrics();
  registerProcessMetrics(metrics);
  const buildInfo = { help: 'Always 1; the labels are the versions of Hub and Bun.', labelNames: ['version', 'bun'] };
  metrics.gauges({ name: 'hub_build_info', ...buildInfo }, () => [[{ version, bun: Bun.version }, 1]]);

  return {
    ...requestMetrics(metrics),
    ...storeMetrics(metrics),
    watchLive: (read) => registerCounts(metrics, LIVE_METRICS, read),
    watchPush: (read) => registerCounts(metrics, PUSH_METRICS, read),
    watchMail: ({ mail, store }) => {
      registerCounts(metrics, MAIL_METRICS, () => mail?.counts ?? { sent: 0, retried: 0, failed: 0 });
      const waiting = async () => (mail ? (await store.mails.state()).waiting : 0);
      const help = 'Mails that wait to be sent, by any node.';
      metrics.gauge({ name: 'hub_mail_waiting', help }, () => waiting().catch(() => Number.NaN));
    },
    watchDisk: (dataDir) => registerDiskMetrics(metrics, dataDir),
    watchFiles: (read, maxBytes) => registerFileMetrics(metrics, read, maxBytes),
    watchBackups: (read) => registerBackupMetrics(metrics, read),
    watchNode: (read, poolUse) => {
      registerNodeMetrics(metrics, read);
      registerPoolUse(metrics, poolUse);
    },
    render: () => metrics.render(),
    contentType: metrics.contentType,
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

const MAIL_METRICS = [
  ['hub_mail_sent_total', 'Mails that the mail server has accepted.', 'sent'],
  ['hub_mail_retried_total', 'Attempts to send a mail that failed and will be repeated.', 'retried'],
  ['hub_mail_failed_total', 'Mails that were given up.', 'failed'],
] as const satisfies CountedMetrics<MailCounts>;

/** Registers metrics whose owner keeps the totals itself, so that counting costs nothing per event. */
function registerCounts<Field extends string>(
  metrics: MeasuredMetrics,
  counted: readonly (readonly [string, string, Field])[],
  read: () => Record<Field, number>,
): void {
  for (const [name, help, field] of counted) {
    metrics[name.endsWith('_total') ? 'counter' : 'gauge']({ name, help }, () => read()[field]);
  }
}

/** The values are unknown while the database is away. */
function registerFileMetrics(metrics: MeasuredMetrics, read: () => Promise<number>, maxBytes: number): void {
  const used = { name: 'hub_files_bytes', help: 'Size of all files of items.' };
  metrics.gauge(used, () => read().catch(() => Number.NaN));
  metrics.gauge({ name: 'hub_files_max_bytes', help: 'HUB_FILES_MAX_BYTES.' }, () => maxBytes);
}

function registerDiskMetrics(metrics: MeasuredMetrics, dataDir: string): void {
  const free = { name: 'hub_disk_free_bytes', help: 'Free space for the server on the disk of the data directory.' };
  metrics.gauge(free, () => diskSpace(dataDir).freeBytes);
  const size = { name: 'hub_disk_size_bytes', help: 'Size of the disk of the data directory.' };
  metrics.gauge(size, () => diskSpace(dataDir).sizeBytes);
}

/** Returns the free space and the size of the disk that a folder is on, in bytes; NaN if they are unknown. */
function diskSpace(folder: string): { freeBytes: number; sizeBytes: number } {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
  } catch {
    return { freeBytes: Number.NaN, sizeBytes: Number.NaN };
  }
}

/** The values read for each scrape. */
interface BackupGauges {
  history: BackupHistory;
  /** Milliseconds since 1970. */
  now: number;
}

const SECOND_MS = 1_000;
/** The largest clock correction that counts as routine. */
const CLOCK_STEP_MS = 60 * SECOND_MS;

/** The age is infinite if there is no backup, so an alert on old backups covers this case as well. */
const BACKUP_METRICS = [
  [
    'hub_backup_age_seconds',
    'Time since the start of the last confirmed backup; +Inf if there was none or the clock was set back since.',
    ({ history: { last }, now }) => (last ? ageSeconds(last.takenAt, now) : Number.POSITIVE_INFINITY),
  ],
  ['hub_backup_bytes', 'Size of the last confirmed backup.', ({ history: { last } }) => last?.bytes ?? 0],
  [
    'hub_backup_duration_seconds',
    'Duration of the last confirmed backup, from its start until it was confirmed.',
    ({ history: { last } }) => (last?.durationMs ?? 0) / SECOND_MS,
  ],
] as const satisfies readonly (readonly [name: string, help: string, read: (gauges: BackupGauges) => number])[];

/** Returns infinity if the clock was set back since: a false alarm is better than an old backup that looks new. */
function ageSeconds(takenAt: number, now: number): number {
  const ageMs = now - takenAt;
  return ageMs < -CLOCK_STEP_MS ? Number.POSITIVE_INFINITY : Math.max(0, ageMs) / SECOND_MS;
}

/** Registers the metrics. They include the last backup of a previous process, which the store has recorded. */
function registerBackupMetrics(metrics: MeasuredMetrics, read: () => BackupGauges): void {
  for (const [name, help, compute] of BACKUP_METRICS) metrics.gauge({ name, help }, () => compute(read()));
  const help = 'Backups by result: confirmed by the recipient, or broken (could not be created or sent completely).';
  metrics.counters({ name: 'hub_backups_total', help, labelNames: ['result'] }, () => {
    const { confirmed, broken } = read().history;
    return [
      [{ result: 'confirmed' }, confirmed],
      [{ result: 'broken' }, broken],
    ];
  });
}

/** A transaction of the store, in which several writes may have shared a flush. */
interface BatchObservation {
  readonly writes: number;
  readonly commitMs: number;
  readonly failed: boolean;
}

interface StoreGauges {
  waitingWrites(): number;
  sizes(): { databaseBytes: number; walBytes: number };
}

interface StoreMetrics {
  batch(observation: BatchObservation): void;
  watchStore(store: StoreGauges): void;
}

const FLUSH_BUCKETS_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1];
const BATCH_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

function storeMetrics(metrics: MeasuredMetrics): StoreMetrics {
  const batches = { committed: 0, failed: 0 };
  const writes = new HistogramCounts(BATCH_BUCKETS);
  const flushes = new HistogramCounts(FLUSH_BUCKETS_SECONDS);
  const byResult = { help: 'Group commit transactions, by result.', labelNames: ['result'] };
  metrics.counters({ name: 'hub_commit_batches_total', ...byResult }, () =>
    Object.entries(batches).map(([result, count]) => [{ result }, count] as const),
  );
  const shared = { name: 'hub_commit_batch_writes', help: 'Writes that shared a transaction.' };
  metrics.histogram(shared, () => [[{}, writes]]);
  const flushed = { name: 'hub_commit_flush_seconds', help: 'Duration of a commit, mostly the flush to disk.' };
  metrics.histogram(flushed, () => [[{}, flushes]]);

  return {
    batch(report) {
      batches[report.failed ? 'failed' : 'committed'] += 1;
      writes.observe(report.writes);
      if (!report.failed) flushes.observe(report.commitMs / 1000);
    },
    watchStore(store) {
      const gauge = (name: string, help: string, read: () => number) => metrics.gauge({ name, help }, read);
      gauge('hub_writer_waiting_writes', 'Writes waiting for their transaction.', () => store.waitingWrites());
      gauge('hub_database_bytes', 'Size of the database file.', () => store.sizes().databaseBytes);
      gauge('hub_wal_bytes', 'Size of the write-ahead log.', () => store.sizes().walBytes);
    },
  };
}

/** Registers metrics for one of several nodes. While the database is away, they have no values. */
function registerNodeMetrics(metrics: MeasuredMetrics, read: () => Promise<NodeStatus | null>): void {
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
  for (const [name, help, series, labelNames = []] of NODE_METRICS) {
    metrics.gauges({ name, help, labelNames }, async () => {
      const status = await readOnce();
      return status === null ? [] : series(status);
    });
  }
}

type NodeMetric = readonly [
  name: string,
  help: string,
  series: (status: NodeStatus) => readonly (readonly [Record<string, string>, number])[],
  labelNames?: string[],
];

const NODE_METRICS: readonly NodeMetric[] = [
  ['hub_node_info', 'Always 1; the label is the ID of this node.', ({ id }) => [[{ node: id }, 1]], ['node']],
  ['hub_node_leader', '1 if this node sends notifications and prunes.', ({ isLeader }) => [[{}, isLeader ? 1 : 0]]],
  [
    'hub_node_clock_difference_seconds',
    'How far the clock of this node is ahead of that of the database. Beyond 2, synchronize them (NTP).',
    ({ clockDifferenceMs: ms }) => (ms === null ? [] : [[{}, ms / 1_000]]),
  ],
  ['hub_nodes', 'Nodes connected to the database.', ({ nodes }) => [[{}, nodes]]],
  [
    'hub_live_lag_events',
    'Committed events that this node has not published yet, in the followed Hub that is furthest behind.',
    ({ eventLag }) => [[{}, eventLag]],
  ],
  [
    'hub_replication_lag_bytes',
    'Log that a standby has not replayed yet. Absent if the account of the node may not see it.',
    ({ standbys }) =>
      standbys.flatMap(({ name, lagBytes }) => (lagBytes === null ? [] : [[{ standby: name }, lagBytes] as const])),
    ['standby'],
  ],
];

function registerPoolUse(metrics: MeasuredMetrics, read: () => Readonly<Record<string, number>>): void {
  const help =
    'Connections to the database in use or waited for, as a part of those that there can be. More than 1: some wait.';
  metrics.gauges({ name: 'hub_node_pool_use', help, labelNames: ['kind'] }, () =>
    Object.entries(read()).map(([kind, use]) => [{ kind }, use] as const),
  );
}
