import { expect, test } from 'bun:test';
import { StoreUnavailable } from '../../../platform/errors.ts';
import { Batches } from './batches.ts';

/** Batches whose runs end when the test says so. */
function setUp(options: { maxItems?: number; maxSize?: number; sizeOf?: (item: number) => number } = {}) {
  const runs: { items: readonly number[]; end: PromiseWithResolvers<void> }[] = [];
  const batches = new Batches<number, number>({
    maxItems: 100,
    ...options,
    run: async (items) => {
      const end = Promise.withResolvers<void>();
      runs.push({ items, end });
      await end.promise;
      return items.map((item) => (item < 0 ? { error: new Error(`${item}`) } : { value: item * 10 }));
    },
  });
  const next = async (count: number) => {
    while (runs.length < count) await new Promise((resolve) => setImmediate(resolve));
    return runs[count - 1] as (typeof runs)[number];
  };
  return { batches, next };
}

test('what is added during a run goes together into the next one, and one error does not affect the others', async () => {
  const { batches, next } = setUp();
  const first = batches.add(1);
  const run = await next(1);
  const following = Promise.allSettled([batches.add(2), batches.add(-3), batches.add(4)]);
  run.end.resolve();
  expect(await first).toBe(10);
  const second = await next(2);
  expect(second.items).toEqual([2, -3, 4]);
  second.end.resolve();
  expect((await following).map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)))).toEqual([
    20,
    'Error: -3',
    40,
  ]);
});

test('a run takes no more items than it may, and none after it has reached its size', async () => {
  const { batches, next } = setUp({ maxItems: 3, maxSize: 10, sizeOf: (item) => item });
  const all = [1, 1, 1, 1, 20, 1].map((item) => batches.add(item));
  const sizes: number[] = [];
  for (let n = 1; n <= 3; n += 1) {
    const { items, end } = await next(n);
    sizes.push(items.length);
    end.resolve();
  }
  await Promise.all(all);
  expect(sizes).toEqual([3, 2, 1]);
});

test('if the database is away, those that wait for the next run fail with this one', async () => {
  const { batches, next } = setUp();
  const first = batches.add(1);
  const { end } = await next(1);
  const second = batches.add(2);
  const error = new StoreUnavailable(new Error('away'));
  end.reject(error);
  expect((await Promise.allSettled([first, second])).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(batches.waiting).toBe(0);
});
