import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type LiveGauges, registerLiveMetrics } from './live-metrics.ts';
import { registerProcessMetrics } from './process-metrics.ts';

/** One answered request. Every field comes from a bounded set, or the metrics would grow with what callers invent. */
export interface RequestObservation {
  readonly method: string;
  /** The pattern of the route, not the path. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
  /** Whether a 403 was for a blocked key and not for a missing right. */
  readonly isRateLimited: boolean;
}

/** One transaction of the store, in which several writes may have shared a flush. */
export interface BatchObservation {
  readonly writes: number;
  /** Milliseconds of the commit alone. */
  readonly commitMs: number;
  readonly failed: boolean;
}

export interface StoreGauges {
  waitingWrites(): number;
  sizes(): { databaseBytes: number; walBytes: number };
}

export interface Metrics {
  request(observation: RequestObservation): void;
  postCreated(kind: 'message' | 'note' | 'todo'): void;
  batch(observation: BatchObservation): void;
  /** From now on each reading asks the store for these. */
  watchStore(store: StoreGauges): void;
  watchLive(read: () => LiveGauges): void;
  /** All metrics in the Prometheus text format. */
  render(): Promise<string>;
  readonly contentType: string;
}

const DURATION_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const FLUSH_BUCKETS_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1];
const BATCH_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

export function createMetrics({ version }: { version: string }): Metrics {
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  registerProcessMetrics(registry);
  new Gauge({ name: 'hub_build_info', help: 'Always 1.', labelNames: ['version', 'bun'], registers })
    .labels(version, Bun.version)
    .set(1);
  const store = storeMetrics(registers);
  const requests = requestMetrics(registers);

  return {
    ...requests,
    ...store,
    watchLive: (read) => registerLiveMetrics(registers, read),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function requestMetrics(registers: Registry[]): Pick<Metrics, 'request' | 'postCreated'> {
  const requests = new Counter({
    name: 'hub_http_requests_total',
    help: 'Requests answered, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'hub_http_request_duration_seconds',
    help: 'Time from the arrival of a request to its answer, by route.',
    labelNames: ['route'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers,
  });
  const refusals = new Counter({
    name: 'hub_refusals_total',
    help: 'Requests answered with an error, by status and by whether the key was blocked for its rate.',
    labelNames: ['status', 'reason'],
    registers,
  });
  const posts = new Counter({
    name: 'hub_posts_total',
    help: 'Posts committed for programs, by kind.',
    labelNames: ['kind'],
    registers,
  });

  return {
    request({ method, route, status, seconds, isRateLimited }) {
      requests.inc({ method, route, status });
      durations.observe({ route }, seconds);
      if (status >= 400) refusals.inc({ status, reason: isRateLimited ? 'rate_limited' : 'refused' });
    },
    postCreated: (kind) => posts.inc({ kind }),
  };
}

function storeMetrics(registers: Registry[]): Pick<Metrics, 'batch' | 'watchStore'> {
  const batches = new Counter({
    name: 'hub_commit_batches_total',
    help: 'Transactions of the group commit, by whether they reached the disk.',
    labelNames: ['result'],
    registers,
  });
  const writes = new Histogram({
    name: 'hub_commit_batch_writes',
    help: 'Writes that shared one transaction.',
    buckets: BATCH_BUCKETS,
    registers,
  });
  const flushes = new Histogram({
    name: 'hub_commit_flush_seconds',
    help: 'Time of one commit, which is mostly the flush of the disk.',
    buckets: FLUSH_BUCKETS_SECONDS,
    registers,
  });

  return {
    batch(report) {
      batches.inc({ result: report.failed ? 'failed' : 'committed' });
      writes.observe(report.writes);
      if (!report.failed) flushes.observe(report.commitMs / 1000);
    },
    watchStore(store) {
      const gauge = (name: string, help: string, read: () => number) =>
        new Gauge({
          name,
          help,
          registers,
          collect() {
            this.set(read());
          },
        });
      gauge('hub_writer_waiting_writes', 'Writes that wait for their transaction.', () => store.waitingWrites());
      gauge('hub_database_bytes', 'Size of the database file.', () => store.sizes().databaseBytes);
      gauge('hub_wal_bytes', 'Size of the write-ahead log beside it.', () => store.sizes().walBytes);
    },
  };
}
