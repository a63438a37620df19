import { Counter, Histogram, type Registry } from 'prom-client';
import { measuredGauge } from './measured.ts';

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

export interface StoreMetrics {
  batch(observation: BatchObservation): void;
  /** From now on each reading asks the store for these. */
  watchStore(store: StoreGauges): void;
}

const FLUSH_BUCKETS_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1];
const BATCH_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

export function storeMetrics(registers: Registry[]): StoreMetrics {
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
  for (const result of ['committed', 'failed']) batches.inc({ result }, 0);

  return {
    batch(report) {
      batches.inc({ result: report.failed ? 'failed' : 'committed' });
      writes.observe(report.writes);
      if (!report.failed) flushes.observe(report.commitMs / 1000);
    },
    watchStore(store) {
      const gauge = (name: string, help: string, read: () => number) => measuredGauge(registers, { name, help }, read);
      gauge('hub_writer_waiting_writes', 'Writes that wait for their transaction.', () => store.waitingWrites());
      gauge('hub_database_bytes', 'Size of the database file.', () => store.sizes().databaseBytes);
      gauge('hub_wal_bytes', 'Size of the write-ahead log beside it.', () => store.sizes().walBytes);
    },
  };
}
