import { expect, test } from 'bun:test';
import { tmpdir } from 'node:os';
import { createMetrics, diskSpace } from './metrics.ts';

test('each batch is counted with its writes and flush time, and failed batches separately', async () => {
  const metrics = createMetrics({ version: '1.2.3' });
  metrics.batch({ writes: 12, commitMs: 0.4, failed: false });
  metrics.batch({ writes: 3, commitMs: 0, failed: true });
  const text = await metrics.render();
  expect(text).toContain('hub_commit_batches_total{result="committed"} 1');
  expect(text).toContain('hub_commit_batches_total{result="failed"} 1');
  expect(text).toContain('hub_commit_batch_writes_sum 15');
  expect(text).toContain('hub_commit_flush_seconds_count 1');
  expect(text).toContain('hub_commit_flush_seconds_bucket{le="0.0005"} 1');
});

test('queue length and sizes are read when the metrics are rendered', async () => {
  const metrics = createMetrics({ version: '1.2.3' });
  let waiting = 7;
  metrics.watchStore({ waitingWrites: () => waiting, sizes: () => ({ databaseBytes: 4096, walBytes: 1000 }) });
  expect(await metrics.render()).toContain('hub_writer_waiting_writes 7');
  waiting = 0;
  const text = await metrics.render();
  expect(text).toContain('hub_writer_waiting_writes 0');
  expect(text).toContain('hub_database_bytes 4096');
  expect(text).toContain('hub_wal_bytes 1000');
});

test('the free space of the data directory is measured, and NaN if it is unknown', async () => {
  const metrics = createMetrics({ version: '1.2.3' });
  metrics.watchDisk(tmpdir());
  const text = await metrics.render();
  const free = Number(/^hub_disk_free_bytes (.*)$/m.exec(text)?.[1]);
  const size = Number(/^hub_disk_size_bytes (.*)$/m.exec(text)?.[1]);
  expect(free).toBeGreaterThan(0);
  expect(size).toBeGreaterThan(free);
  expect(diskSpace('/nowhere')).toEqual({ freeBytes: Number.NaN, sizeBytes: Number.NaN });
});

test('counters start at 0, so that a rate includes the first event', async () => {
  const text = await createMetrics({ version: '1.2.3' }).render();
  for (const series of [
    'hub_posts_total{kind="todo"}',
    'hub_commit_batches_total{result="failed"}',
    'hub_rejections_total{api="public",status="503",reason="unavailable"}',
    'hub_rejections_total{api="workspace",status="500",reason="internal"}',
  ]) {
    expect(text).toContain(`${series} 0\n`);
  }
});

test('process metrics cover memory, CPU time, start time and event loop delay', async () => {
  const text = await createMetrics({ version: '1.2.3' }).render();
  const reading = (name: string): number => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
  expect(reading('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
  expect(reading('process_heap_bytes')).toBeGreaterThan(100_000);
  expect(reading('process_cpu_seconds_total')).toBeGreaterThan(0);
  expect(Math.abs(reading('process_start_time_seconds') - Date.now() / 1000)).toBeLessThan(3600);
  expect(text).toMatch(/hub_event_loop_delay_seconds\{quantile="0.99"\} [\d.e-]+/);
  expect(text).toMatch(/hub_event_loop_delay_seconds_count \d+/);
});

test('two servers in one process have separate metrics', async () => {
  const [one, other] = [createMetrics({ version: '1' }), createMetrics({ version: '2' })];
  one.postCreated('note');
  expect(await one.render()).toContain('hub_posts_total{kind="note"} 1');
  expect(await other.render()).toContain('hub_posts_total{kind="note"} 0');
});
