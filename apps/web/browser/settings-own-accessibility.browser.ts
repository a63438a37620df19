import { afterAll, beforeAll, expect, test } from 'bun:test';
import { axeInBothThemes } from '@hub/testkit/browser/axe';
import { PHONE, testBrowser, testSession, WIDE } from '@hub/testkit/browser/browser';
import { pngOf } from '@hub/testkit/in-process/images';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { signedIn } from '@hub/testkit/in-process/users';
import type { Browser } from 'playwright-core';

let browser: Browser;
let hub: TestHub;
beforeAll(async () => {
  browser = await testBrowser();
  hub = await startTestHub();
});
afterAll(async () => {
  await browser.close();
  await hub[Symbol.asyncDispose]();
});

const PAGES = [
  ['profile', '#own-name'],
  ['appearance', '#own-theme'],
  ['sessions', '.sessions li'],
] as const;
const photo = { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from(pngOf({ width: 30, height: 20 })) };

test.each([PHONE.width, 768, 1440])(
  "has no axe violations in the user's own settings at %i px in either theme, and cuts nothing off",
  async (width) => {
    const caller = await signedIn(hub);
    const { page, problems, context } = await testSession(browser, hub, { caller, look: { ...WIDE, width } });
    for (const [name, ready] of PAGES) {
      await page.goto(`/settings/${name}`);
      await page.locator(ready).first().waitFor();
      if (name === 'profile') {
        await page.locator('.avatar-field input[type=file]').setInputFiles(photo);
        await page.getByRole('button', { name: 'Save avatar' }).waitFor();
      }
      expect([name, await axeInBothThemes(page)]).toEqual([name, []]);
      expect([name, await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)]).toEqual([
        name,
        false,
      ]);
    }
    expect(problems).toEqual([]);
    await context.close();
  },
);
