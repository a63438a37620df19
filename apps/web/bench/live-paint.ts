import { quantile } from '@hub/testkit/statistics';
import type { Page } from 'playwright-core';
import { type Bench, ms, open } from './part.ts';

const POSTS_PER_SECOND = 50;
const MARK = /post (\d+), sent at (\d+)/;

/** Measures the time from sending a post until it is painted on the screen, while 50 posts arrive each second. */
export async function measureLivePaint(bench: Bench): Promise<string[]> {
  const lines: string[] = [];
  for (const [name, path, ready] of [
    ['Hub view', `/hubs/${bench.workspace.hubId}`, '.msg'],
    ['Stream view', '/stream', '.entry'],
  ] as const) {
    const { page, context } = await open(bench);
    await page.goto(path);
    await page.waitForSelector(ready);
    await watch(page);
    const sent = await postFor(bench);
    await page.waitForFunction((count) => (window as never as { painted: number[] }).painted.length >= count, sent, {
      timeout: 10_000,
    });
    const painted = await page.evaluate(() => (window as never as { painted: number[] }).painted);
    const maxTaskMs = await page.evaluate(() => (window as never as { maxTaskMs: number }).maxTaskMs);
    lines.push(
      `post to painted pixels, ${name}, ${POSTS_PER_SECOND} posts/s, ${sent} posts: median ${ms(quantile(painted, 0.5))}, p95 ${ms(quantile(painted, 0.95))}, longest ${ms(Math.max(...painted))}; longest task ${ms(maxTaskMs)}`,
    );
    await context.close();
  }
  return lines;
}

/** For each post, records the time between sending it and painting the frame that contains it. */
async function watch(page: Page): Promise<void> {
  await page.evaluate((mark) => {
    const state = window as never as { painted: number[]; maxTaskMs: number };
    state.painted = [];
    state.maxTaskMs = 0;
    const pattern = new RegExp(mark);
    const seen = new Set<string | undefined>();
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) state.maxTaskMs = Math.max(state.maxTaskMs, duration);
    }).observe({ type: 'longtask' });
    const record = (texts: string[]) => {
      const found = texts.map((text) => pattern.exec(text)).filter((match) => match !== null);
      const fresh = found.filter(([, number]) => !seen.has(number) && seen.add(number));
      if (fresh.length === 0) return;
      // A task queued in the animation frame runs after the frame has been painted.
      requestAnimationFrame(() =>
        setTimeout(() => state.painted.push(...fresh.map(([, , at]) => Date.now() - Number(at))), 0),
      );
    };
    new MutationObserver((changes) => {
      record(changes.flatMap(({ addedNodes }) => [...addedNodes]).map((node) => node.textContent ?? ''));
    }).observe(document.body, { childList: true, subtree: true });
  }, MARK.source);
}

/** Posts at a steady rate. Returns the number of posts. */
async function postFor({ server, workspace, seconds }: Bench): Promise<number> {
  const count = seconds * POSTS_PER_SECOND;
  const start = Date.now();
  const responses: Promise<Response>[] = [];
  for (let n = 0; n < count; n++) {
    const wait = start + (n * 1_000) / POSTS_PER_SECOND - Date.now();
    if (wait > 0) await Bun.sleep(wait);
    responses.push(
      fetch(`${server.url}/api/public/v1/messages`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${workspace.keys[n % workspace.keys.length]}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ text: `**Build** of \`main\` passed: post ${n}, sent at ${Date.now()}` }),
      }),
    );
  }
  const rejected = (await Promise.all(responses)).filter(({ status }) => status !== 201);
  if (rejected.length > 0) throw new Error(`${rejected.length} posts were rejected: ${rejected[0]?.status}`);
  return count;
}
