/** Since when things are in sight without a break, and which have been for long enough. */
export class InSight {
  readonly #longEnoughMs: number;
  readonly #since = new Map<string, number>();

  constructor(longEnoughMs: number) {
    this.#longEnoughMs = longEnoughMs;
  }

  /** These are in sight at this time, and nothing else is. Times are milliseconds of any clock. */
  look(ids: Iterable<string>, now: number): void {
    const inSight = new Set(ids);
    for (const id of this.#since.keys()) if (!inSight.has(id)) this.#since.delete(id);
    for (const id of inSight) if (!this.#since.has(id)) this.#since.set(id, now);
  }

  /** What has been in sight long enough by now. It is told once. */
  takeSeen(now: number): string[] {
    const seen = [...this.#since].filter(([, since]) => now - since >= this.#longEnoughMs).map(([id]) => id);
    for (const id of seen) this.#since.delete(id);
    return seen;
  }

  /** How long until the next will have been; `null` if nothing is in sight. */
  waitMs(now: number): number | null {
    if (this.#since.size === 0) return null;
    return Math.max(0, Math.min(...this.#since.values()) + this.#longEnoughMs - now);
  }
}
