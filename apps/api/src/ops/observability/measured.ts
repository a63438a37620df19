import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { LabelValues, Registry } from 'prom-client';

type PromClient = typeof import('prom-client');

interface Described {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: string[];
}

/** The name of each metric, its explanation, its values or the field that has them, and the names of their labels. */
export type MetricTable<Source> = readonly (readonly [
  name: string,
  help: string,
  values: keyof Source | ((source: Source) => Measured),
  labelNames?: string[],
])[];

/** The value of a metric, or several, each with its labels. */
export type Measured = number | Iterable<readonly [labels: LabelValues<string>, value: number]>;

/**
 * Metrics whose values are kept elsewhere, in plain numbers, and read for each scrape: so counting costs nothing extra.
 * prom-client is loaded by the first scrape, since it takes a tenth of the time of a start.
 */
export class MeasuredMetrics {
  /** The media type of the text format of Prometheus. */
  readonly contentType = 'text/plain; version=0.0.4; charset=utf-8';
  readonly #waiting: ((client: PromClient, registers: Registry[]) => void)[] = [];
  #registry: Registry | undefined;

  /** Registers metrics with prom-client, once it is loaded. */
  register(add: (client: PromClient, registers: Registry[]) => void): void {
    this.#waiting.push(add);
  }

  /** Registers a counter if it is named as a total, and else a gauge, which may have no value. */
  add(described: Described, read: () => Measured | Promise<Measured>): void {
    this.register((client, registers) => {
      const options = {
        ...described,
        registers,
        collect: async () => {
          const measured = await read();
          metric.reset();
          // Without labels, a reset sets 0.
          metric.remove({});
          for (const [labels, value] of typeof measured === 'number' ? [[{}, measured] as const] : measured)
            metric.inc(labels, value);
        },
      };
      const metric = described.name.endsWith('_total') ? new client.Counter(options) : new client.Gauge(options);
    });
  }

  /** Registers metrics that are read together, once for each scrape. `null`: they have no values now. */
  addAll<Source extends object>(table: MetricTable<Source>, read: () => Source | null | Promise<Source | null>): void {
    let reading: Promise<Source | null> | null = null;
    const readOnce = (): Promise<Source | null> => {
      reading ??= Promise.try(read)
        .catch(() => null)
        .finally(() => {
          reading = null;
        });
      return reading;
    };
    for (const [name, help, values, labelNames = []] of table) {
      this.add({ name, help, labelNames }, async () => {
        const source = await readOnce();
        if (source === null) return [];
        return typeof values === 'function' ? values(source) : (source[values] as number);
      });
    }
  }

  histogram(described: Described, read: () => Iterable<readonly [LabelValues<string>, HistogramCounts]>): void {
    this.register(({ Histogram }, registers) => {
      const histogram = new Histogram({ ...described, registers });
      const { name } = described;
      const getValues = async () => ({
        name,
        help: described.help,
        type: 'histogram',
        aggregator: 'sum',
        values: [...read()].flatMap(([labels, counts]) => counts.values(name, labels)),
      });
      // The registry calls `getForPromString`, which prom-client does not declare.
      Object.assign(histogram, { get: getValues, getForPromString: getValues });
    });
  }

  /** Returns all metrics in the text format of Prometheus. */
  async render(): Promise<string> {
    const client = await import('prom-client');
    this.#registry ??= new client.Registry();
    for (const add of this.#waiting.splice(0)) add(client, [this.#registry]);
    return this.#registry.metrics();
  }
}

/** The observations of one series of a histogram, in plain numbers: an observation costs a few comparisons. */
export class HistogramCounts {
  readonly #buckets: readonly number[];
  /** Observations per bucket, not cumulative; the last entry is for those above all buckets. */
  readonly #counts: number[];
  #sum = 0;

  constructor(buckets: readonly number[]) {
    this.#buckets = buckets;
    this.#counts = new Array(buckets.length + 1).fill(0);
  }

  observe(value: number): void {
    let bucket = 0;
    while (bucket < this.#buckets.length && value > (this.#buckets[bucket] ?? 0)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += value;
  }

  /** Returns the series in the form of prom-client: cumulative buckets, sum and count. */
  values(name: string, labels: LabelValues<string>) {
    let count = 0;
    const buckets = this.#counts.map((observed, bucket) => {
      count += observed;
      return { metricName: `${name}_bucket`, labels: { le: this.#buckets[bucket] ?? '+Inf', ...labels }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}

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
