import { expect, test } from 'bun:test';
import { axeInBothThemes } from '@hub/testkit/browser/axe';
import { type Look, PHONE, settled, WIDE } from '@hub/testkit/browser/browser';
import { LIVE_MS, startBackdatedTeam, teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { adminJson, memberOf, signedIn, tokenOf, type UserCaller } from '@hub/testkit/in-process/users';
import type { Page } from 'playwright-core';

const { team, open: openPath, forgetProblems } = await teamSessions(startBackdatedTeam());
const owner = await signedIn(team.hub, { role: 'owner', name: 'Olga Owner' });
const admin = await signedIn(team.hub, { role: 'admin', name: 'Anton Admin' });

const rowOf = (page: Page, name: string) => page.locator('.users tbody tr', { hasText: name });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const choose = async (page: Page, user: string, action: string) => {
  await button(page, `Actions for ${user}`).click();
  await page.getByRole('menuitem', { name: action }).click();
};

async function open(caller: UserCaller, look?: Look) {
  const page = await openPath(caller, '/settings/members', { look });
  await rowOf(page, 'Olga Owner').waitFor();
  return page;
}

test('shows the list of members to everyone, but actions and last-seen times only to admins', async () => {
  const page = await open(team.ada);
  await rowOf(page, 'Anton Admin').getByText('Admin', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: /Invite|Actions for/ }).count()).toBe(0);
  expect(await page.getByText('Last seen').count()).toBe(0);
  await page.getByRole('searchbox').fill('kahn');
  await rowOf(page, 'Anton Admin').waitFor({ state: 'detached' });
  expect(await page.locator('.users tbody tr').count()).toBe(1);
  await page.getByRole('searchbox').fill('no such name');
  await page.getByText('No matching members').waitFor();
});

test('keeps the buttons of the invite dialog in view at 360 × 760, with a single scroll area', async () => {
  for (let n = 0; n < 12; n += 1) await team.hub.admin.createHub(`Hub of the list ${n}`);
  const page = await open(owner, { ...PHONE, height: 760 });
  await button(page, 'Invite a member').click();
  await settled(page);
  const dialog = page.locator('dialog[open]');
  expect(
    await dialog.evaluate((box) =>
      [box, ...box.querySelectorAll('*')]
        .filter((each) => each.scrollHeight > each.clientHeight && /auto|scroll/.test(getComputedStyle(each).overflowY))
        .map(({ className }) => className),
    ),
  ).toEqual(['dialog']);
  for (const name of ['Cancel', 'Create link']) {
    const box = await button(page, name).boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 1_000)).toBeLessThanOrEqual(760);
  }
  await button(page, 'Cancel').click();
});

test('shows an invitation link once, and stray keys or clicks do not lose it; another admin sees the invitation and withdraws it', async () => {
  const page = await open(owner);
  const other = await open(admin);
  await button(page, 'Invite a member').click();
  await button(page, 'Create link').click();
  await page.getByText('Enter an e-mail address.').waitFor();
  await page.getByLabel('E-mail address').fill('grace at example.org');
  await page.keyboard.press('Enter');
  await page.getByText('The e-mail address must look like name@example.org').waitFor();
  await page.getByLabel('E-mail address').fill('grace@example.org');
  await page.getByRole('radio', { name: /^Admin/ }).check();
  await page.getByRole('checkbox', { name: 'Releases' }).check();
  await page.keyboard.press('Enter');
  const secret = page.locator('.secret code');
  await secret.waitFor();
  const link = (await secret.textContent()) ?? '';
  expect(link).toStartWith(`${team.hub.url}/join#hub_lnk_`);
  await page.waitForFunction(() => document.activeElement?.textContent === 'Copy link');
  expect(await button(page, 'Done').isDisabled()).toBe(true);
  await page.mouse.click(10, 10);
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Close without saving the link?' });
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await button(page, 'Go back').click();
  await page.evaluate(() => history.back());
  await question.getByRole('button', { name: 'Go back' }).click();
  expect(await secret.textContent()).toBe(link);
  await page.getByRole('checkbox', { name: 'I’ve sent or saved the link' }).check();
  await button(page, 'Done').click();
  await page.locator('dialog').waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain('hub_lnk_');

  const row = other.locator('.invitations li', { hasText: 'grace@example.org' });
  await row.getByText('Admin in Releases, by Olga Owner').waitFor({ timeout: LIVE_MS });
  await button(other, 'Withdraw the invitation for grace@example.org').click();
  await button(other, 'Cancel').click();
  await button(other, 'Withdraw the invitation for grace@example.org').click();
  await button(other, 'Withdraw invitation').click();
  await row.waitFor({ state: 'detached' });
  await other.waitForFunction(() => document.activeElement?.getAttribute('aria-label')?.startsWith('Actions for'));
  await page.locator('.invitations').waitFor({ state: 'detached' });
  const inspected = await team.hub.fetch('/api/v1/links/inspection', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: link.slice(link.indexOf('#') + 1) }),
  });
  expect(inspected.status).toBe(404);
});

test('changes a role by keyboard, and the other admin sees it within a second', async () => {
  const rita = await signedIn(team.hub, { name: 'Rita Role' });
  const { user } = rita;
  const [other, own] = [await open(owner), await open(rita)];
  const general = own.locator('.side').getByText('General');
  expect(await general.count()).toBe(0);
  const page = await open(admin);
  await button(page, 'Actions for Rita Role').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Change role' }).waitFor();
  await page.keyboard.press('Enter');
  expect(await page.getByRole('radio', { name: /^Owner/ }).isDisabled()).toBe(true);
  await page.getByText('Only owners can add an owner. Ask one of them.').waitFor();
  await button(page, 'Change role').click();
  await page.getByText('Rita Role already has the role Member.').waitFor();
  await page.getByRole('radio', { name: /^Member/ }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await rowOf(page, 'Rita Role').getByText('Admin', { exact: true }).waitFor();
  await rowOf(other, 'Rita Role').getByText('Admin', { exact: true }).waitFor({ timeout: LIVE_MS });
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Actions for Rita Role');
  expect((await admin.json('GET', `/users/${user.id}`)).body).toMatchObject({ role: 'admin' });
  await general.waitFor({ timeout: LIVE_MS });
});

test("offers actions on owners only to owners, none on the user's own account, and marks the last owner", async () => {
  const page = await open(admin);
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
  expect(await actionsFor('Anton Admin')).toEqual(['Your profile', 'Show keys and to-dos']);
  expect(await actionsFor('Bob Kahn')).toEqual([
    'Change role',
    'Create reset link',
    'Show keys and to-dos',
    'Sign out everywhere',
    'Disable account',
  ]);
});

test('signs a disabled user out within a second, and shows their keys and to-dos with links to reassign them', async () => {
  const gus = await memberOf(team.hub, team.hubId, { name: 'Gus Gone' });
  await team.todo(team.ada, { title: 'Finish the wall', assigneeId: gus.user.id });
  await gus.json('POST', '/keys', { hubId: team.hubId, name: 'of-gus', scopes: ['messages:create'] });
  await memberOf(team.hub, team.hubId, { name: 'Nora Next' });
  const his = await open(gus);
  await his.goto(`/hubs/${team.hubId}`);
  await his.locator('textarea').fill('half a thought');
  const page = await open(admin);
  await page.getByRole('searchbox').fill('Gus');
  await choose(page, 'Gus Gone', 'Disable');
  await page.getByText('1 key issued by Gus Gone: it keeps working').waitFor();
  await page.getByText('1 open to-do: assigned to Gus Gone').waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent === 'Cancel');
  await page.keyboard.press('Escape');
  expect((await gus.json('GET', '/me')).status).toBe(200);
  await choose(page, 'Gus Gone', 'Disable');
  await page.locator('.responsibilities').waitFor();
  await button(page, 'Disable account').click();
  const cover = his.getByRole('dialog', { name: 'Your account was disabled' });
  await cover.waitFor({ timeout: LIVE_MS * 2 });
  expect(await his.locator('.app').count()).toBe(0);
  expect(await axeInBothThemes(his)).toEqual([]);
  expect((await gus.json('GET', '/me')).status).toBe(401);

  const left = page.getByRole('dialog', { name: 'Gus Gone’s keys and to-dos' });
  await left.getByText('Releases').waitFor();
  expect(await left.getByRole('link', { name: '1 key' }).getAttribute('href')).toBe(
    `/settings/keys?hub=${team.hubId}&issuer=${gus.user.id}`,
  );
  expect(await left.getByRole('link').nth(1).textContent()).toBe('1 open to-do (join this Hub to see)');
  await page.keyboard.press('Escape');
  expect(await rowOf(page, 'Gus Gone').count()).toBe(0);
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  await page.getByRole('searchbox').fill('');
  await choose(page, 'Nora Next', 'Disable');
  await button(page, 'Disable account').click();
  await rowOf(page, 'Nora Next').waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Actions for Olga Owner');
  await button(page, 'Show disabled 2').click();
  await rowOf(page, 'Gus Gone').getByText('Disabled').waitFor();
  await choose(page, 'Gus Gone', 'Enable account');
  await button(page, 'Enable account').click();
  await rowOf(page, 'Gus Gone').getByText('Disabled').waitFor({ state: 'detached' });
  await cover.getByLabel('Password', { exact: true }).fill(gus.user.password);
  await his.keyboard.press('Enter');
  await his.locator('.me').waitFor();
  await his.goto(`/hubs/${team.hubId}`);
  await his.locator('textarea').waitFor();
  expect(await his.locator('textarea').inputValue()).toBe('half a thought');
  // The browser logs the requests of the disabled account.
  forgetProblems(his);
});

test('signs a user out everywhere within a second, after saying what happens; they can sign in again', async () => {
  const lea = await memberOf(team.hub, team.hubId, { name: 'Lea Leaked' });
  const token = await tokenOf(team.hub, lea.user);
  const hers = await openPath(lea, `/hubs/${team.hubId}`);
  await hers.locator('.me').waitFor();
  const page = await open(admin);
  await choose(page, 'Lea Leaked', 'Sign out everywhere');
  const dialog = page.getByRole('dialog', { name: 'Sign out Lea Leaked everywhere?' });
  await dialog.getByText('All sessions of Lea Leaked end and all their access tokens are revoked').waitFor();
  expect(await axeInBothThemes(page)).toEqual([]);
  await page.keyboard.press('Escape');
  expect((await token.json('GET', '/me')).status).toBe(200);
  await choose(page, 'Lea Leaked', 'Sign out everywhere');
  await button(page, 'Sign out everywhere').click();
  const cover = hers.getByRole('dialog', { name: 'Your session ended' });
  await cover.waitFor({ timeout: LIVE_MS * 2 });
  expect((await token.json('GET', '/me')).status).toBe(401);
  await page.getByText('Lea Leaked signed out everywhere.').waitFor();
  await cover.getByLabel('Password', { exact: true }).fill(lea.user.password);
  await hers.keyboard.press('Enter');
  await cover.waitFor({ state: 'detached' });
  // The browser logs the requests of the ended session.
  forgetProblems(hers);
});

test('creates a reset link after a confirmation, shows it once with its expiry, and copies it', async () => {
  const page = await open(admin);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await choose(page, 'Bob Kahn', 'Create reset link');
  await button(page, 'Create link').click();
  await page.getByText(/Can be used once and expires \d+ \w+, \d\d:\d\d\./).waitFor();
  // A disabled button still looks disabled while the pointer is over it.
  const color = () => button(page, 'Done').evaluate((done) => getComputedStyle(done).backgroundColor);
  const before = await color();
  await button(page, 'Done').hover({ force: true });
  await button(page, 'Done').evaluate((done) => Promise.all(done.getAnimations().map(({ finished }) => finished)));
  expect(await color()).toBe(before);
  await page.waitForFunction(() => document.activeElement?.textContent === 'Copy link');
  await page.keyboard.press('Enter');
  await button(page, 'Copied link').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toStartWith(`${team.hub.url}/reset#hub_lnk_`);
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Actions for Bob Kahn');
});

test('shows an error in the dialog and keeps the input', async () => {
  const page = await open(admin);
  await button(page, 'Invite a member').click();
  await page.getByLabel('E-mail address').fill(team.bob.user.email);
  await button(page, 'Create link').click();
  await page.getByRole('dialog').getByText('already has an account').waitFor();
  expect(await page.getByLabel('E-mail address').inputValue()).toBe(team.bob.user.email);
  // The browser logs the conflict.
  forgetProblems(page);
});

for (const look of [WIDE, PHONE]) {
  test(`has no axe violations at ${look.width} px in either theme`, async () => {
    await adminJson(team.hub, 'POST', '/invitations', {
      email: 'someone.with.quite.a.long.name@averylongdomain.example.org',
    });
    const page = await open(owner, look);
    await page.getByText('someone.with.quite').waitFor();
    expect(await axeInBothThemes(page)).toEqual([]);
    const scrolled = page.locator('.settings');
    expect(await scrolled.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
    await button(page, 'Invite a member').click();
    await settled(page);
    expect(await axeInBothThemes(page)).toEqual([]);
    await button(page, 'Cancel').click();
    await choose(page, 'Bob Kahn', 'Disable');
    await settled(page);
    expect(await axeInBothThemes(page)).toEqual([]);
  });
}

test('asks for the password before an invitation long after signing in, and then continues', async () => {
  const page = await open(owner);
  team.hub.clock.advance(16 * 60_000);
  await button(page, 'Invite a member').click();
  await page.getByRole('textbox', { name: 'E-mail address' }).fill('late@example.org');
  await button(page, 'Create link').click();
  const confirmation = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await confirmation.getByLabel('Password', { exact: true }).fill(owner.user.password);
  await page.keyboard.press('Enter');
  await page.locator('.secret code', { hasText: '/join#hub_lnk_' }).waitFor();
  forgetProblems(page);
});
