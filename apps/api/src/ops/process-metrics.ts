import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Registry, Summary } from 'prom-client';
import { measuredCounter, measuredGauge } from './measured.ts';

const NANOSECONDS = 1e-9;
const MICROSECONDS = 1e-6;

/**
 * What there is to know of the process on Bun. prom-client's own set is made for Node: on Bun a good part of it are
 * zeros under V8's names. The names here are those that dashboards know.
 */
export function registerProcessMetrics(registry: Registry): void {
  const gauge = (name: string, help: string, read: () => number) => measuredGauge([registry], { name, help }, read);
  gauge('process_start_time_seconds', 'When the process began, in seconds since 1970.', () =>
    Math.round(performance.timeOrigin / 1000),
  );
  const cpu = { name: 'process_cpu_seconds_total', help: 'CPU time of the process, user and system.' };
  measuredCounter([registry], cpu, () => {
    const { user, system } = process.cpuUsage();
    return (user + system) * MICROSECONDS;
  });
  gauge('process_resident_memory_bytes', 'Memory of the process in RAM.', () => process.memoryUsage.rss());
  gauge('process_heap_bytes', 'Memory of the JavaScript heap in use.', () => process.memoryUsage().heapUsed);

  eventLoopDelay(registry);
}

/**
 * How late the event loop was since the last reading: a high value means that something keeps it from its work. The
 * histogram of the runtime has the quantiles already, so they are shown as a summary without being measured again.
 */
function eventLoopDelay(registry: Registry): void {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const name = 'hub_event_loop_delay_seconds';
  const summary = new Summary({
    name,
    help: 'How late the event loop was: quantiles since the last reading.',
    registers: [registry],
  });
  let sum = 0;
  let count = 0;
  const { get } = summary;
  summary.get = async () => {
    const quantiles = [50, 99, 100].map((percent) => ({
      labels: { quantile: percent / 100 },
      value: delay.percentile(percent) * NANOSECONDS,
    }));
    if (delay.count > 0) sum += delay.count * delay.mean * NANOSECONDS;
    count += delay.count;
    delay.reset();
    const values = [
      ...quantiles,
      { metricName: `${name}_sum`, labels: {}, value: sum },
      { metricName: `${name}_count`, labels: {}, value: count },
    ];
    return { ...(await get.call(summary)), values };
  };
}
