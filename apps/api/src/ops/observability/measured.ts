import { monitorEventLoopDelay } from 'node:perf_hooks';

type Labels = Readonly<Record<string, string | number>>;
type Sample = readonly [labels: Labels, value: number, suffix?: string];

/** The value of a metric, or several, each with its labels, and the suffix of its name if it has one. */
export type Measured = number | Iterable<Sample>;

/**
 * The name of each metric, its explanation, its values or the field that has them, and its type: by default, a counter if
 * it is named as a total, and else a gauge, which may have no value.
 */
export type MetricTable<Source> = readonly (readonly [
  name: string,
  help: string,
  values: keyof Source | ((source: Source) => Measured),
  type?: 'histogram' | 'summary',
])[];

/** Metrics whose values are kept elsewhere, in plain numbers, and read for each scrape: so counting costs nothing extra. */
export class MeasuredMetrics {
  /** The media type of the text format of Prometheus. */
  readonly contentType = 'text/plain; version=0.0.4; charset=utf-8';
  readonly #texts: (() => Promise<string>)[] = [];

  /** Adds metrics that are read together, once for each scrape. `null`: they have no values now. */
  add<Source extends object>(table: MetricTable<Source>, read: () => Source | null | Promise<Source | null>): void {
    let reading: Promise<Source | null> | null = null;
    const readOnce = (): Promise<Source | null> => {
      reading ??= Promise.try(read)
        .catch(() => null)
        .finally(() => {
          reading = null;
        });
      return reading;
    };
    for (const [name, help, values, type = name.endsWith('_total') ? 'counter' : 'gauge'] of table) {
      this.#texts.push(async () => {
        const source = await readOnce();
        const measured = source === null ? [] : typeof values === 'function' ? values(source) : source[values];
        // A metric in the text format (prometheus.io/docs/instrumenting/exposition_formats).
        const samples = typeof measured === 'number' ? [[{}, measured] as const] : (measured as Iterable<Sample>);
        return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...Array.from(samples, lineOf(name)), ''].join(
          '\n',
        );
      });
    }
  }

  /** Returns all metrics in the text format of Prometheus. */
  async render(): Promise<string> {
    return (await Promise.all(this.#texts.map((text) => text()))).join('\n');
  }
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

/** Metrics of the process, by the names of common dashboards. */
const PROCESS_METRICS: MetricTable<NodeJS.Process> = [
  [
    'process_start_time_seconds',
    'Start time of the process, in seconds since 1970.',
    () => Math.round(performance.timeOrigin / 1000),
  ],
  [
    'process_cpu_seconds_total',
    'CPU time of the process, user and system.',
    (process) => Object.values(process.cpuUsage()).reduce((sum, time) => sum + time) * MICROSECONDS,
  ],
  ['process_resident_memory_bytes', 'Memory of the process in RAM.', (process) => process.memoryUsage.rss()],
  ['process_heap_bytes', 'Memory of the JavaScript heap in use.', (process) => process.memoryUsage().heapUsed],
];

/** Each sample wakes the process, also when nothing happens. */
const SAMPLE_MS = 50;

/** Adds metrics of the process, and the delay of its event loop: a high value means that something blocks it. */
export function addProcessMetrics(metrics: MeasuredMetrics): void {
  metrics.add(PROCESS_METRICS, () => process);
  const delay = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  delay.enable();
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
  const help = 'Delay of the event loop: quantiles since the last scrape.';
  metrics.add([['hub_event_loop_delay_seconds', help, read, 'summary']], () => delay);
}
