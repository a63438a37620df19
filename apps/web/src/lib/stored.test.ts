import { afterEach, expect, test } from 'bun:test';
import { keepRecentIn, readStored, recentIn, writeStored } from './stored.ts';

const { localStorage } = globalThis;
afterEach(() => Object.assign(globalThis, { localStorage }));

test('a full or unavailable storage keeps nothing, and no caller fails', () => {
  const fail = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  Object.assign(globalThis, { localStorage: { getItem: fail, setItem: fail, removeItem: fail } });
  expect([writeStored('name', 'value'), writeStored('name', null), readStored('name')]).toEqual([false, false, null]);
  keepRecentIn('recent', ' ', 3, 'rocket');
  expect(recentIn('recent', ' ')).toEqual([]);
});
