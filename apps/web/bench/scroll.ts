import { type Bench, ms, open, percentile } from './part.ts';

interface Scrolled {
  frames: number[];
  tasks: number[];
  nodes: number;
}

/** Pixels a frame. A wheel or a finger goes hardly faster; the other two are a scroll bar that is dragged. */
const WHEEL = 400;
const DRAGGED = 1_600;
const DRAGGED_BACK = 2_400;
const WHEEL_FRAMES = 720;
const SETTLED_MS = 4_000;

/**
 * Scrolls into what is older, as it is loaded page by page: at first as a wheel does, then through all there is, and back.
 * Whoever looks at a page does not scroll it in its first seconds, when it fetches what may be opened next.
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
      ['a wheel, while loading', { direction, step: WHEEL, stillFrames: 240, maxFrames: WHEEL_FRAMES }],
      ['dragged, while loading', { direction, step: DRAGGED, stillFrames: 240, maxFrames: Number.POSITIVE_INFINITY }],
      [
        'dragged back',
        { direction: -direction, step: DRAGGED_BACK, stillFrames: 5, maxFrames: Number.POSITIVE_INFINITY },
      ],
    ] as const) {
      lines.push(report(`${name}, ${text}`, await page.evaluate(scrollThrough, { scroller, ...plan })));
    }
    await context.close();
  }
  return [`scrolling through ${bench.items} items:`, ...lines];
}

function report(name: string, { frames, tasks, nodes }: Scrolled): string {
  const dropped = frames.filter((frame) => frame > 25).length;
  return `  ${name}: ${frames.length} frames, median ${ms(percentile(frames, 0.5))}, p95 ${ms(percentile(frames, 0.95))}, ${dropped} above 25 ms; tasks above 50 ms: ${tasks.length}${tasks.length === 0 ? '' : ` (longest ${ms(Math.max(...tasks))})`}; ${nodes} elements at the end`;
}

interface ScrollPlan {
  scroller: string;
  direction: number;
  step: number;
  /** It stood still for so many frames: there is nothing more. What is older may be under way for a while. */
  stillFrames: number;
  maxFrames: number;
}

/** In the page: moves by `step` pixels each frame. */
function scrollThrough({ scroller, direction, step, stillFrames, maxFrames }: ScrollPlan): Promise<Scrolled> {
  const element = document.querySelector(scroller);
  if (!element) throw new Error(`There is no ${scroller}`);
  const tasks: number[] = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: 'longtask',
  });
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
        resolve({ frames: frames.slice(1), tasks, nodes: document.querySelectorAll('*').length });
      } else requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
}
