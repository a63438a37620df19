import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { HubExport } from '@hub/contract';
import type { Browser, Page } from 'playwright-core';
import { post } from '../../api/src/testing/start-test-hub.ts';
import { addMember, adminJson, signedIn, type UserCaller } from '../../api/src/testing/users.ts';
import { axeInBothThemes } from './axe.ts';
import { type Look, PHONE, settled, startBrowser, testSession, WIDE } from './browser.ts';
import { LIVE_MS, startTeamOfYesterday, type TeamOfYesterday } from './hub-test-sessions.ts';

let browser: Browser;
let team: TeamOfYesterday;
let olga: UserCaller;
let anton: UserCaller;
beforeAll(async () => {
  browser = await startBrowser();
  team = await startTeamOfYesterday();
  olga = await signedIn(team.hub, { role: 'owner', name: 'Olga Owner' });
  anton = await signedIn(team.hub, { role: 'admin', name: 'Anton Admin' });
});
afterAll(async () => {
  await browser.close();
  await team[Symbol.asyncDispose]();
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const rowOf = (page: Page, name: string) => page.locator('.hubs tbody tr', { hasText: name });
const section = (page: Page, name: string | RegExp) => page.getByRole('region', { name });

async function open(caller: UserCaller, { hubId, look }: { hubId?: string; look?: Look } = {}) {
  const taken = await testSession(browser, team.hub, { caller, ...(look ? { look } : {}) });
  await taken.page.goto(`/settings/hubs${hubId === undefined ? '' : `?hub=${hubId}`}`);
  await taken.page.locator('.settings-in h1').waitFor();
  const leave = async () => {
    expect(taken.problems).toEqual([]);
    await taken.context.close();
  };
  return { ...taken, leave };
}

test('an admin sees every Hub with its members and keys; what the other makes and renames is there within a second', async () => {
  const other = await open(olga);
  const { page, leave } = await open(anton);
  await rowOf(page, 'Releases').getByText('2 members').waitFor();
  await rowOf(page, 'Releases').getByText('1 key').waitFor();
  await rowOf(page, 'Releases').getByText('You do not belong to it').waitFor();
  const made = await team.hub.admin.createHub('Fresh');
  await rowOf(other.page, 'Fresh').waitFor({ timeout: LIVE_MS });
  await rowOf(page, 'Fresh').getByRole('link').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Fresh' }).waitFor();
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  expect(page.url()).toEndWith(`/settings/hubs?hub=${made.id}`);
  await page.getByLabel('Name of the Hub').fill('  ');
  await page.keyboard.press('Enter');
  await page.getByText('Type a name.').waitFor();
  await page.getByLabel('Name of the Hub').fill('Releases ');
  await page.getByText('Another Hub has this name.').waitFor();
  await page.getByLabel('Name of the Hub').fill('Quite fresh');
  await page.getByText('Another Hub has this name.').waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Quite fresh' }).waitFor();
  await rowOf(other.page, 'Quite fresh').waitFor({ timeout: LIVE_MS });
  await page.goBack();
  await rowOf(page, 'Quite fresh').waitFor();
  await other.leave();
  await leave();
});

test('people are added by name and removed with a question; an admin adds himself, which the audit log says', async () => {
  const { id: hubId } = await team.hub.admin.createHub('Doors');
  const other = await open(olga, { hubId });
  const { page, leave } = await open(anton, { hubId });
  await page.getByText('Nobody belongs to it').waitFor();
  await page.getByText('the audit log and the Hub’s members see that you did').waitFor();
  await button(page, 'Add me to Doors').click();
  const members = section(page, /^Members/);
  const ada = (of: Page) =>
    section(of, /^Members/)
      .getByRole('listitem')
      .filter({ hasText: 'Ada Lovelace' });
  await members.getByText('(you)').waitFor();
  expect((await team.hub.admin.audit(`?hubId=${hubId}&action=member.added`)).items).toHaveLength(1);
  await button(page, 'Add a member').click();
  await page.getByRole('combobox', { name: 'Add a member' }).fill('lovel');
  await page.keyboard.press('Enter');
  await ada(page).waitFor();
  await ada(other.page).waitFor({ timeout: LIVE_MS });
  await button(page, 'Remove Ada Lovelace').click();
  await button(page, 'Keep the member').click();
  await button(page, 'Remove Ada Lovelace').click();
  await button(page, 'Remove now').click();
  await ada(page).waitFor({ state: 'detached' });
  await ada(other.page).waitFor({ state: 'detached', timeout: LIVE_MS });
  await button(page, 'Leave this Hub').click();
  await button(page, 'Leave the Hub').click();
  await button(page, 'Add me to Doors').waitFor();
  await other.leave();
  await leave();
});

test('a shorter retention says how much goes and wants the name typed; a longer one is set at once', async () => {
  const { id: hubId } = await team.hub.admin.createHub('Attic');
  await addMember(team.hub, hubId, team.ada.user);
  await team.ada.json('POST', `/hubs/${hubId}/messages`, { text: 'old' });
  team.afterMinutes(3 * 24 * 60);
  const kept = async () => (await anton.json('GET', `/hubs/${hubId}`)).body.retentionDays;
  const { page, leave } = await open(anton, { hubId });
  await page.getByRole('radio', { name: /For a number of days/ }).check();
  const days = page.getByLabel('Days', { exact: true });
  await days.fill('many');
  await button(page, 'Save').click();
  await page.getByText('Type a whole number of days').waitFor();
  await days.fill('2');
  await button(page, 'Save').click();
  await page.getByText('1 item is erased at once').waitFor();
  expect(await button(page, 'Erase what is older').isDisabled()).toBe(true);
  await page.keyboard.press('Enter');
  await button(page, 'Keep them as now').click();
  expect(await kept()).toBeNull();
  await button(page, 'Save').click();
  await page.getByLabel('Type the Hub’s name to confirm').fill('Attic');
  await button(page, 'Erase what is older').click();
  await page.getByText('Items are kept 2 days.', { exact: true }).waitFor();
  expect(await kept()).toBe(2);
  await page.getByRole('radio', { name: 'For ever' }).check();
  await button(page, 'Save').click();
  await page.getByText('Items are kept for ever.', { exact: true }).waitFor();
  expect(await kept()).toBeNull();
  // Another admin sets it: what nobody has typed over follows.
  await adminJson(team.hub, 'PATCH', `/hubs/${hubId}`, { retentionDays: 77 });
  await days.waitFor();
  expect(await days.inputValue()).toBe('77');
  await days.fill('5');
  await adminJson(team.hub, 'PATCH', `/hubs/${hubId}`, { retentionDays: 66, name: 'Loft' });
  await page.getByRole('heading', { name: 'Loft' }).waitFor();
  expect(await days.inputValue()).toBe('5');
  await leave();
});

test('a Hub is deleted with its name typed: keys get 404, views close; it is found behind a filter, and restored', async () => {
  const { id: hubId } = await team.hub.admin.createHub('Doomed');
  const { key } = await team.hub.admin.issueKey({ hubId });
  await addMember(team.hub, hubId, team.bob.user);
  const send = async () => (await post(team.hub, 'messages', key, { text: 'x' })).status;
  const reader = await testSession(browser, team.hub, { caller: team.bob });
  await reader.page.goto(`/hubs/${hubId}`);
  await reader.page.getByRole('heading', { level: 1, name: 'Doomed' }).waitFor();
  const other = await open(olga);
  await rowOf(other.page, 'Doomed').waitFor();
  const { page, leave } = await open(anton, { hubId });
  await button(page, 'Delete Doomed').click();
  await page.keyboard.press('Enter');
  expect(await button(page, 'Delete now').isDisabled()).toBe(true);
  await page.getByLabel('Type the Hub’s name to confirm').fill('Doome');
  expect(await button(page, 'Delete now').isDisabled()).toBe(true);
  await page.getByLabel('Type the Hub’s name to confirm').fill('Doomed');
  expect(await send()).toBe(201);
  await page.keyboard.press('Enter');
  await rowOf(other.page, 'Doomed').waitFor({ state: 'detached' });
  await reader.page.getByText('Doomed is closed to you').waitFor();
  expect(await send()).toBe(404);
  await page.getByRole('heading', { level: 1, name: 'Hubs' }).waitFor();
  await button(page, 'With deleted 1').click();
  await button(page, 'Restore Doomed').click();
  await button(page, 'Leave it deleted').click();
  await button(page, 'Restore Doomed').click();
  await button(page, 'Restore the Hub').click();
  await button(page, 'Restore Doomed').waitFor({ state: 'detached' });
  await rowOf(other.page, 'Doomed').waitFor();
  expect(await send()).toBe(201);
  await reader.context.close();
  await other.leave();
  await leave();
});

test('a member sees who is in his Hubs, exports one, and leaves; nothing else', async () => {
  const { id: hubId } = await team.hub.admin.createHub('Shared');
  await addMember(team.hub, hubId, team.bob.user);
  await team.bob.json('POST', `/hubs/${hubId}/messages`, { text: 'to keep' });
  const { page, leave } = await open(team.bob);
  await rowOf(page, 'Shared').waitFor();
  expect(await button(page, 'New Hub').count()).toBe(0);
  await page.goto(`/hubs/${hubId}`);
  await button(page, 'More about this Hub').click();
  await page.getByRole('menuitem', { name: 'Settings of this Hub' }).click();
  await section(page, /^Members/)
    .getByText('Bob Kahn')
    .waitFor();
  expect(await page.getByRole('button', { name: /Remove|Rename|Delete|Save|Add/ }).count()).toBe(0);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export as JSON' }).click();
  const file = await (await download).path();
  const exported = (await Bun.file(file).json()) as HubExport;
  expect(exported.messages.map(({ text }) => text)).toEqual(['to keep']);
  await button(page, 'Leave this Hub').click();
  await button(page, 'Leave the Hub').click();
  await page.getByRole('heading', { level: 1, name: 'Hubs' }).waitFor();
  await rowOf(page, 'Releases').waitFor();
  await rowOf(page, 'Shared').waitFor({ state: 'detached' });
  await leave();
});

test('an admin who does not belong to a Hub is told how to export it, and a refusal is said in place', async () => {
  const { id: hubId } = await team.hub.admin.createHub('Outside');
  const { page, context } = await open(anton, { hubId });
  await page.getByText('Only members export a Hub.').waitFor();
  await page.route('**/api/v1/hubs/*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  await page.getByLabel('Name of the Hub').fill('Inside');
  await button(page, 'Rename').click();
  await page.getByText('The server cannot be reached.').waitFor();
  expect(await page.getByLabel('Name of the Hub').inputValue()).toBe('Inside');
  await context.close();
});

for (const look of [WIDE, PHONE]) {
  test(`axe finds nothing at ${look.width}, in either theme`, async () => {
    const { page, leave } = await open(olga, { look });
    await rowOf(page, 'Releases').waitFor();
    const isWideEnough = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    expect([await axeInBothThemes(page), await isWideEnough()]).toEqual([[], true]);
    await page.goto(`/settings/hubs?hub=${team.hubId}`);
    await section(page, /^Members/)
      .getByText('Ada Lovelace')
      .waitFor();
    expect([await axeInBothThemes(page), await isWideEnough()]).toEqual([[], true]);
    await button(page, 'Delete Releases').click();
    await settled(page);
    expect(await axeInBothThemes(page)).toEqual([]);
    await leave();
  });
}
