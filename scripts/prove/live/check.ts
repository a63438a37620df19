import type { Item } from '@hub/contract';
import type { Proof } from '@hub/testkit';
import type { Crowd } from './crowd.ts';
import type { HubView, Records } from './hub-view.ts';
import type { Ledger } from './ledger.ts';
import type { Reader } from './plain-reader.ts';

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

const count = (value: number): string => value.toLocaleString('en-US');

export interface Outcome {
  records: Records;
  ledger: Ledger;
  checked: ReturnType<typeof checkViews>;
}

export function sayCounts(
  proof: Proof,
  {
    crowd,
    records: { sums, createdAt },
    ledger,
    checked,
    newest,
  }: Outcome & { crowd: Crowd; newest: ReadonlyMap<string, number> },
): void {
  const events = [...newest.values()].reduce((sum, seq) => sum + seq, 0);
  const rows: [string, number][] = [
    [`readers, ${crowd.library.length} of them with the library`, crowd.readers.length],
    ['connections', sums.connections],
    ['cuts', sums.cuts],
    ['  in the middle of a frame, as far as readers by hand saw', sums.cutsInFrame],
    ['reads from a stale number', sums.staleStarts],
    ['resets', sums.resets],
    ['events', events],
    ['events that arrived', sums.frames],
    ['requests done', ledger.done],
    ['  and too late, another user was faster', ledger.outrun],
    ['  and without a response, during restarts', ledger.unanswered],
    ['items acknowledged', ledger.acknowledged.size],
    ['items created, also without a response', createdAt.size],
    ['views compared with a fresh load', checked.views],
    ['  and the items in them', checked.items],
    ['missed', sums.missed + checked.missing],
    ['twice', sums.twice],
    ['out of order', sums.outOfOrder],
  ];
  for (const [what, value] of rows) proof.report(`${what.padEnd(60)} ${count(value).padStart(12)}`);
}

interface Before {
  cuts: number;
  acknowledged: number;
}

/** Checks all events, from the first to the last. */
export function checkStorm(
  proof: Proof,
  outcome: Outcome & {
    lagging: readonly string[];
    codes: readonly (number | null)[];
    before: Before;
    restarts: number;
  },
): void {
  const { lagging, codes, records, ledger, checked, before, restarts } = outcome;
  const { sums, surprises } = records;
  proof.none('all readers reconnect and receive the newest event', lagging);
  proof.check('missed: 0', sums.missed + checked.missing === 0, checked.behind.slice(0, 3).join('; '));
  proof.check('twice: 0', sums.twice === 0);
  proof.check('out of order: 0', sums.outOfOrder === 0);
  proof.none("each reader's state, built from events, equals a fresh load", checked.unequal);
  proof.none('each reader received each acknowledged item once', checked.miscounted);
  proof.none('the server follows its protocol', surprises);
  proof.none('no request was rejected or lost without a reason', ledger.rejected);
  proof.check(
    'a server that gets SIGTERM exits with 0',
    codes.every((code) => code === 0),
    codes.join(),
  );
  const isStorm = sums.cuts > before.cuts && sums.cutsInFrame > 0 && sums.resets > 0 && sums.staleStarts > 0;
  const isLoad = ledger.acknowledged.size > before.acknowledged && (restarts === 0 || ledger.unanswered > 0);
  proof.check('the storm had cuts, resets, outdated numbers and requests cut by restarts', isStorm && isLoad);
}
