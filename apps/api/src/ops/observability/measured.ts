import { monitorEventLoopDelay } from 'node:perf_hooks';

type Labels = Readonly<Record<string, string | number>>;
type Sample = readonly [labels: Labels, value: number, suffix?: string];

/** The value of a metric, or several, each with its labels, and the suffix of its name if it has one. */
export type Measured = number | Iterable<Sample>;

/** The name of each metric, its explanation, and its values or the field that has them. */
export type MetricTable<Source> = readonly (readonly [
  name: string,
  help: string,
  values: keyof Source | ((source: Source) => Measured),
])[];

interface Metric {
  readonly name: string;
  readonly help: string;
  /** By default, a counter if it is named as a total, and else a gauge, which may have no value. */
  readonly type?: 'histogram' | 'summary';
  readonly read: () => Measured | Promise<Measured>;
}

/** Metrics whose values are kept elsewhere, in plain numbers, and read for each scrape: so counting costs nothing extra. */
export class MeasuredMetrics {
  /** The media type of the text format of Prometheus. */
  readonly contentType = 'text/plain; version=0.0.4; charset=utf-8';
  readonly #metrics: Metric[] = [];

  add(metric: Metric): void {
    this.#metrics.push(metric);
  }

  /** Adds metrics that are read together, once for each scrape. `null`: they have no values now. */
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
    for (const [name, help, values] of table) {
      const readValues = async () => {
        const source = await readOnce();
        if (source === null) return [];
        return typeof values === 'function' ? values(source) : (source[values] as number);
      };
      this.add({ name, help, read: readValues });
    }
  }

  addHistogram(name: string, help: string, read: () => Iterable<readonly [Labels, HistogramCounts]>): void {
    const samples = () => [...read()].flatMap(([labels, counts]) => counts.samples(labels));
    this.add({ name, help, type: 'histogram', read: samples });
  }

  /** Returns all metrics in the text format of Prometheus. */
  async render(): Promise<string> {
    return (await Promise.all(this.#metrics.map(textOf))).join('\n');
  }
}

/** A metric in the text format (prometheus.io/docs/instrumenting/exposition_formats). */
async function textOf(metric: Metric): Promise<string> {
  const { name, help, type = name.endsWith('_total') ? 'counter' : 'gauge', read } = metric;
  const measured = await read();
  const lines = Array.from(typeof measured === 'number' ? [[{}, measured] as const] : measured, lineOf(name));
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

const lineOf =
  (name: string) =>
  ([labels, value, suffix = '']: Sample): string => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}=${quoted(String(text))}`);
    const number = value === Number.POSITIVE_INFINITY ? '+Inf' : value;
    return `${name}${suffix}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${number}`;
  };

const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')}"`;

/** The observations of one series of a histogram, in plain numbers: an observation costs a few comparisons. */
export class HistogramCounts {
  /** Observations per bucket, not cumulative; the last entry is for those above all buckets. */
  readonly #counts: number[];
  #sum = 0;

  constructor(private readonly buckets: readonly number[]) {
    this.#counts = new Array(buckets.length + 1).fill(0);
  }

  observe(value: number): void {
    let bucket = 0;
    while (bucket < this.buckets.length && value > (this.buckets[bucket] ?? 0)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += value;
  }

  /** Returns the samples of the series: cumulative buckets, sum and count. */
  samples(labels: Labels): Sample[] {
    let count = 0;
    const buckets = this.#counts.map((observed, bucket): Sample => {
      count += observed;
      return [{ le: this.buckets[bucket] ?? '+Inf', ...labels }, count, '_bucket'];
    });
    return [...buckets, [labels, this.#sum, '_sum'], [labels, count, '_count']];
  }
}

const NANOSECONDS = 1e-9;
const MICROSECONDS = 1e-6;

/** Adds metrics of the process, by the names of common dashboards. */
export function addProcessMetrics(metrics: MeasuredMetrics): void {
  const add = (name: string, help: string, read: () => number) => metrics.add({ name, help, read });
  add('process_start_time_seconds', 'Start time of the process, in seconds since 1970.', () =>
    Math.round(performance.timeOrigin / 1000),
  );
  add('process_cpu_seconds_total', 'CPU time of the process, user and system.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) * MICROSECONDS;
  });
  add('process_resident_memory_bytes', 'Memory of the process in RAM.', () => process.memoryUsage.rss());
  add('process_heap_bytes', 'Memory of the JavaScript heap in use.', () => process.memoryUsage().heapUsed);
  addEventLoopDelay(metrics);
}

/** Each sample wakes the process, also when nothing happens. */
const SAMPLE_MS = 50;

/** Adds the delay of the event loop since the last scrape: a high value means that something blocks it. */
function addEventLoopDelay(metrics: MeasuredMetrics): void {
  const delay = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  delay.enable();
  const help = 'Delay of the event loop: quantiles since the last scrape.';
  let [sum, count] = [0, 0];
  const read = (): Sample[] => {
    const quantiles = [50, 99, 100].map(
      (percent): Sample => [{ quantile: percent / 100 }, delay.percentile(percent) * NANOSECONDS],
    );
    if (delay.count > 0) sum += delay.count * delay.mean * NANOSECONDS;
    count += delay.count;
    delay.reset();
    return [...quantiles, [{}, sum, '_sum'], [{}, count, '_count']];
  };
  metrics.add({ name: 'hub_event_loop_delay_seconds', help, type: 'summary', read });
}
