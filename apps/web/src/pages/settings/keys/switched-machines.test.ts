import { expect, test } from 'bun:test';
import { daysFromNow } from '@hub/testkit/web/test-key';
import { switchedMachines, switchedText } from './switched-machines.ts';

const use = (address: string, days: number) => ({ address, lastUsedAt: daysFromNow(days), requests: 1 });
const ROTATED = daysFromNow(0);

test('counts an address as switched once it has used the successor after the old key', () => {
  const switched = switchedMachines([use('a', -1), use('b', 0.1)], [use('a', 0.2)], ROTATED);
  expect(switched).toEqual({ all: 2, switched: 1, left: ['b'] });
  expect(switchedText(switched)).toBe('1 of 2 machines switched');
});

test('does not count an address that went back to the old key as switched, and ignores ones unused for a week', () => {
  const switched = switchedMachines([use('a', 0.3), use('gone', -8)], [use('a', 0.2)], ROTATED);
  expect(switched).toEqual({ all: 1, switched: 0, left: ['a'] });
});

test.each([
  [0, 0, 'Not used recently'],
  [1, 0, '1 machine hasn’t switched yet'],
  [1, 1, 'Nothing uses this key anymore'],
  [3, 0, '0 of 3 machines switched'],
  [3, 3, 'All 3 machines switched'],
])('describes %p machines of which %p have switched', (all, switched, text) => {
  expect(switchedText({ all, switched, left: [] })).toBe(text);
});
