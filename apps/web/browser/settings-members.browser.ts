import { expect, test } from 'bun:test';
import type { HubExport } from '@hub/contract';
import { expectAccessible } from '@hub/testkit/browser/axe';
import { startBackdatedTeam, teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { enter, focusIs, press, seen, show } from '@hub/testkit/browser/steps';
import { post } from '@hub/testkit/in-process/test-hub';
import { addMember, memberOf, signedIn, type UserCaller } from '@hub/testkit/in-process/users';
import type { Page } from 'playwright-core';

const { team, open, forgetProblems } = await teamSessions(startBackdatedTeam());
const { admin } = team.hub;
const olga = await signedIn(team.hub, { role: 'owner', name: 'Olga Owner' });
const anton = await signedIn(team.hub, { role: 'admin', name: 'Anton Admin' });

const rowOf = (page: Page, name: string) => page.locator('.users tbody tr, .hubs tbody tr', { hasText: name });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const members = (page: Page) => page.getByRole('region', { name: 'Members' });
const choose = async (page: Page, user: string, action: string) => {
  await button(page, `Actions for ${user}`).click();
  await page.getByRole('menuitem', { name: action }).click();
};
async function confirmPassword(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await enter(dialog.getByLabel('Password', { exact: true }), anton.user.password);
}

async function atMembers(caller: UserCaller): Promise<Page> {
  const page = await open(caller, '/settings/members');
  await rowOf(page, 'Olga Owner').waitFor();
  return page;
}
async function atHubs(caller: UserCaller, hubId?: string): Promise<Page> {
  const page = await open(caller, `/settings/hubs${hubId ? `?hub=${hubId}` : ''}`);
  await page.locator('.settings-in h1').waitFor();
  return page;
}

test('members see the list of members; admins act on others, and only owners on owners; a role is changed by keyboard, which the member sees within a second', async () => {
  const rita = await signedIn(team.hub, { name: 'Rita Role' });
  const own = await atMembers(rita);
  await rowOf(own, 'Anton Admin').getByText('Admin', { exact: true }).waitFor();
  expect(await own.getByRole('button', { name: /Invite|Actions for/ }).count()).toBe(0);

  const page = await atMembers(anton);
  await rowOf(page, 'Olga Owner').getByText('Last owner').waitFor();
  const actionsFor = async (name: string) => {
    await button(page, `Actions for ${name}`).click();
    await page.getByRole('menuitem').first().waitFor();
    const actions = await page.getByRole('menuitem').allTextContents();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    return actions.map((action) => action.trim());
  };
  expect(await actionsFor('Olga Owner')).toEqual(['Show keys and to-dos']);
  expect(await actionsFor('Bob Kahn')).toEqual([
    'Change role',
    'Create reset link',
    'Show keys and to-dos',
    'Remove second factors',
    'Sign out everywhere',
    'Disable account',
  ]);
  await expectAccessible(page);

  const general = own.locator('.side').getByText('General');
  expect(await general.count()).toBe(0);
  await button(page, 'Actions for Rita Role').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Change role' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('radio', { name: /^Member/ }).focus();
  await press(page, 'ArrowDown', 'Enter');
  await rowOf(page, 'Rita Role').getByText('Admin', { exact: true }).waitFor();
  expect((await anton.json('GET', `/users/${rita.user.id}`)).body).toMatchObject({ role: 'admin' });
  await general.waitFor();
});

test('an invitation link is shown once, and the invitation can be withdrawn', async () => {
  const page = await atMembers(olga);
  await button(page, 'Invite members').click();
  await expectAccessible(page);
  await button(page, 'Create links').click();
  await page.getByText('Enter an e-mail address.').waitFor();
  const email = page.getByLabel('E-mail addresses');
  await email.fill('grace@example.org');
  await page.getByRole('radio', { name: /^Admin/ }).check();
  await page.getByRole('checkbox', { name: 'Releases' }).check();
  await button(page, 'Create links').click();
  const secret = page.locator('.secret code');
  const link = (await secret.textContent()) ?? '';
  expect(link).toStartWith(`${team.hub.url}/join#hub_lnk_`);
  expect(await button(page, 'Done').isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Close without saving the link?' });
  await question.getByRole('button', { name: 'Go back' }).click();
  expect(await secret.textContent()).toBe(link);
  await page.getByRole('checkbox', { name: 'I’ve sent or saved the link' }).check();
  await button(page, 'Done').click();
  await page.locator('dialog').waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain('hub_lnk_');

  const row = page.locator('.invitations li', { hasText: 'grace@example.org' });
  await row.getByText('Admin in Releases, by Olga Owner').waitFor();
  await button(page, 'Withdraw the invitation for grace@example.org').click();
  await button(page, 'Withdraw invitation').click();
  await page.locator('.invitations').waitFor({ state: 'detached' });
});

test('a disabled user loses their page within a second, their keys and to-dos are listed, and their draft is there once they are enabled; a reset link asks for the password again and is shown once', async () => {
  const gus = await memberOf(team.hub, team.hubId, { name: 'Gus Gone' });
  await team.todo(team.ada, { title: 'Finish the wall', assigneeId: gus.user.id });
  await gus.json('POST', '/keys', { hubId: team.hubId, name: 'of-gus', scopes: ['messages:create'] });
  const his = await open(gus, `/hubs/${team.hubId}`);
  await his.locator('textarea').fill('half a thought');
  const page = await atMembers(anton);
  await choose(page, 'Gus Gone', 'Disable');
  await page.getByText('1 key issued by Gus Gone: it keeps working').waitFor();
  await page.getByText('1 open to-do: assigned to Gus Gone').waitFor();
  await expectAccessible(page);
  await focusIs(page, 'Cancel');
  await button(page, 'Disable account').click();
  const cover = his.getByRole('dialog', { name: 'Your account was disabled' });
  await cover.waitFor();
  expect([await his.locator('.app').count(), (await gus.json('GET', '/me')).status]).toEqual([0, 401]);
  const left = page.getByRole('dialog', { name: 'Gus Gone’s keys and to-dos' });
  expect(await left.getByRole('link', { name: '1 key' }).getAttribute('href')).toBe(
    `/settings/keys?hub=${team.hubId}&issuer=${gus.user.id}`,
  );
  await page.keyboard.press('Escape');
  await rowOf(page, 'Gus Gone').waitFor({ state: 'detached' });
  await button(page, 'Show disabled 1').click();
  await rowOf(page, 'Gus Gone').getByText('Disabled').waitFor();
  await choose(page, 'Gus Gone', 'Enable account');
  await button(page, 'Enable account').click();
  await rowOf(page, 'Gus Gone').getByText('Disabled').waitFor({ state: 'detached' });
  await enter(cover.getByLabel('Password', { exact: true }), gus.user.password);
  await his.locator('.me').waitFor();
  await his.goto(`/hubs/${team.hubId}`);
  expect(await his.locator('textarea').inputValue()).toBe('half a thought');
  forgetProblems(his);

  await choose(page, 'Bob Kahn', 'Create reset link');
  // Long after signing in, the page asks for the password, and then continues.
  team.hub.clock.advance(16 * 60_000);
  await button(page, 'Create link').click();
  await confirmPassword(page);
  await page.getByText(/Can be used once and expires \d+ \w+, \d\d:\d\d\./).waitFor();
  expect(await page.locator('.secret code').textContent()).toStartWith(`${team.hub.url}/reset#hub_lnk_`);
  forgetProblems(page);
});

test('an admin sees every Hub, renames one, and adds and removes its members; adding oneself is audited, and a retention that deletes items asks for the name of the Hub', async () => {
  const page = await atHubs(anton);
  await seen(rowOf(page, 'Releases').getByText('You’re not a member'), button(page, 'New Hub'));
  await expectAccessible(page);
  const made = await admin.createHub('Fresh');
  await rowOf(page, 'Fresh').getByRole('link').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Fresh' }).waitFor();
  expect(page.url()).toEndWith(`/settings/hubs?hub=${made.id}`);
  await enter(page.getByLabel('Hub name'), 'Quite fresh');
  await page.getByRole('heading', { level: 1, name: 'Quite fresh' }).waitFor();

  const { id: hubId } = await admin.createHub('Doors');
  await show(page, `/settings/hubs?hub=${hubId}`, page.getByText('No members yet'));
  await button(page, 'Add me to Doors').click();
  const ada = members(page).getByRole('listitem').filter({ hasText: 'Ada Lovelace' });
  await members(page).getByText('(you)').waitFor();
  expect((await admin.audit(`?hubId=${hubId}&action=member.added`)).items).toHaveLength(1);
  await button(page, 'Add a member').click();
  await enter(page.getByRole('combobox', { name: 'Add a member' }), 'lovel');
  await ada.waitFor();
  await expectAccessible(page);
  await button(page, 'Remove Ada Lovelace').click();
  await button(page, 'Remove member').click();
  await ada.waitFor({ state: 'detached' });
  await button(page, 'Leave this Hub').click();
  await button(page, 'Leave Hub').click();
  await button(page, 'Add me to Doors').waitFor();

  const { id: atticId } = await admin.createHub('Attic');
  await addMember(team.hub, atticId, team.ada.user);
  await team.ada.json('POST', `/hubs/${atticId}/messages`, { text: 'old' });
  team.afterMinutes(3 * 24 * 60);
  const kept = async () => (await anton.json('GET', `/hubs/${atticId}`)).body.retentionDays;
  await show(page, `/settings/hubs?hub=${atticId}`, page.getByRole('heading', { level: 1, name: 'Attic' }));
  await page.getByRole('radio', { name: /For a number of days/ }).check();
  const retention = page.getByRole('region', { name: 'How long to keep items' });
  await page.getByLabel('Days', { exact: true }).fill('2');
  await retention.getByRole('button', { name: 'Save' }).click();
  await page.getByText('1 item will be deleted now').waitFor();
  expect(await button(page, 'Delete older items').isDisabled()).toBe(true);
  await button(page, 'Cancel').click();
  expect(await kept()).toBeNull();
  await retention.getByRole('button', { name: 'Save' }).click();
  await page.getByLabel('Type the Hub’s name to confirm').fill('Attic');
  await button(page, 'Delete older items').click();
  await page.getByText('Items are kept for 2 days.', { exact: true }).waitFor();
  expect(await kept()).toBe(2);
});

test('a Hub is deleted once its name is typed: its keys get 404, and an admin restores it', async () => {
  const { id: hubId } = await admin.createHub('Doomed');
  const { key } = await admin.issueKey({ hubId });
  const send = async () => (await post(team.hub, 'messages', key, { text: 'x' })).status;
  const page = await atHubs(anton, hubId);
  await button(page, 'Delete Hub').click();
  const confirm = page.getByRole('alertdialog').getByRole('button', { name: 'Delete Hub' });
  await page.getByLabel('Type the Hub’s name to confirm').fill('Doome');
  expect([await confirm.isDisabled(), await send()]).toEqual([true, 201]);
  await enter(page.getByLabel('Type the Hub’s name to confirm'), ' doomed ');
  await button(page, /^Show deleted \d+$/).click();
  await button(page, 'Restore Doomed').waitFor();
  expect(await send()).toBe(404);
  await button(page, 'Restore Doomed').click();
  team.hub.clock.advance(16 * 60_000);
  await button(page, 'Restore Hub').click();
  await confirmPassword(page);
  await button(page, 'Restore Doomed').waitFor({ state: 'detached' });
  expect(await send()).toBe(201);
  forgetProblems(page);
});

test('a member sees the members of their Hubs, exports a Hub and leaves it, but nothing else', async () => {
  const { id: hubId } = await admin.createHub('Shared');
  await addMember(team.hub, hubId, team.bob.user);
  await team.bob.json('POST', `/hubs/${hubId}/messages`, { text: 'to keep' });
  const page = await open(team.bob, `/hubs/${hubId}`);
  await button(page, 'Hub options').click();
  await page.getByRole('menuitem', { name: 'Hub settings' }).click();
  await members(page).getByText('Bob Kahn').waitFor();
  expect(await page.getByRole('button', { name: /Remove|Rename|Delete|Save|Add|New Hub/ }).count()).toBe(0);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export as JSON' }).click();
  const exported = (await Bun.file(await (await download).path()).json()) as HubExport;
  expect(exported.messages.map(({ text }) => text)).toEqual(['to keep']);
  await button(page, 'Leave this Hub').click();
  await button(page, 'Leave Hub').click();
  await rowOf(page, 'Releases').waitFor();
  await rowOf(page, 'Shared').waitFor({ state: 'detached' });
  // The page may have requested the Hub once more.
  forgetProblems(page, /status of 404/);
});
