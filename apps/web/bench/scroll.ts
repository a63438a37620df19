import { quantile } from '@hub/testkit/statistics';
import { type Bench, ms, open } from './part.ts';
import { TASK_TRACE, taskTimesMs } from './task-times.ts';

interface Scrolled {
  frames: number[];
  nodes: number;
}

/** Pixels per frame. The first is about as fast as a wheel or finger gets; the others simulate a dragged scroll bar. */
const WHEEL = 400;
const DRAGGED = 1_600;
const DRAGGED_BACK = 2_400;
const WHEEL_FRAMES = 720;
const SETTLED_MS = 4_000;

/**
 * Scrolls through older items, which load page by page: first at the speed of a wheel, then through everything, and
 * back. The first few seconds of a page do not count, since it prefetches code during that time.
 */
export async function measureScroll(bench: Bench): Promise<string[]> {
  const lines: string[] = [];
  for (const [name, path, ready, scroller, direction] of [
    ['Hub view', `/hubs/${bench.workspace.hubId}`, '.msg', '.feed', -1],
    ['Stream view', '/stream', '.entry', '.scroll', 1],
  ] as const) {
    const { page, context } = await open(bench);
    await page.goto(path);
    await page.waitForSelector(ready);
    await page.waitForTimeout(SETTLED_MS);
    for (const [text, plan] of [
      ['wheel, while loading', { direction, step: WHEEL, stillFrames: 240, maxFrames: WHEEL_FRAMES }],
      ['dragged, while loading', { direction, step: DRAGGED, stillFrames: 240, maxFrames: Number.POSITIVE_INFINITY }],
      [
        'dragged back',
        { direction: -direction, step: DRAGGED_BACK, stillFrames: 5, maxFrames: Number.POSITIVE_INFINITY },
      ],
    ] as const) {
      await bench.browser.startTracing(page, TASK_TRACE);
      const scrolled = await page.evaluate(scrollThrough, { scroller, ...plan });
      lines.push(report(`${name}, ${text}`, scrolled, taskTimesMs(await bench.browser.stopTracing())));
    }
    await context.close();
  }
  return [`scrolling through ${bench.items} items:`, ...lines];
}

function report(name: string, { frames, nodes }: Scrolled, tasks: readonly number[]): string {
  const dropped = frames.filter((frame) => frame > 25).length;
  const busy = tasks.reduce((total, task) => total + task, 0) / frames.length;
  const long = tasks.filter((task) => task > 50).length;
  return [
    `  ${name}: ${frames.length} frames, median ${ms(quantile(frames, 0.5))}, p95 ${ms(quantile(frames, 0.95))}`,
    `${dropped} above 25 ms; processor time ${ms(busy)} a frame, longest task ${ms(Math.max(...tasks))}`,
    `${long} above 50 ms; ${nodes} elements at the end`,
  ].join(', ');
}

interface ScrollPlan {
  scroller: string;
  direction: number;
  step: number;
  /** The end is reached after this many frames without movement, since older items may take a while to load. */
  stillFrames: number;
  maxFrames: number;
}

/** Runs in the page: moves by `step` pixels each frame. */
function scrollThrough({ scroller, direction, step, stillFrames, maxFrames }: ScrollPlan): Promise<Scrolled> {
  const element = document.querySelector(scroller);
  if (!element) throw new Error(`Not found: ${scroller}`);
  const frames: number[] = [];
  let last = performance.now();
  let [stillFor, before] = [0, Number.NaN];
  return new Promise((resolve) => {
    const next = (now: number) => {
      frames.push(now - last);
      last = now;
      element.scrollTop += direction * step;
      stillFor = element.scrollTop === before ? stillFor + 1 : 0;
      before = element.scrollTop;
      if (stillFor > stillFrames || frames.length > maxFrames) {
        resolve({ frames: frames.slice(1), nodes: document.querySelectorAll('*').length });
      } else requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
}
