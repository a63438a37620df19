import type { EventFrame } from '../../../packages/contract/src/index.ts';
import { serialOf } from './frames.ts';

/** Milliseconds from just before a post is sent until its event arrives at each socket. */
export class Latencies {
  readonly #sentAt = new Map<number, number>();
  #serial = 0;
  #samples: number[] | undefined;

  /** The number of the post that is being sent. */
  send(): number {
    this.#serial += 1;
    this.#sentAt.set(this.#serial, performance.now());
    return this.#serial;
  }

  arrived(event: EventFrame): void {
    if (!this.#samples) return;
    const sentAt = this.#sentAt.get(serialOf(event) ?? 0);
    if (sentAt !== undefined) this.#samples.push(performance.now() - sentAt);
  }

  /** Starts measuring. Posts sent earlier are ignored. */
  begin(): void {
    this.#sentAt.clear();
    this.#samples = [];
  }

  /** Stops measuring. Returns all latencies since `begin`, in milliseconds. */
  end(): readonly number[] {
    const samples = this.#samples ?? [];
    this.#samples = undefined;
    return samples;
  }
}

/** Returns the value below which this fraction of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}
