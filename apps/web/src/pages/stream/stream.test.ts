import { describe, expect, test } from 'bun:test';
import type { Item } from '@hub/contract';
import { passes, streamFilters } from './stream-filter.ts';
import { dividerIn, ViewTracker } from './view-tracker.ts';

describe('the divider between new and old items', () => {
  const items = ['a', 'b', 'c', 'd'].map((id) => ({ id, kind: 'note' }) as Item);
  /** Returns the row below the divider and the count of new items above it. */
  const divider = (fresh: string[], isRestRead = true) => {
    const isFresh = ({ id }: Item) => fresh.includes(id);
    const { index, newAbove } = dividerIn({ items, repeats: new Map() }, { isFresh, isRestRead: () => isRestRead });
    return [items[index]?.id, newAbove];
  };

  test('is below the new items, with their count, and only where everything below has been read', () => {
    expect(divider(['d', 'c'])).toEqual(['b', 2]);
    expect(divider(['d', 'b'])).toEqual(['a', 2]);
    expect(divider(['b'])).toEqual(['a', 1]);
    for (const fresh of [[], ['a', 'b', 'c', 'd'], ['d', 'a']]) expect(divider(fresh)).toEqual([undefined, 0]);
    // Older items that are not loaded may be new.
    expect(divider(['d', 'c'], false)).toEqual([undefined, 0]);
  });

  test('counts the messages that a row stands for', () => {
    const older = items.slice(0, 2);
    const collapsed = { items: items.slice(1), repeats: new Map([['d', { older, oldest: 'a', isOpen: false }]]) };
    const found = dividerIn(collapsed, { isFresh: ({ id }) => id === 'd', isRestRead: () => true });
    expect(found).toEqual({ index: 1, newAbove: 3 });
  });
});

test('arriving items must match every part of the filter', () => {
  const item = { kind: 'todo', hubId: 'hub_1', key: { id: 'key_1', name: 'ci' } } as Item;
  const all = streamFilters.read(new URLSearchParams());
  const isNew = () => false;
  expect([streamFilters.isSet(all), passes(item, all, isNew)]).toEqual([false, true]);
  const parts = [{ hubId: 'hub_1' }, { kind: 'todo' as const }, { keyId: 'key_1' }];
  for (const part of parts) expect(passes(item, { ...all, ...part }, isNew)).toBe(true);
  const others = [{ hubId: 'hub_2' }, { kind: 'note' as const }, { keyId: 'key_2' }, { isUnread: true }];
  for (const part of others) expect(passes(item, { ...all, ...part }, isNew)).toBe(false);
  expect(passes(item, { ...all, isUnread: true }, () => true)).toBe(true);
});

describe('the view', () => {
  test('an item counts as seen after it has been in view long enough', () => {
    const tracker = new ViewTracker(3_000);
    tracker.update(['a'], 0);
    tracker.update(['a', 'b'], 1_000);
    expect([tracker.takeSeen(2_999), tracker.waitMs(2_999)]).toEqual([[], 1]);
    expect([tracker.takeSeen(3_000), tracker.waitMs(3_000)]).toEqual([['a'], 1_000]);
    expect([tracker.takeSeen(4_000), tracker.waitMs(4_000)]).toEqual([['b'], null]);
  });

  test('an item that left the view in between starts over', () => {
    const tracker = new ViewTracker(3_000);
    tracker.update(['a', 'b'], 0);
    tracker.update(['b'], 2_000);
    tracker.update(['a', 'b'], 2_500);
    expect(tracker.takeSeen(3_000)).toEqual(['b']);
    expect(tracker.takeSeen(5_499)).toEqual([]);
    tracker.update([], 5_499);
    expect([tracker.takeSeen(9_000), tracker.waitMs(9_000)]).toEqual([[], null]);
  });
});
