import { afterAll, beforeAll, expect, test } from 'bun:test';
import { PHONE, testBrowser, testSession, WIDE } from '@hub/testkit/browser/browser';
import { startBackdatedTeam } from '@hub/testkit/browser/hub-test-sessions';
import type { Browser, Page } from 'playwright-core';

let browser: Browser;
let team: Awaited<ReturnType<typeof startBackdatedTeam>>;
beforeAll(async () => {
  [browser, team] = await Promise.all([testBrowser(), startBackdatedTeam()]);
  for (let n = 0; n < 3; n++) await team.post('messages', { text: `Message ${n}` });
  await team.note(team.bob, { title: 'A note', content: 'Of yesterday.' });
  const dueDate = new Date(Date.now() + 3_600_000).toISOString();
  await team.todo(team.bob, {
    title: 'A to-do with a title that is long enough to need its line',
    dueDate,
    priority: 'HIGH',
  });
});
afterAll(async () => {
  await browser.close();
  await team[Symbol.asyncDispose]();
});

/** Returns the times that wrap onto a second line. */
function wrappedTimes(page: Page): Promise<string[]> {
  return page.locator('time').evaluateAll((times) =>
    times.flatMap((time) => {
      const range = document.createRange();
      range.selectNodeContents(time);
      const lines = new Set([...range.getClientRects()].map(({ top, height }) => Math.round((top + height / 2) / 6)));
      return lines.size > 1 ? [`${time.className} ${time.textContent}`] : [];
    }),
  );
}

test('dates and times are in English and in the same format regardless of the browser language', async () => {
  const shown: string[][] = [];
  for (const locale of ['en-GB', 'en-US', 'de-DE', 'ar']) {
    const { page, context } = await testSession(browser, team.hub, { caller: team.ada, locale });
    await page.goto('/stream');
    await page.locator('time').first().waitFor({ state: 'attached' });
    shown.push(await page.locator('time, .day').allTextContents());
    await context.close();
  }
  expect(shown[0]?.join()).toMatch(/\d\d:\d\d/);
  for (const other of shown.slice(1)) expect(other).toEqual(shown[0] ?? []);
});

for (const locale of ['en-US', 'de-DE', 'ja-JP', 'ar']) {
  for (const look of [WIDE, PHONE]) {
    test(`times fit on one line, and nothing is wider than the page: ${locale}, ${look.width} px`, async () => {
      const { page, problems, context } = await testSession(browser, team.hub, { caller: team.ada, look, locale });
      const hub = `/hubs/${team.hubId}`;
      for (const path of ['/stream', hub, `${hub}/todos`, `${hub}/notes`]) {
        await page.goto(path);
        await page.locator('time').first().waitFor({ state: 'attached' });
        expect(await wrappedTimes(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      }
      expect(problems).toEqual([]);
      await context.close();
    });
  }
}
