import { expect, test } from 'bun:test';
import { seeded } from '@hub/testkit';
import { checkSpread, type Rounds } from './timing-statistics.ts';

/** Returns times like those of a busy machine, with positive noise and slow periods that hide `add`. */
function times(add: readonly number[]): Rounds {
  const random = seeded(42);
  return Array.from({ length: 1_000 }, (_, round) => {
    const slow = round % 300 > 200 ? 1.5 : 1;
    return Float64Array.from(add, (extra) => slow * (100 + extra - 10 * Math.log(1 - random())));
  });
}

test('classes that take equally long differ only by chance', () => {
  expect(checkSpread(times([0, 0, 0, 0]), seeded(42)).probability).toBeGreaterThan(0.01);
});

test('a class that takes 3% longer is detected despite noise', () => {
  const { probability, spread, chance } = checkSpread(times([0, 0, 0, 3]), seeded(42));
  expect(probability).toBeLessThan(0.001);
  expect(spread).toBeGreaterThan(chance);
});
