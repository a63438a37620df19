import type { EventFrame } from '../../../packages/contract/src/index.ts';
import { serialOf } from './frames.ts';

/** From just before a post is sent to its event at each socket, in milliseconds. */
export class Latencies {
  readonly #sentAt = new Map<number, number>();
  #serial = 0;
  #samples: number[] | undefined;

  /** The number of the post that is sent now. */
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

  /** From now on posts are measured; of those that were sent before nothing is noted. */
  begin(): void {
    this.#sentAt.clear();
    this.#samples = [];
  }

  /** All that has arrived since, in milliseconds. */
  end(): readonly number[] {
    const samples = this.#samples ?? [];
    this.#samples = undefined;
    return samples;
  }
}

/** The value below which this share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}
