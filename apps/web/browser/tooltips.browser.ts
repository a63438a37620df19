import { afterAll, beforeAll, expect, test } from 'bun:test';
import { PHONE, testBrowser } from '@hub/testkit/browser/browser';
import { openTestSession, startBackdatedTeam } from '@hub/testkit/browser/hub-test-sessions';
import type { Browser } from 'playwright-core';

let browser: Browser;
beforeAll(async () => {
  browser = await testBrowser();
});
afterAll(() => browser.close());

test('an icon button shows its name and shortcut after a moment under the pointer, and at once when focused', async () => {
  await using team = await startBackdatedTeam();
  const message = await team.message(team.bob, 'A message');
  const ada = await openTestSession(browser, team, { caller: team.ada });
  const { page } = ada;
  const tip = page.locator('.tooltip:popover-open');
  await ada.row(message).hover();
  const react = ada.row(message).getByRole('button', { name: 'React', exact: true });
  await react.hover();
  expect(await tip.count()).toBe(0);
  await tip.waitFor();
  expect(await tip.textContent()).toBe('Reacte');
  expect(await tip.locator('kbd').allTextContents()).toEqual(['e']);
  const [button, box] = [await react.boundingBox(), await tip.boundingBox()];
  if (!button || !box) throw new Error('Expected both');
  expect(box.y + box.height <= button.y || box.y >= button.y + button.height).toBe(true);

  // The pointer may move onto the tooltip, and Escape hides it.
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await Bun.sleep(400);
  expect(await tip.count()).toBe(1);
  await page.keyboard.press('Escape');
  expect(await tip.count()).toBe(0);
  // Escape goes no further: the composer keeps the focus.
  const text = page.getByRole('textbox', { name: 'Message to' });
  await text.focus();
  await page.getByRole('button', { name: 'Bold' }).hover();
  await tip.waitFor();
  expect(await tip.textContent()).toBe('BoldCtrlB');
  await page.keyboard.press('Escape');
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
  await page.mouse.move(600, 300);

  await page.keyboard.press('Tab');
  await tip.filter({ hasText: 'Bold' }).waitFor({ timeout: 300 });
  await page.keyboard.press('Tab');
  await tip.filter({ hasText: 'Italic' }).waitFor({ timeout: 300 });
  // Pressing the button and opening its menu hides it.
  await page.getByRole('button', { name: 'Hub options' }).hover();
  await tip.filter({ hasText: 'Hub options' }).waitFor();
  await page.mouse.down();
  await page.mouse.up();
  await page.getByRole('menu').waitFor();
  expect(await tip.count()).toBe(0);
  expect(await page.locator('.icon-btn[title]').count()).toBe(0);
  await ada.leave();
});

test('does not show single-key shortcuts that are off, and touch shows no tooltip', async () => {
  await using team = await startBackdatedTeam();
  const message = await team.message(team.bob, 'A message');
  const bob = await openTestSession(browser, team, { caller: team.bob });
  await bob.page.evaluate(() => localStorage.setItem('hub.shortcuts', 'off'));
  await bob.page.reload();
  await bob.row(message).hover();
  await bob.row(message).getByRole('button', { name: 'React', exact: true }).hover();
  await bob.page.locator('.tooltip:popover-open').waitFor();
  expect(await bob.page.locator('.tooltip').textContent()).toBe('React');
  await bob.context.close();

  const ada = await openTestSession(browser, team, { caller: team.ada, look: PHONE });
  await ada.row(message).tap();
  await ada.row(message).getByRole('button', { name: 'More' }).tap();
  await Bun.sleep(700);
  expect(await ada.page.locator('.tooltip:popover-open').count()).toBe(0);
  await ada.leave();
});
