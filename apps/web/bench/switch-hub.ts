import { quantile } from '@hub/testkit/statistics';
import { type Bench, ms, open } from './part.ts';

const ROUNDS = 20;

/** Measures the time from a click on another Hub until its messages are on the screen. */
export async function measureHubSwitch(bench: Bench): Promise<string[]> {
  const { hubId, otherId } = bench.workspace;
  const { page, context } = await open(bench);
  await page.goto(`/hubs/${hubId}`);
  await page.waitForSelector('.msg');
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const isToOther = round % 2 === 0;
    const wanted = isToOther ? 'In the other Hub' : 'Deployed';
    times.push(
      await page.evaluate(
        ({ to, text }) =>
          new Promise<number>((resolve) => {
            const start = performance.now();
            document.querySelector<HTMLElement>(`.side a[href="/hubs/${to}"]`)?.click();
            const look = () => {
              const isThere = document.querySelector('.msg .prose')?.textContent?.includes(text);
              if (isThere) setTimeout(() => resolve(performance.now() - start), 0);
              else requestAnimationFrame(look);
            };
            requestAnimationFrame(look);
          }),
        { to: isToOther ? otherId : hubId, text: wanted },
      ),
    );
  }
  await context.close();
  return [`Hub switch: median ${ms(quantile(times, 0.5))}, p95 ${ms(quantile(times, 0.95))}`];
}
