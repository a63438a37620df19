import type { Item } from '@hub/contract';
import { signal } from '@preact/signals';
import { type CollapsedItems, collapseRepeats, type Repeats } from '../../lib/repeats.ts';
import { readStored, writeStored } from '../../lib/stored.ts';
import { clockTime } from '../../lib/time/format.ts';

const OFF_KEY = 'hub.repeats';

export const areRepeatsCollapsed = signal(readStored(OFF_KEY) !== 'off');

export function setRepeatsCollapsed(isOn: boolean): void {
  areRepeatsCollapsed.value = isOn;
  writeStored(OFF_KEY, isOn ? null : 'off');
}

/** The ids of messages that are shown along with those that they repeat. */
const expanded = signal<ReadonlySet<string>>(new Set());

/** Shows a message even if a later one repeats it. */
export function showRepeat(id: string): void {
  expanded.value = new Set(expanded.peek()).add(id);
}

const NONE: CollapsedItems['repeats'] = new Map();

/** Returns the items that have a row. Reads signals. */
export function withCollapsedRepeats(
  items: readonly Item[],
  isApart: (before: Item, item: Item) => boolean,
): CollapsedItems {
  const ids = expanded.value;
  if (!areRepeatsCollapsed.value) return { items, repeats: NONE };
  return collapseRepeats(items, { isOpen: (group) => ids.size > 0 && group.some(({ id }) => ids.has(id)), isApart });
}

/** A button below a message that shows or hides those that it repeats. */
export function RepeatsToggle({ id, repeats: { older, isOpen } }: { id: string; repeats: Repeats }) {
  const [first] = older;
  if (!first) return null;
  const toggle = () => {
    const ids = new Set(expanded.peek());
    for (const each of [...older.map((item) => item.id), id]) isOpen ? ids.delete(each) : ids.add(each);
    expanded.value = ids;
  };
  return (
    <button class="expand repeats" type="button" aria-expanded={isOpen} onClick={toggle}>
      {isOpen ? `Hide ${older.length} similar` : `and ${older.length} similar since ${clockTime(first.createdAt)}`}
    </button>
  );
}
