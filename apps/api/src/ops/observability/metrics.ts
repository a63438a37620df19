import { statfsSync } from 'node:fs';
import type { NodeStatus } from '@hub/contract';
import type { LiveCounts } from '../../live/live-socket.ts';
import type { MailCounts } from '../../mail/mail-queue.ts';
import type { NotificationDeps, PushCounts } from '../../notifications/notifications.ts';
import type { CertificateStatus } from '../../platform/ports.ts';
import type { BackupHistory, BatchReport } from '../../storage/store.ts';
import { addProcessMetrics, HistogramCounts, MeasuredMetrics, type MetricTable } from './measured.ts';
import { requestMetrics } from './observe-requests.ts';
import { readNodeStatus } from './status.routes.ts';

/** The metrics of the server. docs/operations.md explains each of them. */
export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics({ version }: { version: string }) {
  const metrics = new MeasuredMetrics();
  addProcessMetrics(metrics);
  const buildInfo = 'Always 1; the labels are the versions of Hub and Bun.';
  metrics.add([['hub_build_info', buildInfo, () => [[{ version, bun: Bun.version }, 1]]]], () => ({}));
  const watchFiles = (read: () => Promise<number>, maxBytes: number): void =>
    metrics.add(FILE_METRICS, async () => ({ bytes: await orUnknown(read()), maxBytes }));

  return {
    ...requestMetrics(metrics),
    batch: batchMetrics(metrics),
    watchStore: (store: StoreGauges) => metrics.add(STORE_METRICS, () => store),
    watchBackups: (read: () => BackupGauges) => metrics.add(BACKUP_METRICS, read),
    watchFiles,
    watchServer: (deps: NotificationDeps) => {
      const { live, notifications, mail, store, limits, server, node } = deps;
      metrics.add(LIVE_METRICS, () => live.counts);
      metrics.add(PUSH_METRICS, () => notifications.counts);
      metrics.add(MAIL_METRICS, async () => ({
        ...(mail?.counts ?? { sent: 0, retried: 0, failed: 0 }),
        waiting: mail ? await orUnknown(store.mails.state().then(({ waiting }) => waiting)) : 0,
      }));
      metrics.add(TLS_METRICS, () => ({ certificate: server.certificate() }));
      metrics.add(DISK_METRICS, () => diskSpace(server.dataDir));
      watchFiles(() => store.files.totalBytes(), limits.filesMaxBytes);
      if (!node) return;
      metrics.add(NODE_METRICS, () => readNodeStatus(deps));
      metrics.add(POOL_METRICS, () => node.poolUse());
    },
    render: () => metrics.render(),
    contentType: metrics.contentType,
  };
}

/** The value is unknown while the database is away. */
const orUnknown = (reading: Promise<number>): Promise<number> => reading.catch(() => Number.NaN);

const LIVE_METRICS: MetricTable<LiveCounts> = [
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
];

const PUSH_METRICS: MetricTable<PushCounts> = [
  ['hub_push_subscriptions', 'Browsers subscribed to push notifications.', 'subscriptions'],
  ['hub_push_waiting', 'Push notifications being sent or waiting.', 'waiting'],
  ['hub_push_sent_total', 'Push notifications accepted by a push service.', 'sent'],
  ['hub_push_failed_total', 'Push notifications that failed, after one retry.', 'failed'],
  ['hub_push_dropped_total', 'Push notifications dropped because too many were waiting.', 'dropped'],
  ['hub_push_gone_total', 'Subscriptions that the push service reported as gone.', 'gone'],
];

const MAIL_METRICS: MetricTable<MailCounts & { waiting: number }> = [
  ['hub_mail_sent_total', 'Mails that the mail server has accepted.', 'sent'],
  ['hub_mail_retried_total', 'Attempts to send a mail that failed and will be repeated.', 'retried'],
  ['hub_mail_failed_total', 'Mails that were given up.', 'failed'],
  ['hub_mail_waiting', 'Mails that wait to be sent, by any node.', 'waiting'],
];

const FILE_METRICS: MetricTable<{ bytes: number; maxBytes: number }> = [
  ['hub_files_bytes', 'Size of all files of items.', 'bytes'],
  ['hub_files_max_bytes', 'HUB_FILES_MAX_BYTES.', 'maxBytes'],
];

const SECOND_MS = 1_000;

const TLS_METRICS: MetricTable<{ certificate: CertificateStatus | null }> = [
  [
    'hub_tls_certificate_expires_seconds',
    'When the certificate in HUB_TLS_CERT_FILE expires, in seconds since 1970. Absent without it.',
    ({ certificate }) => (certificate ? [[{}, certificate.expiresAt / SECOND_MS]] : []),
  ],
];

const DISK_METRICS: MetricTable<ReturnType<typeof diskSpace>> = [
  ['hub_disk_free_bytes', 'Free space for the server on the disk of the data directory.', 'freeBytes'],
  ['hub_disk_size_bytes', 'Size of the disk of the data directory.', 'sizeBytes'],
];

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

/** The largest clock correction that counts as routine. */
const CLOCK_STEP_MS = 60 * SECOND_MS;

/** The age is infinite if there is no backup, so an alert on old backups covers this case as well. */
const BACKUP_METRICS: MetricTable<BackupGauges> = [
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
  [
    'hub_backups_total',
    'Backups by result: confirmed by the recipient, or broken (could not be created or sent completely).',
    ({ history }) => (['confirmed', 'broken'] as const).map((result) => [{ result }, history[result]]),
  ],
];

/** Returns infinity if the clock was set back since: a false alarm is better than an old backup that looks new. */
function ageSeconds(takenAt: number, now: number): number {
  const ageMs = now - takenAt;
  return ageMs < -CLOCK_STEP_MS ? Number.POSITIVE_INFINITY : Math.max(0, ageMs) / SECOND_MS;
}

interface StoreGauges {
  waitingWrites(): number;
  sizes(): { databaseBytes: number; walBytes: number };
}

const STORE_METRICS: MetricTable<StoreGauges> = [
  ['hub_writer_waiting_writes', 'Writes waiting for their transaction.', (store) => store.waitingWrites()],
  ['hub_database_bytes', 'Size of the database file.', (store) => store.sizes().databaseBytes],
  ['hub_wal_bytes', 'Size of the write-ahead log.', (store) => store.sizes().walBytes],
];

const FLUSH_BUCKETS_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1];
const BATCH_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** Returns what counts a transaction. */
function batchMetrics(metrics: MeasuredMetrics) {
  const batches = { committed: 0, failed: 0 };
  const writes = new HistogramCounts(BATCH_BUCKETS);
  const flushes = new HistogramCounts(FLUSH_BUCKETS_SECONDS);
  const table: MetricTable<typeof batches> = [
    [
      'hub_commit_batches_total',
      'Group commit transactions, by result.',
      (counts) => Object.entries(counts).map(([result, count]) => [{ result }, count] as const),
    ],
    ['hub_commit_batch_writes', 'Writes that shared a transaction.', () => writes.samples({}), 'histogram'],
    [
      'hub_commit_flush_seconds',
      'Duration of a commit, mostly the flush to disk.',
      () => flushes.samples({}),
      'histogram',
    ],
  ];
  metrics.add(table, () => batches);
  return (report: BatchReport): void => {
    batches[report.failed ? 'failed' : 'committed'] += 1;
    writes.observe(report.writes);
    if (!report.failed) flushes.observe(report.commitMs / 1000);
  };
}

/** The metrics of one of several nodes. */
const NODE_METRICS: MetricTable<NodeStatus> = [
  ['hub_node_info', 'Always 1; the label is the ID of this node.', ({ id }) => [[{ node: id }, 1]]],
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
  ],
];

const POOL_METRICS: MetricTable<Readonly<Record<string, number>>> = [
  [
    'hub_node_pool_use',
    'Connections to the database in use or waited for, as a part of those that there can be. More than 1: some wait.',
    (use) => Object.entries(use).map(([kind, part]) => [{ kind }, part]),
  ],
];
