import { quantile } from '@hub/testkit/statistics';
import type { BrowserContext } from 'playwright-core';
import { type Bench, ms, open } from './part.ts';

const ROUNDS = 7;
const PAINT_ROUNDS = 5;
/** A phone of the middle class (https://developer.chrome.com/docs/lighthouse/performance/performance-scoring). */
const CPU_SLOWDOWN = 4;
/** Lighthouse's slow 4G: a round trip of 150 ms, 1.6 Mbit/s down and 0.75 up. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
/** The largest paint is known once nothing larger has been painted for this long. */
const SETTLED_MS = 2_000;

/**
 * Measures how long a page with an empty cache takes to show the messages of a Hub, and the size of everything fetched.
 */
export async function measureFirstLoad(bench: Bench): Promise<string[]> {
  const times: number[] = [];
  let bytes = 0;
  let appBytes = 0;
  let scriptBytes = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const { page, context } = await open(bench);
    await page.goto(`/hubs/${bench.workspace.hubId}`, { waitUntil: 'commit' });
    await page.waitForSelector('.msg');
    const load = await page.evaluate(
      () =>
        new Promise<{ time: number; bytes: number; appBytes: number; scriptBytes: number }>((resolve) => {
          requestAnimationFrame(() =>
            setTimeout(() => {
              const entries = [
                ...performance.getEntriesByType('navigation'),
                ...performance.getEntriesByType('resource'),
              ];
              const sizes = (entries as PerformanceResourceTiming[]).map(({ name, encodedBodySize }) => ({
                isApi: name.includes('/api/'),
                isScript: name.endsWith('.js'),
                encodedBodySize,
              }));
              const sum = (all: typeof sizes) => all.reduce((total, { encodedBodySize }) => total + encodedBodySize, 0);
              resolve({
                time: performance.now(),
                bytes: sum(sizes),
                appBytes: sum(sizes.filter(({ isApi }) => !isApi)),
                scriptBytes: sum(sizes.filter(({ isScript }) => isScript)),
              });
            }, 0),
          );
        }),
    );
    times.push(load.time);
    ({ bytes, appBytes, scriptBytes } = load);
    await context.close();
  }
  return [
    `first load of a Hub: median ${ms(quantile(times, 0.5))}, slowest of ${ROUNDS} ${ms(Math.max(...times))}`,
    `  ${kilobytes(appBytes)} compressed for the app, of which scripts ${kilobytes(scriptBytes)}; ${kilobytes(bytes)} with the API responses`,
  ];
}

const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(1)} KB`;

/**
 * Measures the largest contentful paint of a Hub and of the Stream on a slow processor and a slow connection: on the
 * first visit, with an empty cache, and on the second.
 */
export async function measureLargestPaint(bench: Bench): Promise<string[]> {
  const lines: string[] = [];
  for (const [name, path, ready] of [
    ['Hub', `/hubs/${bench.workspace.hubId}`, '.msg'],
    ['Stream', '/stream', '.entry'],
  ] as const) {
    const times: [number[], number[]] = [[], []];
    for (let round = 0; round < PAINT_ROUNDS; round++) {
      const { page, context } = await open(bench);
      await page.close();
      for (const visits of times) visits.push(await largestPaint(context, { path, ready }));
      await context.close();
    }
    const [first, second] = times.map((all) => `median ${ms(quantile(all, 0.5))}, slowest ${ms(Math.max(...all))}`);
    lines.push(`largest contentful paint, ${name}, 4x CPU slow-down, slow 4G: first visit ${first}; second ${second}`);
  }
  return lines;
}

/** Returns the time of the largest contentful paint, in milliseconds. */
async function largestPaint(
  context: BrowserContext,
  { path, ready }: { path: string; ready: string },
): Promise<number> {
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await devTools.send('Network.enable');
  await devTools.send('Network.emulateNetworkConditions', SLOW_4G);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.goto(path, { waitUntil: 'commit' });
  await page.waitForSelector(ready);
  await page.waitForTimeout(SETTLED_MS);
  const time = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        });
      }),
  );
  await page.close();
  return time;
}
