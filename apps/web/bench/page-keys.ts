import { startBrowser } from '@hub/testkit/browser/browser';
import { type Bench, open } from './part.ts';

const PRESSES = 16;
/** A press scrolls smoothly for about this long. */
const PRESS_MS = 450;
const SETTLED_MS = 4_000;

/**
 * Presses Page Up and Page Down in a Hub and counts the messages that the reader passes. Browsers end a smooth scroll
 * when a script sets the scroll position, so a feed that corrects the position often takes the reader less far.
 */
export async function measurePageKeys(bench: Bench): Promise<string[]> {
  // The headless shell scrolls at once.
  await using browser = await startBrowser({ isWhole: true });
  const { page } = await open({ ...bench, browser });
  await page.goto(`/hubs/${bench.workspace.hubId}`);
  await page.waitForSelector('.msg');
  await page.waitForTimeout(SETTLED_MS);
  await page.locator('.main .feed').focus();
  const passed: number[] = [];
  let before = await page.evaluate(topMessage);
  for (const key of ['PageUp', 'PageDown', 'PageUp', 'PageDown']) {
    for (let press = 0; press < PRESSES; press++) {
      await page.keyboard.press(key);
      await page.waitForTimeout(PRESS_MS);
    }
    const now = await page.evaluate(topMessage);
    passed.push(Math.abs(now - before));
    before = now;
  }
  return [`messages passed with ${PRESSES} presses of Page Up, Page Down, and both again: ${passed.join(', ')}`];
}

/** Runs in the page: returns the number in the topmost message in view, from `fillHub` or `measureLivePaint`. */
function topMessage(): number {
  const top = document.querySelector('.main .feed')?.getBoundingClientRect().top ?? 0;
  const rows = [...document.querySelectorAll('.main .feed [data-row]')];
  const first = rows.find((row) => row.getBoundingClientRect().bottom > top);
  return Number(/(?:build|post) (\d+)/.exec(first?.textContent ?? '')?.[1]);
}
