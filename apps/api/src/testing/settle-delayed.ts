import type { TestClock } from './test-clock.ts';

/** Advances the clock until all responses have arrived, including those delayed because authentication failed. */
export async function settleDelayed<T>(clock: TestClock, responses: Promise<T>): Promise<T> {
  let isSettled = false;
  const settled = responses.finally(() => {
    isSettled = true;
  });
  while (!isSettled) {
    if (clock.sleeping > 0) clock.advance(3_000);
    await new Promise(setImmediate);
  }
  return settled;
}
