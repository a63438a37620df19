import { type Bench, ms, open, percentile } from './part.ts';

const ROUNDS = 7;

/**
 * Measures how long a page with an empty cache takes to show the messages of a Hub, and the size of everything fetched.
 */
export async function measureFirstLoad(bench: Bench): Promise<string[]> {
  const times: number[] = [];
  let bytes = 0;
  let appBytes = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const { page, context } = await open(bench);
    await page.goto(`/hubs/${bench.workspace.hubId}`, { waitUntil: 'commit' });
    await page.waitForSelector('.msg');
    const load = await page.evaluate(
      () =>
        new Promise<{ time: number; bytes: number; appBytes: number }>((resolve) => {
          requestAnimationFrame(() =>
            setTimeout(() => {
              const entries = [
                ...performance.getEntriesByType('navigation'),
                ...performance.getEntriesByType('resource'),
              ];
              const sizes = (entries as PerformanceResourceTiming[]).map(({ name, encodedBodySize }) => ({
                isApi: name.includes('/api/'),
                encodedBodySize,
              }));
              const sum = (all: typeof sizes) => all.reduce((total, { encodedBodySize }) => total + encodedBodySize, 0);
              resolve({
                time: performance.now(),
                bytes: sum(sizes),
                appBytes: sum(sizes.filter(({ isApi }) => !isApi)),
              });
            }, 0),
          );
        }),
    );
    times.push(load.time);
    ({ bytes, appBytes } = load);
    await context.close();
  }
  return [
    `first load of a Hub: median ${ms(percentile(times, 0.5))}, slowest of ${ROUNDS} ${ms(Math.max(...times))}`,
    `  ${(appBytes / 1_000).toFixed(1)} KB compressed for the app, ${(bytes / 1_000).toFixed(1)} KB with the API responses`,
  ];
}
