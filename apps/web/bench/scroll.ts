import { type Bench, ms, open, percentile } from './part.ts';

interface Scrolled {
  frames: number[];
  tasks: number[];
  nodes: number;
}

/** Scrolls through everything there is: first while it is loaded page by page, then back and forth through all of it. */
export async function measureScroll(bench: Bench): Promise<string[]> {
  const lines: string[] = [];
  for (const [name, path, ready, scroller, direction] of [
    ['Hub view', `/hubs/${bench.workspace.hubId}`, '.msg', '.feed', -1],
    ['Stream view', '/stream', '.entry', '.scroll', 1],
  ] as const) {
    const { page, context } = await open(bench);
    await page.goto(path);
    await page.waitForSelector(ready);
    const loading = await page.evaluate(scrollThrough, { scroller, direction, step: 1_600, isUntilLoaded: true });
    const back = await page.evaluate(scrollThrough, {
      scroller,
      direction: -direction,
      step: 2_400,
      isUntilLoaded: false,
    });
    lines.push(report(`${name}, while loading`, loading), report(`${name}, all loaded, back to the newest`, back));
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
  isUntilLoaded: boolean;
}

/** In the page: moves by `step` pixels each frame, until there is nothing more. */
function scrollThrough({ scroller, direction, step, isUntilLoaded }: ScrollPlan): Promise<Scrolled> {
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
      // What is older may be under way.
      if (stillFor > (isUntilLoaded ? 240 : 5)) {
        resolve({ frames: frames.slice(1), tasks, nodes: document.querySelectorAll('*').length });
      } else requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
}
