import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';
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

  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  eventLoopDelay(registry, delay);
}

/** How late the event loop was since the last reading: a high value means that something keeps it from its work. */
function eventLoopDelay(registry: Registry, delay: ReturnType<typeof monitorEventLoopDelay>): void {
  new Gauge({
    name: 'hub_event_loop_delay_seconds',
    help: 'How late the event loop was since the last reading, by quantile.',
    labelNames: ['quantile'],
    registers: [registry],
    collect() {
      this.set({ quantile: '0.5' }, delay.percentile(50) * NANOSECONDS);
      this.set({ quantile: '0.99' }, delay.percentile(99) * NANOSECONDS);
      this.set({ quantile: '1' }, delay.max * NANOSECONDS);
      delay.reset();
    },
  });
}
