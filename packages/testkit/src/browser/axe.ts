import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { Result } from 'axe-core';
import type { Page } from 'playwright-core';
import { PHONE } from './browser.ts';
import { smallTouchTargets } from './touch-targets.ts';

const SOURCE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
/** The rules that depend on colors. All others give the same result in both themes. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Selects a modal dialog, since nothing else of its page can be used. */
const CHECKED = `[...document.querySelectorAll('dialog:modal')].at(-1) ?? document`;

/**
 * Checks a page, or its modal dialog: axe finds nothing in either theme, and nothing is wider than the window. Unless
 * its width is that of a phone, the page is checked at 360 pixels, too, in the dark theme. On a phone, touch targets must
 * be large enough.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const size = page.viewportSize();
  if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(SOURCE);
  await expectNoFindings(page, 'light');
  await expectNoFindings(page, 'dark', { runOnly: COLOR_RULES });
  if (size === null || size.width <= PHONE.width) {
    expect(await smallTouchTargets(page)).toEqual([]);
    return;
  }
  await page.setViewportSize({ width: PHONE.width, height: PHONE.height });
  await expectNoFindings(page, 'dark');
  await page.setViewportSize(size);
}

async function expectNoFindings(page: Page, colorScheme: 'light' | 'dark', options: { runOnly?: string[] } = {}) {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.evaluate(async () => {
    const passing = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(passing.map(({ finished }) => finished));
  });
  // Return only the violations from the page: most of the full result is rules that passed.
  const how = JSON.stringify({ ...options, preload: false, resultTypes: ['violations'] });
  const found = await page.evaluate<Result[]>(`axe.run(${CHECKED}, ${how}).then(({ violations }) => violations)`);
  const problems = found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${colorScheme}: ${id}: ${help}: ${target.join(' ')}: ${failureSummary}`),
  );
  expect(problems).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}
