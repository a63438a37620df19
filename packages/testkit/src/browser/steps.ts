import type { BrowserContext, Locator, Page } from 'playwright-core';
import { until } from '../concurrency.ts';

/** Resolves once all of these elements are visible. */
export const seen = (...elements: Locator[]) => Promise.all(elements.map((each) => each.waitFor()));

/** Resolves once none of these elements is in the page. */
export const gone = (...elements: Locator[]) =>
  Promise.all(elements.map((each) => each.waitFor({ state: 'detached' })));

/** Opens a path of the app as a link does, and waits for an element. To load the page again takes most of a second. */
export async function show(page: Page, path: string, ready: string | Locator): Promise<void> {
  await page.evaluate((to) => {
    const link = document.body.appendChild(Object.assign(document.createElement('a'), { href: to }));
    link.click();
    link.remove();
  }, path);
  await (typeof ready === 'string' ? page.locator(ready) : ready).first().waitFor();
}

/** Resolves after two frames, when layout and paint are done. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Asks the server again until the condition holds, for at most half a minute. */
export async function eventually(holds: () => Promise<boolean>): Promise<void> {
  if (!(await until(30_000, holds))) throw new Error('The condition was not met within 30 seconds');
}

/** Presses a button that goes away by itself once the page has tried again, if it is still there. */
export async function pressIfThere(button: Locator): Promise<void> {
  await button.evaluateAll(([first]) => (first as HTMLElement | undefined)?.click());
}

/** Presses keys one after another. */
export async function press({ keyboard }: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await keyboard.press(key);
}

/** Replaces the text of a field, and presses Enter. */
export async function enter(field: Locator, text: string): Promise<void> {
  await field.fill(text);
  await field.press('Enter');
}

/** Signs in at the form of the page. */
export async function signInAt(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await enter(page.getByLabel('Password', { exact: true }), password);
}

/** Holds these requests back until the returned function is called. */
export async function holdBack(page: Page, path: string | RegExp, times?: number): Promise<() => void> {
  const { promise: mayGo, resolve: release } = Promise.withResolvers<void>();
  await page.route(path, (route) => mayGo.then(() => route.continue()), times ? { times } : {});
  return release;
}

/** Lets requests fail that change something. */
export async function failWrites(page: Page | BrowserContext, path: string): Promise<void> {
  await page.route(path, (route) => (route.request().method() === 'GET' ? route.continue() : route.abort()));
}

/** Resolves once the focused element has this label or text. */
export async function focusIs(page: Page, name: string): Promise<void> {
  await page.waitForFunction((wanted) => {
    const { activeElement } = document;
    return [activeElement?.getAttribute('aria-label'), activeElement?.textContent].includes(wanted);
  }, name);
}

/** Returns what the focused element is called. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement } = document;
    return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent?.trim() ?? '';
  });

/** Returns the element's distance from the top of the window, in pixels. */
export async function topOf(locator: Locator): Promise<number> {
  return (await locator.boundingBox())?.y ?? Number.NaN;
}
