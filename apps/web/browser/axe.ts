import { readFileSync } from 'node:fs';
import type { Result } from 'axe-core';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
/** The rules whose answer hangs on colours; all others are the same in either theme. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** What axe finds in either theme, one line for each finding; nothing is drawn anew between them but the colours. */
export async function axeInBothThemes(page: Page): Promise<string[]> {
  await page.evaluate(SOURCE);
  return [...(await findings(page, 'light')), ...(await findings(page, 'dark', { runOnly: OF_COLOURS }))];
}

async function findings(page: Page, colorScheme: 'light' | 'dark', options: { runOnly?: string[] } = {}) {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.evaluate(async () => {
    const passing = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(passing.map(({ finished }) => finished));
  });
  // What it did not find is the most of what it tells: that stays in the page.
  const found = await page.evaluate<Result[]>(
    `axe.run(document, ${JSON.stringify({ ...options, resultTypes: ['violations'] })}).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${colorScheme}: ${id}: ${help}: ${target.join(' ')}: ${failureSummary}`),
  );
}
