import type { FuzzedRequest } from './mutate-request.ts';
import { bytesOf } from './wire.ts';

const MAX_SHOWN = 8;

/** The combined results of all mutations. */
export class Outcomes {
  readonly byStatus = new Map<number, number>();
  readonly problems: string[] = [];
  #problemCount = 0;

  count(status: number): void {
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1);
  }

  problem(index: number, what: string, sent: FuzzedRequest | string): void {
    this.#problemCount += 1;
    if (this.problems.length >= MAX_SHOWN) return;
    const shown = typeof sent === 'string' ? sent : JSON.stringify(bytesOf(sent).toString('latin1').slice(0, 700));
    this.problems.push(`#${index}: ${what}\n       ${shown}`);
  }

  get problemCount(): number {
    return this.#problemCount;
  }

  get summary(): string {
    return [...this.byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', ');
  }
}
