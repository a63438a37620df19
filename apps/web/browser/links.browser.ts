import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { axeInBothThemes } from '@hub/testkit/browser/axe';
import { PHONE, testBrowser, testSession, WIDE } from '@hub/testkit/browser/browser';
import { startTeam } from '@hub/testkit/in-process/team';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { tokenOf } from '@hub/testkit/in-process/users';
import type { Browser, Locator } from 'playwright-core';

let browser: Browser;
let team: Awaited<ReturnType<typeof startTeam>>;
beforeAll(async () => {
  [browser, team] = await Promise.all([testBrowser(), startTeam()]);
});
afterAll(async () => {
  await browser.close();
  await team[Symbol.asyncDispose]();
});

/** Creates a link as the local admin. */
async function linkOf(hub: TestHub, path: string, body?: object): Promise<string> {
  const response = await hub.admin.raw('POST', path, body);
  return ((await response.json()) as { link: string }).link;
}

async function middleOf(part: Locator): Promise<number> {
  const box = await part.boundingBox();
  return box === null ? Number.NaN : box.x + box.width / 2;
}

test('a setup link creates the owner and leads to the first Hub, which shows what to do next', async () => {
  await using hub = await startTestHub();
  const link = await linkOf(hub, '/setup-link');
  const { page, problems, context } = await testSession(browser, hub);
  await page.goto(link);
  await page.getByLabel('Your name').fill('Mara Lindqvist');
  await page.getByLabel('E-mail').fill('mara@example.org');
  await page.getByLabel('Password', { exact: true }).fill('a good long one');
  await page.getByLabel('First Hub').fill('Deploys');
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.waitForURL('**/hubs/hub_*');
  await page.locator('h1', { hasText: 'Deploys' }).waitFor();
  const nothing = page.getByRole('heading', { name: 'No posts yet' });
  await nothing.waitFor();
  // The heading is centered above the composer.
  expect(Math.abs((await middleOf(nothing)) - (await middleOf(page.locator('main .composer'))))).toBeLessThan(2);
  await page.getByRole('button', { name: 'Issue a key' }).first().click();
  await page.getByRole('dialog', { name: /key/i }).waitFor();
  await page.keyboard.press('Escape');
  await page.goto('/stream');
  await page.getByText('Use a terminal').click();
  await page.getByText('hubctl keys issue --hub Deploys --name ci').waitFor();
  await page.goBack();
  expect(page.url()).not.toContain('hub_lnk_');
  await page.goto(link);
  await page.getByText('This link doesn’t work').waitFor();
  expect(problems.filter((problem) => !problem.includes('status of 404'))).toEqual([]);
  await context.close();
});

test('an invitation creates an account that is signed in and can post in its Hub', async () => {
  const link = await linkOf(team.hub, '/invitations', { email: 'new@example.org', hubIds: [team.hubId] });
  const { page, problems, context } = await testSession(browser, team.hub);
  await page.goto(link);
  expect(await page.getByLabel('E-mail').inputValue()).toBe('new@example.org');
  await page.getByLabel('Your name').fill('Nia N.');
  await page.getByLabel('Password', { exact: true }).fill('a good long one');
  await page.getByRole('button', { name: 'Join' }).click();
  await page.waitForURL('**/stream');
  await page.getByText('Welcome to Hub, Nia N.', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Releases' }).first().click();
  await page.waitForURL(`**/hubs/${team.hubId}`);
  const text = page.getByRole('textbox', { name: 'Message to' });
  await text.fill('Hello, all');
  await text.press('Enter');
  await page.locator('.msg[id]', { hasText: 'Hello, all' }).waitFor();
  await page.goto(link);
  await page.getByText('This link doesn’t work').waitFor();
  await page.getByRole('link', { name: 'sign in' }).click();
  await page.waitForURL('**/stream');
  expect(problems.filter((problem) => !problem.includes('status of 404'))).toEqual([]);
  await context.close();
});

test('a reset link sets a new password and ends all other sessions', async () => {
  const old = await testSession(browser, team.hub, { caller: team.bob });
  await old.page.goto(`/hubs/${team.hubId}`);
  await old.page.locator('.me').waitFor();
  const token = await tokenOf(team.hub, team.bob.user);
  const { page, problems, context } = await testSession(browser, team.hub);
  await page.goto(await linkOf(team.hub, `/users/${team.bob.user.id}/password-reset`));
  await page.getByLabel('New password', { exact: true }).fill('short');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('Use at least 8 characters (you entered 5).').waitFor();
  await page.getByLabel('New password', { exact: true }).fill('Summer2024!');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('New password is too easy to guess: it is based on a season, month or weekday.').waitFor();
  expect(await axeInBothThemes(page)).toEqual([]);
  expect(await page.getByRole('checkbox', { name: 'Also revoke all access tokens' }).isChecked()).toBe(true);
  await page.getByLabel('New password', { exact: true }).fill('another long one');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.waitForURL('**/stream');
  await page.getByText('Password changed.').waitFor();
  expect((await token.json('GET', '/me')).status).toBe(401);
  await old.page.getByRole('dialog', { name: 'Your session ended' }).waitFor();
  await old.page.getByLabel('Password', { exact: true }).fill('another long one');
  await old.page.keyboard.press('Enter');
  await old.page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(problems.filter((problem) => !problem.includes('status of 400'))).toEqual([]);
  await old.context.close();
  await context.close();
});

const PAGES = [
  { path: '/setup', title: 'Set up your workspace', make: (hub: TestHub) => linkOf(hub, '/setup-link') },
  {
    path: '/join',
    title: 'Join Hub',
    make: (hub: TestHub) => linkOf(hub, '/invitations', { email: 'someone@example.org' }),
  },
] as const;

describe.each([WIDE, PHONE])('at $width pixels', (look) => {
  test.each(PAGES)(
    'axe finds no problems on $path, with errors and with a dead link, and nothing overflows',
    async (each) => {
      await using hub = await startTestHub();
      const { page, context } = await testSession(browser, hub, { look });
      const link = await each.make(hub);
      const isWithin = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
      await page.goto(link);
      await page.locator('form:not([hidden])').waitFor();
      expect([await page.locator('h1').textContent(), await isWithin()]).toEqual([each.title, true]);
      expect(await axeInBothThemes(page)).toEqual([]);
      await page.locator('button[type="submit"]').click();
      await page.getByText('Enter your name.').waitFor();
      expect(await axeInBothThemes(page)).toEqual([]);
      await page.goto(`${each.path}?again#hub_lnk_no`);
      await page.getByText('This link doesn’t work').waitFor();
      expect([await axeInBothThemes(page), await isWithin()]).toEqual([[], true]);
      await context.close();
    },
  );
});

test('an unknown URL shows a styled not-found page that leads home', async () => {
  for (const look of [WIDE, PHONE]) {
    const { page, context, problems } = await testSession(browser, team.hub, { caller: team.ada, look });
    await page.goto('/nope/x');
    await page.locator('.card').getByText('There is nothing at /nope/x.').waitFor();
    expect(await axeInBothThemes(page)).toEqual([]);
    await page.getByRole('link', { name: 'Go to the home page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Stream' }).waitFor();
    // The browser logs the 404 itself.
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
    await context.close();
  }
});

test('the chosen theme applies to every page from the first paint', async () => {
  const { page, context, problems } = await testSession(browser, team.hub, { caller: team.ada });
  const colorScheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  await page.goto('/settings');
  await page.locator('.me').click();
  await page.getByRole('menuitemradio', { name: 'Dark theme' }).click();
  const other = await context.newPage();
  await other.goto('/settings');
  await other.locator('html[data-theme="dark"]').waitFor();
  for (const path of ['/setup', '/join', '/reset']) {
    await page.goto(path);
    expect([path, await colorScheme()]).toEqual([path, 'dark']);
  }
  // Checks the theme before the app has loaded.
  await page.route('**/app/main-*.js', (route) => route.abort());
  await page.goto('/stream');
  expect(await colorScheme()).toBe('dark');
  await page.unroute('**/app/main-*.js');
  await page.goto('/stream');
  await page.locator('.me').click();
  await page.getByRole('menuitemradio', { name: 'System theme' }).click();
  await other.locator('html:not([data-theme])').waitFor({ state: 'attached' });
  await page.goto('/setup');
  expect(await colorScheme()).toBe('light dark');
  expect(problems.filter((problem) => !problem.includes('ERR_FAILED'))).toEqual([]);
  await context.close();
});
