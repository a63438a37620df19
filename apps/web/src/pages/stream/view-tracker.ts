import type { Item } from '@hub/contract';
import type { CollapsedItems } from '../../lib/repeats.ts';
/** Tracks how long items have been in view without a break, and which of them have been in view long enough. */
export class ViewTracker {
  readonly #longEnoughMs: number;
  readonly #since = new Map<string, number>();

  constructor(longEnoughMs: number) {
    this.#longEnoughMs = longEnoughMs;
  }

  /** Sets the items that are in view at this time. Times are in milliseconds and may come from any clock. */
  update(ids: Iterable<string>, now: number): void {
    const inView = new Set(ids);
    for (const id of this.#since.keys()) if (!inView.has(id)) this.#since.delete(id);
    for (const id of inView) if (!this.#since.has(id)) this.#since.set(id, now);
  }

  /** Returns the items that have been in view long enough by now, each only once. */
  takeSeen(now: number): string[] {
    const ids = [...this.#since].filter(([, since]) => now - since >= this.#longEnoughMs).map(([id]) => id);
    for (const id of ids) this.#since.delete(id);
    return ids;
  }

  /** Returns the time until the next item has been in view long enough; `null` if none is in view. */
  waitMs(now: number): number | null {
    if (this.#since.size === 0) return null;
    return Math.max(0, Math.min(...this.#since.values()) + this.#longEnoughMs - now);
  }
}

interface DividerOptions {
  isFresh: (item: Item) => boolean;
  /** Whether everything older than these items has been read. */
  isRestRead: () => boolean;
}

/**
 * Returns the index of the row below the divider between new and old, or −1: everything from there on has been read.
 * `newAbove`: how many new items are above it. The items are sorted from old to new, and shown from new to old.
 */
export function dividerIn(
  { items, repeats }: CollapsedItems,
  { isFresh, isRestRead }: DividerOptions,
): { index: number; newAbove: number } {
  const fresh = items.filter(isFresh);
  const [oldest] = fresh;
  const index = oldest ? items.indexOf(oldest) - 1 : -1;
  if (index < 0 || !isRestRead()) return { index: -1, newAbove: 0 };
  const collapsed = fresh.map(({ id }) => repeats.get(id)).filter((each) => each?.isOpen === false);
  return { index, newAbove: fresh.length + collapsed.reduce((sum, each) => sum + (each?.older.length ?? 0), 0) };
}
