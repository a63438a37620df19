import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { startTeam } from '../../api/test/support/team.ts';
import { PHONE, settled, startBrowser, type TestSession, testSession } from './browser.ts';

let browser: Browser;
let team: Awaited<ReturnType<typeof startTeam>>;
let opened: TestSession | null = null;
beforeAll(async () => {
  browser = await startBrowser();
  team = await startTeam();
});
afterAll(async () => {
  await browser.close();
  await team[Symbol.asyncDispose]();
});

/** Opens a page on a phone, which closes when the test ends, and then must have logged no errors. */
async function onPhone(path: string) {
  opened = await testSession(browser, team.hub, { caller: team.ada, look: PHONE });
  const { page, context, problems } = opened;
  await page.goto(path);
  return {
    page,
    row: ({ id }: { id: string }) => page.locator(`[data-row="${id}"]`),
    [Symbol.asyncDispose]: async () => {
      await context.close();
      expect(problems).toEqual([]);
    },
  };
}

const pathOf = (page: Page) => new URL(page.url()).pathname;
const dialogs = (page: Page) => page.locator('dialog[open], :popover-open');

describe('Back', () => {
  test('closes what covers the page, the topmost first, and then leaves the page', async () => {
    const message = await team.message(team.ada, 'Who restarts it?');
    await team.reply(team.bob, message, 'I do.');
    await using phone = await onPhone('/stream');
    const { page, row } = phone;
    await page.locator('.bar .menu-open').tap();
    await page.locator('nav.side.is-open').waitFor();
    await page.goBack();
    await page.locator('nav.side.is-open').waitFor({ state: 'detached' });
    expect(pathOf(page)).toBe('/stream');
    await page.locator('.bar .menu-open').tap();
    await page.locator('.side .nav-row', { hasText: 'Releases' }).tap();
    await row(message)
      .getByRole('link', { name: /1 reply/ })
      .tap();
    const inPanel = page.locator('#panel').locator(`[data-row="${message.id}"]`);
    await page.locator('#panel').getByText('I do.').waitFor();
    await inPanel.locator('.prose').tap({ position: { x: 8, y: 14 } });
    await inPanel.getByRole('button', { name: 'More' }).tap();
    await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
    await page.goBack();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await inPanel.getByRole('button', { name: 'More' }).tap();
    await page.getByRole('menuitem', { name: 'Delete' }).tap();
    await settled(page);
    await page.goBack();
    await dialogs(page).waitFor({ state: 'detached' });
    expect(await inPanel.isVisible()).toBe(true);
    await page.goBack();
    await page.locator('#panel').waitFor({ state: 'detached' });
    expect(pathOf(page)).toBe(`/hubs/${team.hubId}`);
    await page.goBack();
    await page.waitForURL('**/stream');
  });

  test('leads to the page before, past panels, dialogs and sidebars that were closed by their own buttons', async () => {
    const message = await team.message(team.ada, 'Who stops it?');
    await using phone = await onPhone('/stream');
    const { page, row } = phone;
    await page.locator('.bar .menu-open').tap();
    await page.locator('.side .nav-row', { hasText: 'Releases' }).tap();
    await row(message).locator('.prose').tap();
    await row(message)
      .getByRole('button', { name: /^Reply/ })
      .tap();
    await page.locator('#panel').getByRole('button', { name: 'Close' }).tap();
    await page.locator('#panel').waitFor({ state: 'detached' });
    await row(message).getByRole('button', { name: 'More' }).tap();
    await page.getByRole('menuitem', { name: 'Delete' }).tap();
    await settled(page);
    await page.getByRole('button', { name: 'Cancel' }).tap();
    await dialogs(page).waitFor({ state: 'detached' });
    await page.locator('.bar .menu-open').tap();
    // The link to the current page only closes the sidebar.
    await page.locator('.side .nav-row', { hasText: 'Releases' }).tap();
    await page.locator('nav.side.is-open').waitFor({ state: 'detached' });
    await page.waitForFunction(() => !history.state?.layers);
    await page.goBack();
    await page.waitForURL('**/stream');
  });

  test('closes a panel that a link from elsewhere opened, and shows the page below', async () => {
    const message = await team.message(team.bob, 'Linked to');
    const reply = await team.reply(team.bob, message, 'The reply itself');
    await using phone = await onPhone(`/p/${reply.id}`);
    const { page } = phone;
    await page.locator('#panel').getByText('The reply itself').waitFor();
    await page.goBack();
    await page.locator('#panel').waitFor({ state: 'detached' });
    expect(pathOf(page)).toBe(`/hubs/${team.hubId}`);
    await page.locator('.main .feed').getByText('Linked to').waitFor();
  });
});
