import { readFileSync } from 'node:fs';
import type { Result } from 'axe-core';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
/** The rules that depend on colors. All others give the same result in both themes. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Returns the axe violations in both themes, one line each. Only the colors change between the two runs. */
export async function axeInBothThemes(page: Page): Promise<string[]> {
  await page.evaluate(SOURCE);
  return [...(await findings(page, 'light')), ...(await findings(page, 'dark', { runOnly: COLOR_RULES }))];
}

async function findings(page: Page, colorScheme: 'light' | 'dark', options: { runOnly?: string[] } = {}) {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.evaluate(async () => {
    const passing = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(passing.map(({ finished }) => finished));
  });
  // Return only the violations from the page: most of the full result is rules that passed.
  const found = await page.evaluate<Result[]>(
    `axe.run(document, ${JSON.stringify({ ...options, resultTypes: ['violations'] })}).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${colorScheme}: ${id}: ${help}: ${target.join(' ')}: ${failureSummary}`),
  );
}
