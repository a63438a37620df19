import { Counter, Gauge, type Registry } from 'prom-client';

interface Described {
  readonly name: string;
  readonly help: string;
}

/** A gauge that is asked for its value whenever the metrics are read. */
export function measuredGauge(registers: Registry[], described: Described, read: () => number): void {
  new Gauge({
    ...described,
    registers,
    collect() {
      this.set(read());
    },
  });
}

/** A counter of which the sum is kept elsewhere, so that counting costs nothing. */
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
