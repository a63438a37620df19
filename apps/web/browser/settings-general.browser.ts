import { beforeEach, expect, test } from 'bun:test';
import type { Workspace } from '@hub/contract';
import { axeInBothThemes } from '@hub/testkit/browser/axe';
import { type Look, PHONE, WIDE } from '@hub/testkit/browser/browser';
import { teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { startTeam } from '@hub/testkit/in-process/team';
import { signedIn } from '@hub/testkit/in-process/users';
import type { Page } from 'playwright-core';

const { team, open, forgetProblems } = await teamSessions(startTeam());
const admin = await signedIn(team.hub, { role: 'admin', name: 'Grace Hopper' });
beforeEach(async () => {
  const body = { name: 'Workshop', botName: 'Bot', membersManageKeys: true, longestKeyLifetimeDays: null };
  await team.hub.admin.raw('PATCH', '/workspace', body);
});

const workspace = async () => (await admin.json<Workspace>('GET', '/workspace')).body;
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function atGeneral(look: Look = WIDE) {
  const page = await open(admin, '/settings/general', { look });
  await page.getByRole('heading', { name: 'General' }).waitFor();
  await page.getByLabel('Bot name').waitFor();
  return page;
}

test('renames the workspace and the bot, and updates the sidebar and the title immediately', async () => {
  const page = await atGeneral();
  const name = part(page, 'Workspace');
  expect(await name.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await name.getByLabel('Name').fill('  Example Ltd ');
  await page.keyboard.press('Enter');
  await page.locator('.side-label', { hasText: 'Example Ltd' }).waitFor();
  await page.waitForFunction(() => document.title.endsWith('Settings · Example Ltd'));
  const bot = part(page, 'Bot');
  await bot.getByLabel('Bot name').fill(' ');
  await bot.getByRole('button', { name: 'Save' }).click();
  await bot.getByText('Enter a name.').waitFor();
  await bot.getByLabel('Bot name').fill('Robot');
  await bot.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  expect(await workspace()).toMatchObject({ name: 'Example Ltd', botName: 'Robot' });
});

test('saves who can manage keys together with the maximum key lifetime, including by keyboard', async () => {
  const page = await atGeneral();
  const rules = part(page, 'API keys');
  await rules.getByLabel('Admins only').check();
  await rules.getByLabel('No limit').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  expect(await rules.getByLabel('90 days').isChecked()).toBe(true);
  await page.keyboard.press('Enter');
  await page.getByText('Saved.').waitFor();
  expect(await workspace()).toMatchObject({ membersManageKeys: false, longestKeyLifetimeDays: 90 });
  await rules.getByLabel('Other').check();
  const days = rules.getByRole('spinbutton');
  for (const wrong of ['0', '36501', '1.5']) {
    await days.fill(wrong);
    await page.keyboard.press('Enter');
    await rules.getByText('Enter a whole number of days from 1 to 36500.').waitFor();
  }
  await days.fill('45');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector<HTMLButtonElement>('section:has(#key-rules) .btn')?.disabled);
  expect((await workspace()).longestKeyLifetimeDays).toBe(45);
  await page.reload();
  expect(await rules.getByRole('spinbutton').inputValue()).toBe('45');
  await rules.getByLabel('No limit').check();
  await rules.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  expect((await workspace()).longestKeyLifetimeDays).toBeNull();
});

test('saves only the rule that was changed: another admin may have changed the other one', async () => {
  const page = await atGeneral();
  await page.route('**/api/v1/workspace', (route) =>
    // The page does not learn of the change by the other admin.
    route.request().method() === 'GET' ? undefined : route.continue(),
  );
  await team.hub.admin.raw('PATCH', '/workspace', { membersManageKeys: false });
  const rules = part(page, 'API keys');
  await rules.getByLabel('90 days').check();
  await rules.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  expect(await workspace()).toMatchObject({ membersManageKeys: false, longestKeyLifetimeDays: 90 });
});

test('keeps the input and shows the error when saving fails', async () => {
  const page = await atGeneral();
  await page.route('**/api/v1/workspace', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  const name = part(page, 'Workspace');
  await name.getByLabel('Name').fill('Lost?');
  await page.keyboard.press('Enter');
  await name.getByText('Can’t reach the server.').waitFor();
  expect(await name.getByLabel('Name').inputValue()).toBe('Lost?');
  await page.unroute('**/api/v1/workspace');
  await page.keyboard.press('Enter');
  await page.locator('.side-label', { hasText: 'Lost?' }).waitFor();
  // The browser logs the aborted request.
  forgetProblems(page);
});

test('shows the version of the server, and how many items, Hubs and keys it has', async () => {
  const page = await atGeneral();
  const server = part(page, 'Server');
  await server.getByText('None yet.').waitFor();
  const text = (await server.textContent()) ?? '';
  expect(text).toMatch(/Version\d+\.\d+\.\d+/);
  expect(text).toMatch(/\d+ items? in \d+ Hubs?, \d+ keys? that can post/);
  expect(text).toMatch(/On disk[\d.,]+ [kM]B/);
  const hubs = Number(/in (\d+) Hub/.exec(text)?.[1]);
  await team.hub.admin.createHub();
  await server.getByText(`in ${hubs + 1} Hubs`).waitFor();
});

test('hides General and the audit log from members, and explains that only admins can open them', async () => {
  const page = await open(team.ada, '/settings');
  await page.locator('.side .nav-row', { hasText: 'Sessions' }).waitFor();
  expect(await page.locator('.side .nav-row', { hasText: /General|Audit log/ }).count()).toBe(0);
  for (const name of ['general', 'audit']) {
    await page.goto(`/settings/${name}`);
    await page.getByRole('heading', { name: 'Admins only' }).waitFor();
  }
  await page.getByRole('button', { name: 'Go to Stream' }).click();
  await page.waitForURL('**/stream');
});

test.each([WIDE, PHONE])(
  'has no axe violations at $width px in either theme, and nothing is wider than the window',
  async (look) => {
    const page = await atGeneral(look);
    await part(page, 'Server').getByText('Version').waitFor();
    await part(page, 'API keys').getByLabel('Other').check();
    await part(page, 'API keys').getByRole('spinbutton').fill('0');
    await page.keyboard.press('Enter');
    await page.getByText('Enter a whole number of days').waitFor();
    expect(await axeInBothThemes(page)).toEqual([]);
    expect(await page.evaluate(() => document.querySelector('.settings')?.scrollWidth)).toBeLessThanOrEqual(look.width);
  },
);
