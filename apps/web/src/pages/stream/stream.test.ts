import { describe, expect, test } from 'bun:test';
import type { Item } from '@hub/contract';
import { isFiltering, passes, readFilter } from './stream-filter.ts';
import { ViewTracker } from './view-tracker.ts';

describe('the filter', () => {
  const item = { kind: 'todo', hubId: 'hub_1', key: { id: 'key_1', name: 'ci' } } as Item;

  test('arriving items must match every part of the filter', () => {
    const all = readFilter(new URLSearchParams());
    const isNew = () => false;
    expect([isFiltering(all), passes(item, all, isNew)]).toEqual([false, true]);
    const parts = [{ hubId: 'hub_1' }, { kind: 'todo' as const }, { keyId: 'key_1' }];
    for (const part of parts) expect(passes(item, { ...all, ...part }, isNew)).toBe(true);
    const others = [{ hubId: 'hub_2' }, { kind: 'note' as const }, { keyId: 'key_2' }, { isUnread: true }];
    for (const part of others) expect(passes(item, { ...all, ...part }, isNew)).toBe(false);
    expect(passes(item, { ...all, isUnread: true }, () => true)).toBe(true);
  });
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
