import { expect, test } from 'bun:test';
import type { Item } from '@hub/contract';
import { filterQuery, isFiltering, passes, readFilter, writeFilter } from './stream-filter.ts';

const item = { kind: 'todo', hubId: 'hub_1', key: { id: 'key_1', name: 'ci' } } as Item;

test('a filter is written to the URL and leaves other parameters alone', () => {
  const query = new URLSearchParams('open=msg_1&kind=note');
  const filter = readFilter(new URLSearchParams('hub=hub_1&kind=todo&key=key_1&unread=true'));
  const written = writeFilter(query, filter);
  expect(written.toString()).toBe('open=msg_1&kind=todo&hub=hub_1&key=key_1&unread=true');
  expect(readFilter(written)).toEqual(filter);
  expect(writeFilter(written, readFilter(new URLSearchParams())).toString()).toBe('open=msg_1');
});

test('a URL with unknown values sets no filter', () => {
  expect(readFilter(new URLSearchParams('kind=song&unread=yes'))).toEqual({
    hubId: null,
    kind: null,
    keyId: null,
    isUnread: false,
  });
});

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

test('the request to the server has the same filter', () => {
  expect(filterQuery(readFilter(new URLSearchParams('hub=hub_1&unread=true')))).toEqual({
    hubId: 'hub_1',
    kind: null,
    keyId: null,
    unread: 'true',
  });
});
