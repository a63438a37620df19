import { Counter, Gauge, Histogram, type LabelValues, type Registry } from 'prom-client';

interface Described {
  readonly name: string;
  readonly help: string;
}

/** Registers a gauge whose value is read for each scrape. */
export function measuredGauge(registers: Registry[], described: Described, read: () => number): void {
  new Gauge({
    ...described,
    registers,
    collect() {
      this.set(read());
    },
  });
}

/** Registers a counter whose total is kept elsewhere, so that counting costs nothing extra. */
export function measuredCounter(registers: Registry[], described: Described, read: () => number): void {
  new Counter({
    ...described,
    registers,
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

/** Registers a counter with labels whose totals are kept elsewhere. */
export function measuredCounts(
  registers: Registry[],
  described: Described & { labelNames: string[] },
  read: () => Iterable<readonly [labels: LabelValues<string>, total: number]>,
): void {
  new Counter({
    ...described,
    registers,
    collect() {
      this.reset();
      for (const [labels, total] of read()) this.inc(labels, total);
    },
  });
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

/** A histogram whose observations are kept elsewhere. */
export function measuredHistogram(
  registers: Registry[],
  described: Described & { labelNames?: string[] },
  read: () => Iterable<readonly [LabelValues<string>, HistogramCounts]>,
): void {
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
}
