import { expect, test } from 'bun:test';
import { movedMachines, movedText } from './moved-machines.ts';
import { daysFromNow } from './testing/test-key.ts';

const use = (address: string, days: number) => ({ address, lastUsedAt: daysFromNow(days), requests: 1 });
const ROTATED = daysFromNow(0);

test('who used the successor after the old key has moved', () => {
  const moved = movedMachines([use('a', -1), use('b', 0.1)], [use('a', 0.2)], ROTATED);
  expect(moved).toEqual({ all: 2, moved: 1, left: ['b'] });
  expect(movedText(moved)).toBe('1 of 2 machines has moved');
});

test('who came back to the old key has not, and who stopped a week before the rotation is not counted', () => {
  const moved = movedMachines([use('a', 0.3), use('gone', -8)], [use('a', 0.2)], ROTATED);
  expect(moved).toEqual({ all: 1, moved: 0, left: ['a'] });
});

test.each([
  [0, 0, 'Nobody used it lately'],
  [1, 0, 'Its machine has not moved yet'],
  [1, 1, 'Its machine has moved'],
  [3, 0, '0 of 3 machines have moved'],
  [3, 3, 'All 3 machines have moved'],
])('%p machines, of which %p have moved', (all, moved, text) => {
  expect(movedText({ all, moved, left: [] })).toBe(text);
});
