import { afterAll, beforeAll, expect, test } from 'bun:test';
import { axeInBothThemes } from '@hub/testkit/browser/axe';
import { PHONE, testBrowser, testSession, WIDE } from '@hub/testkit/browser/browser';
import { painted } from '@hub/testkit/browser/hub-test-sessions';
import { startTeam } from '@hub/testkit/in-process/team';
import { adminJson } from '@hub/testkit/in-process/users';
import type { Browser } from 'playwright-core';

let browser: Browser;
let team: Awaited<ReturnType<typeof startTeam>>;
beforeAll(async () => {
  browser = await testBrowser({ isWhole: true });
  team = await startTeam();
});
afterAll(async () => {
  await browser.close();
  await team[Symbol.asyncDispose]();
});

test('saves the notification settings, including by keyboard and on a phone, without axe violations', async () => {
  // Users who cannot manage keys choose among the keys whose posts they have seen.
  await adminJson(team.hub, 'PATCH', '/workspace', { membersManageKeys: false });
  await team.post('messages', { text: 'The release is out' });
  for (const look of [WIDE, PHONE]) {
    const { page, problems, context } = await testSession(browser, team.hub, { caller: team.ada, look });
    await page.goto('/settings/notifications');
    const replies = page.getByLabel('Replies');
    const wasOn = await replies.isChecked();
    await replies.focus();
    await page.keyboard.press('Space');
    await page.waitForFunction(
      (was) => [...document.querySelectorAll<HTMLInputElement>('.switch input')].at(4)?.checked === !was,
      wasOn,
    );
    await page.getByLabel('From', { exact: true }).fill('21:30');
    const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
    const toggle = (day: string) => page.getByRole('button', { name: day, exact: true }).click();
    for (const day of days) await toggle(day);
    await page.getByRole('button', { name: /Turn on quiet hours|Save quiet hours/ }).click();
    const noDay = page.getByText('Choose at least one day');
    await noDay.waitFor();
    await toggle('Mon');
    await noDay.waitFor({ state: 'detached' });
    for (const day of days.slice(1, -1)) await toggle(day);
    await page.getByRole('button', { name: /Turn on quiet hours|Save quiet hours/ }).click();
    await page
      .getByText(
        /On: no notifications (?:every day|on Mon, Tue, Wed, Thu, Fri, Sat) from 21:30 to 07:00 in Europe.Berlin/,
      )
      .waitFor();
    await page.getByRole('button', { name: 'Choose a key' }).click();
    await page.getByRole('menuitem', { name: 'ci in Releases' }).click();
    await page.getByLabel('Notifications for ci').waitFor();
    expect(await axeInBothThemes(page)).toEqual([]);
    await page.reload();
    expect(await replies.isChecked()).toBe(!wasOn);
    await page.getByText(/On: no notifications .* from 21:30 to 07:00/).waitFor();
    const { body } = await team.ada.json('GET', '/me/notifications');
    expect(body).toMatchObject({
      replies: !wasOn,
      quietHours: { fromMinute: 1_290, toMinute: 420, days: [1, 2, 3, 4, 5, 6] },
      keys: [{ name: 'ci', mode: 'every' }],
    });
    await team.ada.json('PUT', `/me/notifications/keys/${team.keyId}`, { mode: 'usual' });
    await team.ada.json('DELETE', '/me/notifications/quiet-hours');
    expect(problems).toEqual([]);
    await context.close();
  }
});

test('opens the notification settings at their former address, and replaces it', async () => {
  const { page, problems, context } = await testSession(browser, team.hub, { caller: team.ada });
  await page.goto('/stream');
  await page.goto('/settings/notifications');
  await page.getByRole('heading', { name: 'Notifications', exact: true }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/settings/notifications');
  await page.goBack();
  await page.getByRole('heading', { name: 'Stream' }).waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

test('on a page without HTTPS, says that notifications need it', async () => {
  const { page, context } = await testSession(browser, team.hub, { caller: team.ada, look: WIDE });
  await context.addInitScript(() => {
    Object.defineProperty(globalThis, 'isSecureContext', { get: () => false });
  });
  await page.goto('/settings/notifications');
  await page.getByText('Notifications need https').waitFor();
  await context.close();
});

test('a muted Hub has an icon, and is counted neither in the sidebar nor in the title', async () => {
  await using team = await startTeam();
  const { page, problems, context } = await testSession(browser, team.hub, { caller: team.ada, look: WIDE });
  await page.goto('/mentions');
  const row = page.locator('.side .nav-row', { hasText: 'Releases' });
  await team.message(team.bob, 'One');
  await row.locator('.count').waitFor();
  await page.waitForFunction(() => document.title.startsWith('(1) '));
  await page.goto(`/hubs/${team.hubId}`);
  await page.getByRole('button', { name: 'Hub options' }).click();
  await page.getByRole('menuitem', { name: 'Mute this Hub' }).click();
  await row.getByText('muted').waitFor();
  await page.locator('.side .nav-row', { hasText: 'Mentions' }).click();
  await team.message(team.bob, 'Two');
  await page.waitForFunction(() => document.title.startsWith('Mentions'));
  expect(await row.locator('.count').count()).toBe(0);
  await page.goto('/settings/notifications');
  expect(await page.getByLabel('Notifications for Releases').inputValue()).toBe('muted');
  await page.getByLabel('Notifications for Releases').selectOption('usual');
  await page.getByText('You’ll be notified about mentions and replies in Releases.').waitFor();
  await page.waitForFunction(() => /^\(\d+\) /.test(document.title));
  expect(problems).toEqual([]);
  await context.close();
});

test('shows both of two settings that are changed in quick succession, whichever response arrives first', async () => {
  const { page, problems, context } = await testSession(browser, team.hub, { caller: team.ada });
  await team.ada.json('PATCH', '/me/notifications', { mentions: true, replies: true });
  const [first, both] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let [requests, responses] = [0, 0];
  await page.route('**/api/v1/me/notifications', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    requests += 1;
    const isFirst = requests === 1;
    const response = await route.fetch();
    if (isFirst) await first.promise;
    await route.fulfill({ response });
    responses += 1;
    if (responses === 2) both.resolve();
  });
  await page.goto('/settings/notifications');
  const [mentions, replies] = [page.getByRole('checkbox', { name: /^Mentions/ }), page.getByLabel('Replies')];
  await mentions.click();
  await replies.click();
  await painted(page);
  // The second request was sent without waiting for the first response.
  if (requests > 1) await page.locator('.switch', { hasText: 'Replies' }).locator('input:not(:checked)').waitFor();
  first.resolve();
  await both.promise;
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await painted(page);
  expect([await mentions.isChecked(), await replies.isChecked()]).toEqual([false, false]);
  expect(problems).toEqual([]);
  await context.close();
});
