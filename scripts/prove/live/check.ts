import type { Item } from '@hub/contract';
import type { HubView } from './hub-view.ts';
import type { Reader } from './reader.ts';
import type { Records } from './records.ts';

/** The state of a Hub after a fresh load, and the objects in views that have been found equal to it. */
export class FreshHub {
  readonly seq: number;
  readonly items: ReadonlyMap<string, Item>;
  /** Views share the objects that they receive, so each object is compared only once. */
  readonly #equal = new WeakSet<object>();

  constructor({ items, seq }: { items: readonly Item[]; seq: number }) {
    this.seq = seq;
    this.items = new Map(items.map((item) => [item.id, item]));
  }

  /** Returns the differences between a view's state and this one; empty if there are none. */
  differences(items: ReadonlyMap<string, Item>): string[] {
    const found: string[] = [];
    for (const [id, item] of this.items) {
      const held = items.get(id);
      if (!held) found.push(`${id} is absent`);
      else if (!this.#isEqual(held, item))
        found.push(`${id} is ${JSON.stringify(held)} and not ${JSON.stringify(item)}`);
    }
    for (const id of items.keys()) if (!this.items.has(id)) found.push(`${id} should be gone`);
    return found;
  }

  #isEqual(held: Item, item: Item): boolean {
    if (this.#equal.has(held)) return true;
    if (!Bun.deepEquals(held, item, true)) return false;
    this.#equal.add(held);
    return true;
  }
}

/** Finds errors in the readers' views: in their state, and in how often they received each acknowledged item. */
export function checkViews(
  readers: readonly Reader[],
  fresh: ReadonlyMap<string, FreshHub>,
  { acknowledged, records }: { acknowledged: ReadonlyMap<string, string>; records: Records },
) {
  const byHub = Map.groupBy(acknowledged.keys(), (id) => acknowledged.get(id) ?? '');
  const sums = { views: 0, items: 0, missing: 0 };
  const behind: string[] = [];
  const unequal: string[] = [];
  const miscounted: string[] = [];
  for (const { name, views } of readers) {
    for (const view of views) {
      const hub = fresh.get(view.hubId);
      if (!hub) throw new Error(`${view.hubId} was not loaded`);
      sums.views += 1;
      sums.items += view.items.size;
      const missing = view.missing(hub.seq);
      sums.missing += missing;
      if (missing > 0) behind.push(`${name}: ${missing} of ${hub.seq}`);
      unequal.push(...hub.differences(view.items).map((difference) => `${name}: ${difference}`));
      for (const id of byHub.get(view.hubId) ?? []) {
        const times = view.timesCreated(id);
        if (times !== timesDue(view, records.createdAt.get(id))) miscounted.push(`${name}: ${id} came ${times} times`);
      }
    }
  }
  return { ...sums, behind, unequal, miscounted };
}

/** Exactly one creation event is expected, unless a list returned the item instead. */
function timesDue({ jumps }: HubView, createdAt = 0): number {
  return jumps.some(([from, to]) => createdAt > from && createdAt <= to) ? 0 : 1;
}
