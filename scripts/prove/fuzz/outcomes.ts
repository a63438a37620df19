import type { FuzzedRequest } from './mutate-request.ts';
import { bytesOf } from './wire.ts';

const MOST_SHOWN = 8;

/** What came of all mutations. */
export class Outcomes {
  readonly byStatus = new Map<number, number>();
  readonly faults: string[] = [];
  #faultCount = 0;

  count(status: number): void {
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1);
  }

  fault(index: number, what: string, sent: FuzzedRequest | string): void {
    this.#faultCount += 1;
    if (this.faults.length >= MOST_SHOWN) return;
    const shown = typeof sent === 'string' ? sent : JSON.stringify(bytesOf(sent).toString('latin1').slice(0, 700));
    this.faults.push(`#${index}: ${what}\n       ${shown}`);
  }

  get faultCount(): number {
    return this.#faultCount;
  }

  get summary(): string {
    return [...this.byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', ');
  }
}
