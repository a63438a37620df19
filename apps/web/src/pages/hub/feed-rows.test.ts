import { expect, test } from 'bun:test';
import type { Item } from '@hub/contract';
import { isHeadless } from './feed-rows.ts';

const message = (second: number, authorId = 'bot') =>
  ({
    id: `msg_${second}`,
    createdAt: new Date(Date.UTC(2026, 2, 1, 12, 0, second)).toISOString(),
    deletedAt: null,
    author: { id: authorId },
    key: null,
  }) as Item;
const heads = (items: readonly Item[]) => items.filter((_, n) => !isHeadless(items, n)).map(({ id }) => id);
const burst = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => message(from + n));

test('shows author and time at the start of a burst and every ten rows', () => {
  expect(heads(burst(0, 25))).toEqual(['msg_0', 'msg_10', 'msg_20']);
  expect(heads([...burst(0, 12), message(12, 'ada'), ...burst(13, 24)])).toEqual([
    'msg_0',
    'msg_10',
    'msg_12',
    'msg_13',
    'msg_23',
  ]);
});

test('keeps the headers on the same rows when older items of a burst are loaded', () => {
  const newer = burst(15, 40);
  expect(isHeadless(newer, 20)).toBe(false);
  const before = heads(newer);
  expect(heads([...burst(0, 15), ...newer])).toEqual(['msg_0', 'msg_10', ...before]);
});
