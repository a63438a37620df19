import { afterAll, beforeAll, expect, test } from 'bun:test';
import { PHONE, testBrowser, testSession } from '@hub/testkit/browser/browser';
import { LIVE_MS, openTestSession, painted, startBackdatedTeam } from '@hub/testkit/browser/hub-test-sessions';
import type { Browser } from 'playwright-core';

let browser: Browser;
beforeAll(async () => {
  browser = await testBrowser();
});
afterAll(() => browser.close());

/** A Hub with these messages by Bob, which Ada has read. */
async function startReadTeam(count: number) {
  const team = await startBackdatedTeam();
  const written: { id: string; seq: number }[] = [];
  for (let n = 0; n < count; n += 1) {
    written.push(await team.message(team.bob, `Message ${n}`));
    team.afterMinutes(10);
  }
  await team.ada.json('PUT', `/hubs/${team.hubId}/read`, { seq: await team.seq() });
  const unread = async () =>
    (await team.ada.json<{ unreadCounts: { message: number } }>('GET', `/hubs/${team.hubId}`)).body.unreadCounts
      .message;
  const last = (fromEnd: number) => written.at(-fromEnd) ?? { id: '', seq: 0 };
  return { ...team, written, last, unread };
}

test('u marks the messages from the selected one on as unread, in all pages, until the reader comes back', async () => {
  await using team = await startReadTeam(4);
  const ada = await openTestSession(browser, team, { caller: team.ada });
  const elsewhere = await testSession(browser, team.hub, { caller: team.ada });
  await elsewhere.page.goto('/mentions');
  const { page } = ada;
  const divider = page.locator('.feed-row', { has: page.locator('[role="separator"]') });
  for (const _ of [1, 2]) await page.keyboard.press('k');
  await page.keyboard.press('u');
  await page.getByText('Marked as unread.').waitFor();
  expect(await divider.getAttribute('data-id')).toBe(team.last(2).id);
  for (const { page: each } of [ada, elsewhere])
    await each.locator('.side .nav-row', { hasText: 'Releases' }).locator('.count', { hasText: '2' }).waitFor();
  // The page that shows the end does not mark it as read, not even when a message arrives.
  await team.message(team.bob, 'And another');
  await page.getByText('And another').waitFor({ timeout: LIVE_MS });
  await Bun.sleep(1_500);
  expect(await team.unread()).toBe(3);
  // Away and back.
  await page.locator('.side .nav-row', { hasText: 'Stream' }).click();
  await page.waitForURL('**/stream');
  await page.locator('.side .nav-row', { hasText: 'Releases' }).click();
  await divider.waitFor();
  expect(await divider.getAttribute('data-id')).toBe(team.last(2).id);
  await page.locator('.side .nav-row', { hasText: 'Releases' }).locator('.count').waitFor({ state: 'detached' });
  await elsewhere.page
    .locator('.side .nav-row', { hasText: 'Releases' })
    .locator('.count')
    .waitFor({ state: 'detached' });
  expect(elsewhere.problems).toEqual([]);
  await elsewhere.context.close();
  await ada.leave();
});

test('a message below the divider moves the divider down to it', async () => {
  await using team = await startReadTeam(4);
  const ada = await openTestSession(browser, team, { caller: team.ada });
  const { page } = ada;
  const divider = page.locator('.feed-row', { has: page.locator('[role="separator"]') });
  const dividerAt = ({ id }: { id: string }) =>
    page.locator(`.feed-row[data-id="${id}"]`, { has: page.locator('[role="separator"]') }).waitFor();
  for (const _ of [1, 2, 3]) await page.keyboard.press('k');
  await page.keyboard.press('u');
  await dividerAt(team.last(3));
  await page.keyboard.press('j');
  await page.keyboard.press('u');
  await dividerAt(team.last(2));
  expect([await divider.count(), await team.unread()]).toEqual([1, 2]);
  await ada.leave();
});

test('the menu of a message offers it, except for own messages, and scrolling back to the end reads them again', async () => {
  await using team = await startReadTeam(40);
  const own = await team.message(team.ada, 'My own');
  const ada = await openTestSession(browser, team, { caller: team.ada });
  const { page } = ada;
  const menuOf = async (message: { id: string }) => {
    await ada.row(message).hover();
    await ada.row(message).getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Copy link' }).waitFor();
    return page.getByRole('menuitem').locator('.grow').allTextContents();
  };
  expect(await menuOf(own)).not.toContain('Mark unread from here');
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  expect(await menuOf(team.last(3))).toContain('Mark unread from here');
  const entry = page.getByRole('menuitem', { name: 'Mark unread from here', exact: true });
  expect([await entry.getAttribute('aria-keyshortcuts'), await entry.locator('kbd').textContent()]).toEqual(['u', 'u']);
  await entry.click();
  await page.getByText('Marked as unread.').waitFor();
  await Bun.sleep(1_500);
  expect(await team.unread()).toBe(3);
  await page.locator('.feed').hover();
  await page.mouse.wheel(0, -1_200);
  await page.getByRole('button', { name: 'Newest' }).waitFor();
  await painted(page);
  expect(await team.unread()).toBe(3);
  await page.mouse.wheel(0, 4_000);
  await page.locator('.side .nav-row', { hasText: 'Releases' }).locator('.count').waitFor({ state: 'detached' });
  await ada.leave();
});

test('in the Stream it also works, and the item counts as read only once the reader moves', async () => {
  await using team = await startReadTeam(3);
  const { page, problems, context } = await testSession(browser, team.hub, { caller: team.ada });
  await page.goto('/stream');
  await page.locator('.entry').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('u');
  await page.locator('.entry.is-fresh').waitFor();
  // Longer than an item must be in view to count as read.
  await Bun.sleep(4_000);
  expect(await team.unread()).toBe(1);
  await page.keyboard.press('j');
  await page.locator('.side .nav-row', { hasText: 'Releases' }).locator('.count').waitFor({ state: 'detached' });
  expect(problems).toEqual([]);
  await context.close();
});

test('on a phone it is in the menu, and the menu button counts the messages', async () => {
  await using team = await startReadTeam(2);
  const ada = await openTestSession(browser, team, { caller: team.ada, look: PHONE });
  const { page } = ada;
  await ada.row(team.last(1)).tap();
  await ada.row(team.last(1)).getByRole('button', { name: 'More' }).tap();
  await page.getByRole('menuitem', { name: 'Mark unread from here' }).tap();
  await page.locator('.bar .menu-open .count', { hasText: '1' }).waitFor();
  await ada.leave();
});

test('if the server cannot be reached, the page says so and marks nothing', async () => {
  await using team = await startReadTeam(2);
  const { page, context } = await testSession(browser, team.hub, { caller: team.ada });
  await page.goto(`/hubs/${team.hubId}`);
  await page.locator('.main .feed:not(.is-unplaced)').waitFor();
  await page.route('**/read', (route) => route.abort());
  await page.keyboard.press('k');
  await page.keyboard.press('u');
  await page.getByText('Couldn’t mark as unread.').waitFor();
  expect(await page.locator('.feed [role="separator"]').count()).toBe(0);
  await context.close();
});

test('the menu of a Hub marks its messages, to-dos and notes as read', async () => {
  await using team = await startBackdatedTeam();
  await team.message(team.bob, 'Look at these');
  await team.note(team.bob, { title: 'Runbook', content: 'Restart it.' });
  await team.todo(team.bob, { title: 'Renew the certificate' });
  const { page, problems, context } = await testSession(browser, team.hub, { caller: team.ada });
  await page.goto(`/hubs/${team.hubId}/notes`);
  const count = page.locator('.side .nav-row', { hasText: 'Releases' }).locator('.count');
  await count.waitFor();
  await page.getByRole('button', { name: 'Hub options' }).click();
  await page.getByRole('menuitem', { name: 'Mark as read' }).click();
  await page.getByText('All messages, to-dos and notes in Releases are marked as read.').waitFor();
  await count.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Hub options' }).click();
  await page.getByRole('menuitem', { name: 'Mute this Hub' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Mark as read' }).count()).toBe(0);
  expect(problems).toEqual([]);
  await context.close();
});
