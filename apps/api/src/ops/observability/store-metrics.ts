import type { Registry } from 'prom-client';
import { HistogramCounts, measuredCounts, measuredGauge, measuredHistogram } from './measured.ts';

/** A transaction of the store, in which several writes may have shared a flush. */
interface BatchObservation {
  readonly writes: number;
  /** Duration of the commit alone. */
  readonly commitMs: number;
  readonly failed: boolean;
}

interface StoreGauges {
  waitingWrites(): number;
  sizes(): { databaseBytes: number; walBytes: number };
}

export interface StoreMetrics {
  batch(observation: BatchObservation): void;
  /** Values that are read from the store for each scrape. */
  watchStore(store: StoreGauges): void;
}

const FLUSH_BUCKETS_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1];
const BATCH_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

export function storeMetrics(registers: Registry[]): StoreMetrics {
  const batches = { committed: 0, failed: 0 };
  const writes = new HistogramCounts(BATCH_BUCKETS);
  const flushes = new HistogramCounts(FLUSH_BUCKETS_SECONDS);
  const byResult = { help: 'Group commit transactions, by result.', labelNames: ['result'] };
  measuredCounts(registers, { name: 'hub_commit_batches_total', ...byResult }, () =>
    Object.entries(batches).map(([result, count]) => [{ result }, count] as const),
  );
  measuredHistogram(registers, { name: 'hub_commit_batch_writes', help: 'Writes that shared a transaction.' }, () => [
    [{}, writes],
  ]);
  measuredHistogram(
    registers,
    { name: 'hub_commit_flush_seconds', help: 'Duration of a commit, mostly the flush to disk.' },
    () => [[{}, flushes]],
  );

  return {
    batch(report) {
      batches[report.failed ? 'failed' : 'committed'] += 1;
      writes.observe(report.writes);
      if (!report.failed) flushes.observe(report.commitMs / 1000);
    },
    watchStore(store) {
      const gauge = (name: string, help: string, read: () => number) => measuredGauge(registers, { name, help }, read);
      gauge('hub_writer_waiting_writes', 'Writes waiting for their transaction.', () => store.waitingWrites());
      gauge('hub_database_bytes', 'Size of the database file.', () => store.sizes().databaseBytes);
      gauge('hub_wal_bytes', 'Size of the write-ahead log.', () => store.sizes().walBytes);
    },
  };
}
