import { expect, test } from 'bun:test';
import type { HubExport } from '@hub/contract';
import { axeInBothThemes } from '@hub/testkit/browser/axe';
import { type Look, PHONE, settled, testSession, WIDE } from '@hub/testkit/browser/browser';
import { LIVE_MS, startBackdatedTeam, teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { post } from '@hub/testkit/in-process/test-hub';
import { addMember, adminJson, signedIn, type UserCaller } from '@hub/testkit/in-process/users';
import type { Page } from 'playwright-core';

const { browser, team, open: openPath, forgetProblems } = await teamSessions(startBackdatedTeam());
const olga = await signedIn(team.hub, { role: 'owner', name: 'Olga Owner' });
const anton = await signedIn(team.hub, { role: 'admin', name: 'Anton Admin' });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const rowOf = (page: Page, name: string) => page.locator('.hubs tbody tr', { hasText: name });
const section = (page: Page, name: string | RegExp) => page.getByRole('region', { name });

async function open(caller: UserCaller, { hubId, look }: { hubId?: string; look?: Look } = {}) {
  const page = await openPath(caller, `/settings/hubs${hubId === undefined ? '' : `?hub=${hubId}`}`, { look });
  await page.locator('.settings-in h1').waitFor();
  return page;
}

test('finds Hubs by name once there are many', async () => {
  await using many = await startBackdatedTeam();
  for (const name of ['Shop 10', 'Shop 2', 'Ops', 'Sales']) await many.hub.admin.createHub(name);
  const { page, problems, context } = await testSession(browser, many.hub, {
    caller: await signedIn(many.hub, { role: 'admin', name: 'Anton Admin' }),
  });
  await page.goto('/settings/hubs');
  await rowOf(page, 'Releases').waitFor();
  expect(await page.getByRole('searchbox', { name: 'Find a Hub' }).count()).toBe(0);
  await many.hub.admin.createHub('Shop 1');
  await page.getByRole('searchbox', { name: 'Find a Hub' }).fill('shop');
  await rowOf(page, 'Releases').waitFor({ state: 'detached' });
  expect(await page.locator('.hubs .row-link').allTextContents()).toEqual(['Shop 1', 'Shop 2', 'Shop 10']);
  expect(await axeInBothThemes(page)).toEqual([]);
  await page.getByRole('searchbox', { name: 'Find a Hub' }).fill('none');
  await page.getByText('No matching Hubs').waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

test('shows every Hub with its members and keys to an admin, and updates within a second when another admin creates or renames one', async () => {
  const other = await open(olga);
  const page = await open(anton);
  await rowOf(page, 'Releases').getByText('2 members').waitFor();
  await rowOf(page, 'Releases').getByText('1 key').waitFor();
  await rowOf(page, 'Releases').getByText('You’re not a member').waitFor();
  const made = await team.hub.admin.createHub('Fresh');
  await rowOf(other, 'Fresh').waitFor({ timeout: LIVE_MS });
  await rowOf(page, 'Fresh').getByRole('link').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Fresh' }).waitFor();
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  expect(page.url()).toEndWith(`/settings/hubs?hub=${made.id}`);
  await page.getByLabel('Hub name').fill('  ');
  await page.keyboard.press('Enter');
  await page.getByText('Enter a name.').waitFor();
  await page.getByLabel('Hub name').fill('x'.repeat(300));
  await page.keyboard.press('Enter');
  await page.getByText('The Hub name can have at most 64 characters; this one has 300.').waitFor();
  await page.getByLabel('Hub name').fill('Fre\u200bsh');
  await page.keyboard.press('Enter');
  await page.getByText('The Hub name cannot contain invisible characters: remove U+200B.').waitFor();
  await page.getByLabel('Hub name').fill('Releases ');
  await page.getByText('A Hub with this name already exists.').waitFor();
  await page.getByLabel('Hub name').fill('releases');
  await page.getByText('A Hub with this name already exists.').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('There is already a Hub named “Releases”. Choose another name.').waitFor();
  await page.getByLabel('Hub name').fill('FRESH');
  await page.getByText('A Hub with this name already exists.').waitFor({ state: 'detached' });
  await page.getByLabel('Hub name').fill('Quite fresh');
  await page.getByText('A Hub with this name already exists.').waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Quite fresh' }).waitFor();
  await rowOf(other, 'Quite fresh').waitFor({ timeout: LIVE_MS });
  await page.goBack();
  await rowOf(page, 'Quite fresh').waitFor();
  await button(page, 'New Hub').click();
  const name = page.getByRole('dialog').getByLabel('Name');
  await name.fill('quite FRESH');
  await page.getByText('A Hub with this name already exists.').waitFor();
  await name.fill('x'.repeat(65));
  await page.keyboard.press('Enter');
  const tooLong = page.getByText('The name can have at most 64 characters; this one has 65.');
  await tooLong.waitFor();
  expect(await name.getAttribute('aria-invalid')).toBe('true');
  await name.fill('x'.repeat(64));
  await tooLong.waitFor({ state: 'detached' });
  // The browser logs the rejected request.
  forgetProblems(page);
});

test('adds members by name and confirms removals; admins who add themselves appear in the audit log', async () => {
  const { id: hubId } = await team.hub.admin.createHub('Doors');
  const other = await open(olga, { hubId });
  const page = await open(anton, { hubId });
  await page.getByText('No members yet').waitFor();
  await page.getByText('members and the audit log will show it').waitFor();
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
  await ada(other).waitFor({ timeout: LIVE_MS });
  await button(page, 'Remove Ada Lovelace').click();
  await button(page, 'Cancel').click();
  await button(page, 'Remove Ada Lovelace').click();
  await button(page, 'Remove member').click();
  await ada(page).waitFor({ state: 'detached' });
  await ada(other).waitFor({ state: 'detached', timeout: LIVE_MS });
  await button(page, 'Leave this Hub').click();
  await button(page, 'Leave Hub').click();
  await button(page, 'Add me to Doors').waitFor();
});

test("shows how many items a shorter retention period will delete, and requires the Hub's name; saves a longer period immediately", async () => {
  const { id: hubId } = await team.hub.admin.createHub('Attic');
  await addMember(team.hub, hubId, team.ada.user);
  await team.ada.json('POST', `/hubs/${hubId}/messages`, { text: 'old' });
  team.afterMinutes(3 * 24 * 60);
  const kept = async () => (await anton.json('GET', `/hubs/${hubId}`)).body.retentionDays;
  const page = await open(anton, { hubId });
  expect(await button(page, 'Save').isDisabled()).toBe(true);
  await page.getByRole('radio', { name: /For a number of days/ }).check();
  const days = page.getByLabel('Days', { exact: true });
  await days.fill('many');
  await button(page, 'Save').click();
  await page.getByText('Enter a whole number of days').waitFor();
  await days.fill('2');
  await button(page, 'Save').click();
  await page.getByText('1 item will be deleted now').waitFor();
  expect(await button(page, 'Delete older items').isDisabled()).toBe(true);
  await page.keyboard.press('Enter');
  await button(page, 'Cancel').click();
  expect(await kept()).toBeNull();
  await button(page, 'Save').click();
  await page.getByLabel('Type the Hub’s name to confirm').fill('Attic');
  await button(page, 'Delete older items').click();
  await page.getByText('Items are kept for 2 days.', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'All Hubs' }).click();
  await rowOf(page, 'Attic')
    .getByText(/: For 2 days$/)
    .waitFor();
  await rowOf(page, 'Releases')
    .getByText(/: Forever$/)
    .waitFor();
  await page.goBack();
  expect(await kept()).toBe(2);
  expect(await button(page, 'Save').isDisabled()).toBe(true);
  await page.getByRole('radio', { name: 'Forever' }).check();
  await button(page, 'Save').click();
  await page.getByText('Items are kept forever.', { exact: true }).waitFor();
  expect(await kept()).toBeNull();
  // Another admin changes the retention period, and fields that were not edited show the change.
  await adminJson(team.hub, 'PATCH', `/hubs/${hubId}`, { retentionDays: 77 });
  await days.waitFor();
  expect(await days.inputValue()).toBe('77');
  expect(await button(page, 'Save').isDisabled()).toBe(true);
  await days.fill('5');
  await adminJson(team.hub, 'PATCH', `/hubs/${hubId}`, { retentionDays: 66, name: 'Loft' });
  await page.getByRole('heading', { name: 'Loft' }).waitFor();
  expect(await days.inputValue()).toBe('5');
});

test('deletes a Hub once its name is typed: its keys get 404, and its open pages close; restores it from the deleted Hubs', async () => {
  const { id: hubId } = await team.hub.admin.createHub('Doomed');
  const { key } = await team.hub.admin.issueKey({ hubId });
  await addMember(team.hub, hubId, team.bob.user);
  const send = async () => (await post(team.hub, 'messages', key, { text: 'x' })).status;
  const reader = await openPath(team.bob, `/hubs/${hubId}`);
  await reader.getByRole('heading', { level: 1, name: 'Doomed' }).waitFor();
  await addMember(team.hub, hubId, anton.user);
  const adminReader = await openPath(anton, `/hubs/${hubId}`);
  await adminReader.getByRole('heading', { level: 1, name: 'Doomed' }).waitFor();
  const other = await open(olga);
  await rowOf(other, 'Doomed').waitFor();
  const page = await open(anton, { hubId });
  await button(page, 'Delete Hub').click();
  await page.keyboard.press('Enter');
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete Hub' });
  expect(await confirm.isDisabled()).toBe(true);
  await page.getByLabel('Type the Hub’s name to confirm').fill('Doome');
  expect(await confirm.isDisabled()).toBe(true);
  await page.getByLabel('Type the Hub’s name to confirm').fill(' doomed ');
  expect(await send()).toBe(201);
  await page.keyboard.press('Enter');
  await rowOf(other, 'Doomed').waitFor({ state: 'detached' });
  await reader.getByText('You no longer have access to Doomed').waitFor();
  const mayRestore = adminReader.getByText('This Hub was deleted. You can restore it in its settings.');
  await mayRestore.waitFor();
  await adminReader.reload();
  await mayRestore.waitFor();
  await reader.reload();
  await reader.getByRole('heading', { name: 'Page not found' }).waitFor();
  await button(adminReader, 'Go to its settings').click();
  await adminReader.getByRole('heading', { level: 1, name: 'Doomed' }).waitFor();
  await button(adminReader, 'Restore Hub').waitFor();
  expect(await send()).toBe(404);
  await page.getByRole('heading', { level: 1, name: 'Hubs' }).waitFor();
  await button(page, 'Show deleted 1').click();
  await page.reload();
  await button(page, 'Restore Doomed').click();
  await button(page, 'Cancel').click();
  const { id: sameNameId } = await team.hub.admin.createHub('Doomed');
  await button(page, 'Restore Doomed').click();
  await button(page, 'Restore Hub').click();
  // Days have passed since the admin signed in.
  const confirmation = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await confirmation.getByLabel('Password', { exact: true }).fill(anton.user.password);
  await page.keyboard.press('Enter');
  await page.getByText('There is already a Hub named “Doomed”. Rename that Hub, then restore this one.').waitFor();
  await team.hub.admin.raw('PATCH', `/hubs/${sameNameId}`, { name: 'Replacement' });
  await button(page, 'Restore Hub').click();
  await button(page, 'Restore Doomed').waitFor({ state: 'detached' });
  await rowOf(other, 'Doomed').waitFor();
  expect(await send()).toBe(201);
  // The browser logs the requests for the deleted Hub, and the rejected one.
  for (const each of [reader, adminReader, page]) forgetProblems(each);
});

test('opens a Hub at the top of its page, returns to the position in the list, and scrolls to the deleted Hubs', async () => {
  await using many = await startBackdatedTeam();
  for (let n = 1; n <= 20; n += 1) await many.hub.admin.createHub(`Shop ${n}`);
  const { id: deletedId } = await many.hub.admin.createHub('Closed shop');
  await many.hub.admin.deleteHub(deletedId);
  const { page, context, problems } = await testSession(browser, many.hub, {
    caller: await signedIn(many.hub, { role: 'admin', name: 'Anton Admin' }),
    look: PHONE,
  });
  await page.goto('/settings/hubs');
  const link = rowOf(page, 'Shop 20').getByRole('link');
  await link.scrollIntoViewIfNeeded();
  const scrollTop = () => page.locator('.settings').evaluate((element) => element.scrollTop);
  const inList = await scrollTop();
  expect(inList).toBeGreaterThan(500);
  await link.tap();
  await page.getByRole('heading', { level: 1, name: 'Shop 20' }).waitFor();
  expect(await scrollTop()).toBe(0);
  await page.locator('.settings').evaluate((element) => element.scrollTo(0, 200));
  await page.goBack();
  await link.waitFor();
  expect(Math.abs((await scrollTop()) - inList)).toBeLessThan(2);
  await button(page, 'Show deleted 1').tap();
  await page.waitForFunction(() => {
    const row = document.querySelector('.hubs .is-quiet')?.getBoundingClientRect();
    return row && row.top > 0 && row.bottom < innerHeight + 1;
  });
  // Another section also opens at its top.
  await page.setViewportSize({ width: 1100, height: 400 });
  expect(await scrollTop()).toBeGreaterThan(100);
  await page.getByRole('link', { name: 'Profile and password' }).tap();
  await page.getByRole('heading', { level: 1, name: 'Profile and password' }).waitFor();
  expect(await scrollTop()).toBe(0);
  expect(problems).toEqual([]);
  await context.close();
});

test('lets a member see the members of their Hubs, export a Hub and leave it, but nothing else', async () => {
  const { id: hubId } = await team.hub.admin.createHub('Shared');
  await addMember(team.hub, hubId, team.bob.user);
  await team.bob.json('POST', `/hubs/${hubId}/messages`, { text: 'to keep' });
  const page = await open(team.bob);
  await rowOf(page, 'Shared').waitFor();
  expect(await button(page, 'New Hub').count()).toBe(0);
  await page.goto(`/hubs/${hubId}`);
  await button(page, 'Hub options').click();
  await page.getByRole('menuitem', { name: 'Hub settings' }).click();
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
  await button(page, 'Leave Hub').click();
  await page.getByRole('heading', { level: 1, name: 'Hubs' }).waitFor();
  await rowOf(page, 'Releases').waitFor();
  await rowOf(page, 'Shared').waitFor({ state: 'detached' });
});

test('tells an admin who is not a member how to export a Hub, and shows errors in place', async () => {
  const { id: hubId } = await team.hub.admin.createHub('Outside');
  const page = await open(anton, { hubId });
  await page.getByText('Only members can export a Hub.').waitFor();
  await page.route('**/api/v1/hubs/*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  await page.getByLabel('Hub name').fill('Inside');
  await button(page, 'Rename').click();
  await page.getByText('Can’t reach the server.').waitFor();
  expect(await page.getByLabel('Hub name').inputValue()).toBe('Inside');
  // The browser logs the aborted request.
  forgetProblems(page);
});

for (const look of [WIDE, PHONE]) {
  test(`has no axe violations at ${look.width} px in either theme`, async () => {
    const page = await open(olga, { look });
    await rowOf(page, 'Releases').waitFor();
    const isWideEnough = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    expect([await axeInBothThemes(page), await isWideEnough()]).toEqual([[], true]);
    await page.goto(`/settings/hubs?hub=${team.hubId}`);
    await section(page, /^Members/)
      .getByText('Ada Lovelace')
      .waitFor();
    expect([await axeInBothThemes(page), await isWideEnough()]).toEqual([[], true]);
    await button(page, 'Delete Hub').click();
    await settled(page);
    expect(await axeInBothThemes(page)).toEqual([]);
  });
}
