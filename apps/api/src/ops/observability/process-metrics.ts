import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { MeasuredMetrics } from './measured.ts';

const NANOSECONDS = 1e-9;
const MICROSECONDS = 1e-6;

/** Registers metrics of the process, by the names of common dashboards. prom-client's own are zero or of V8 on Bun. */
export function registerProcessMetrics(metrics: MeasuredMetrics): void {
  const gauge = (name: string, help: string, read: () => number) => metrics.add({ name, help }, read);
  gauge('process_start_time_seconds', 'Start time of the process, in seconds since 1970.', () =>
    Math.round(performance.timeOrigin / 1000),
  );
  const cpu = { name: 'process_cpu_seconds_total', help: 'CPU time of the process, user and system.' };
  metrics.add(cpu, () => {
    const { user, system } = process.cpuUsage();
    return (user + system) * MICROSECONDS;
  });
  gauge('process_resident_memory_bytes', 'Memory of the process in RAM.', () => process.memoryUsage.rss());
  gauge('process_heap_bytes', 'Memory of the JavaScript heap in use.', () => process.memoryUsage().heapUsed);

  eventLoopDelay(metrics);
}

/** Each sample wakes the process, also when nothing happens. */
const SAMPLE_MS = 50;

/** Registers the delay of the event loop since the last scrape: a high value means that something blocks it. */
function eventLoopDelay(metrics: MeasuredMetrics): void {
  const delay = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  delay.enable();
  const name = 'hub_event_loop_delay_seconds';
  const help = 'Delay of the event loop: quantiles since the last scrape.';
  let sum = 0;
  let count = 0;
  const read = () => {
    const quantiles = [50, 99, 100].map((percent) => ({
      labels: { quantile: percent / 100 },
      value: delay.percentile(percent) * NANOSECONDS,
    }));
    if (delay.count > 0) sum += delay.count * delay.mean * NANOSECONDS;
    count += delay.count;
    delay.reset();
    return [
      ...quantiles,
      { metricName: `${name}_sum`, labels: {}, value: sum },
      { metricName: `${name}_count`, labels: {}, value: count },
    ];
  };
  metrics.register(({ Summary }, registers) => {
    const summary = new Summary({ name, help, registers });
    const { get } = summary;
    summary.get = async () => ({ ...(await get.call(summary)), values: read() });
  });
}
