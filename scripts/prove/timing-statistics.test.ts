import { expect, test } from 'bun:test';
import { checkSpread, type Rounds } from './timing-statistics.ts';

/** Returns reproducible pseudorandom numbers (a linear congruential generator). */
function seeded(): () => number {
  let state = 42;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** Returns times like those of a busy machine, with positive noise and slow periods that hide `add`. */
function times(add: readonly number[]): Rounds {
  const random = seeded();
  return Array.from({ length: 1_000 }, (_, round) => {
    const slow = round % 300 > 200 ? 1.5 : 1;
    return Float64Array.from(add, (extra) => slow * (100 + extra - 10 * Math.log(1 - random())));
  });
}

test('classes that take equally long differ only by chance', () => {
  expect(checkSpread(times([0, 0, 0, 0]), seeded()).probability).toBeGreaterThan(0.01);
});

test('a class that takes 3% longer is detected despite noise', () => {
  const { probability, spread, chance } = checkSpread(times([0, 0, 0, 3]), seeded());
  expect(probability).toBeLessThan(0.001);
  expect(spread).toBeGreaterThan(chance);
});
