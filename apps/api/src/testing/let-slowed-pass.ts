import type { TestClock } from './test-clock.ts';

/** Waits for answers some of which may be held back for failed authentication: moves the clock until all are there. */
export async function letSlowedPass<T>(clock: TestClock, responses: Promise<T>): Promise<T> {
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
