import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { adminJson, memberOf, signedIn, type UserCaller } from '../../api/src/testing/users.ts';
import { axeInBothThemes } from './axe.ts';
import { type Look, PHONE, settled, startBrowser, testSession, WIDE } from './browser.ts';
import { LIVE_MS, startTeamOfYesterday, type TeamOfYesterday } from './hub-test-sessions.ts';

let browser: Browser;
let team: TeamOfYesterday;
let owner: UserCaller;
let admin: UserCaller;
beforeAll(async () => {
  browser = await startBrowser();
  team = await startTeamOfYesterday();
  owner = await signedIn(team.hub, { role: 'owner', name: 'Olga Owner' });
  admin = await signedIn(team.hub, { role: 'admin', name: 'Anton Admin' });
});
afterAll(async () => {
  await browser.close();
  await team[Symbol.asyncDispose]();
});

const rowOf = (page: Page, name: string) => page.locator('.users tbody tr', { hasText: name });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const choose = async (page: Page, user: string, action: string) => {
  await button(page, `What to do with ${user}`).click();
  await page.getByRole('menuitem', { name: action }).click();
};

async function open(caller: UserCaller, look?: Look) {
  const taken = await testSession(browser, team.hub, { caller, ...(look ? { look } : {}) });
  await taken.page.goto('/settings/members');
  await rowOf(taken.page, 'Olga Owner').waitFor();
  const leave = async () => {
    expect(taken.problems).toEqual([]);
    await taken.context.close();
  };
  return { ...taken, leave };
}

test('everybody sees who works here; members neither act nor see when somebody was last there', async () => {
  const { page, leave } = await open(team.ada);
  await rowOf(page, 'Anton Admin').getByText('Admin', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: /Invite|What to do/ }).count()).toBe(0);
  expect(await page.getByText('Last seen').count()).toBe(0);
  await page.getByRole('searchbox').fill('kahn');
  await rowOf(page, 'Anton Admin').waitFor({ state: 'detached' });
  expect(await page.locator('.users tbody tr').count()).toBe(1);
  await page.getByRole('searchbox').fill('nobody of this name');
  await page.getByText('Nobody here has').waitFor();
  await leave();
});

test('the invite dialog at 360 × 760 keeps its buttons in view and scrolls in one place', async () => {
  for (let n = 0; n < 12; n += 1) await team.hub.admin.createHub(`Hub of the list ${n}`);
  const { page, leave } = await open(owner, { ...PHONE, height: 760 });
  await button(page, 'Invite somebody').click();
  await settled(page);
  const dialog = page.locator('dialog[open]');
  expect(
    await dialog.evaluate((box) =>
      [box, ...box.querySelectorAll('*')]
        .filter((each) => each.scrollHeight > each.clientHeight && /auto|scroll/.test(getComputedStyle(each).overflowY))
        .map(({ className }) => className),
    ),
  ).toEqual(['dialog']);
  for (const name of ['Cancel', 'Make the link']) {
    const box = await button(page, name).boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 1_000)).toBeLessThanOrEqual(760);
  }
  await button(page, 'Cancel').click();
  await leave();
});

test('an invitation gives a link once, which a stray key or press does not lose; the other admin sees it, and withdraws it', async () => {
  const { page, leave } = await open(owner);
  const other = await open(admin);
  await button(page, 'Invite somebody').click();
  await button(page, 'Make the link').click();
  await page.getByText('Type the e-mail address of whom you invite.').waitFor();
  await page.getByLabel('E-mail address').fill('grace@example.org');
  await page.getByRole('radio', { name: /^Admin/ }).check();
  await page.getByRole('checkbox', { name: 'Releases' }).check();
  await page.keyboard.press('Enter');
  const secret = page.locator('.secret code');
  await secret.waitFor();
  const link = (await secret.textContent()) ?? '';
  expect(link).toStartWith(`${team.hub.url}/join#hub_lnk_`);
  await page.waitForFunction(() => document.activeElement?.textContent?.trim() === 'Copy');
  expect(await button(page, 'Done').isDisabled()).toBe(true);
  await page.mouse.click(10, 10);
  await page.keyboard.press('Escape');
  await page.getByText('Close without the link?').waitFor();
  await page.keyboard.press('Escape');
  await button(page, 'Back to the link').click();
  expect(await secret.textContent()).toBe(link);
  await page.getByRole('checkbox', { name: 'I have handed it on or kept it' }).check();
  await button(page, 'Done').click();
  await page.locator('dialog').waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain('hub_lnk_');

  const row = other.page.locator('.invitations li', { hasText: 'grace@example.org' });
  await row.getByText('Admin in Releases, by Olga Owner').waitFor({ timeout: LIVE_MS });
  await button(other.page, 'Withdraw the invitation of grace@example.org').click();
  await button(other.page, 'Keep the invitation').click();
  await button(other.page, 'Withdraw the invitation of grace@example.org').click();
  await button(other.page, 'Withdraw').click();
  await row.waitFor({ state: 'detached' });
  await other.page.waitForFunction(() =>
    document.activeElement?.getAttribute('aria-label')?.startsWith('What to do with'),
  );
  await page.locator('.invitations').waitFor({ state: 'detached' });
  const inspected = await team.hub.fetch('/api/v1/links/inspection', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: link.slice(link.indexOf('#') + 1) }),
  });
  expect(inspected.status).toBe(404);
  await other.leave();
  await leave();
});

test('a role is changed by keyboard, and the other admin sees it within a second', async () => {
  const rita = await signedIn(team.hub, { name: 'Rita Role' });
  const { user } = rita;
  const [other, own] = [await open(owner), await open(rita)];
  const general = own.page.locator('.side').getByText('General');
  expect(await general.count()).toBe(0);
  const { page, leave } = await open(admin);
  await button(page, 'What to do with Rita Role').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Change the role' }).waitFor();
  await page.keyboard.press('Enter');
  expect(await page.getByRole('radio', { name: /^Owner/ }).isDisabled()).toBe(true);
  await page.getByText('Only owners make somebody an owner.').waitFor();
  await button(page, 'Change the role').click();
  await page.getByText('Rita Role is member already.').waitFor();
  await page.getByRole('radio', { name: /^Member/ }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await rowOf(page, 'Rita Role').getByText('Admin', { exact: true }).waitFor();
  await rowOf(other.page, 'Rita Role').getByText('Admin', { exact: true }).waitFor({ timeout: LIVE_MS });
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'What to do with Rita Role');
  expect((await admin.json('GET', `/people/${user.id}`)).body).toMatchObject({ role: 'admin' });
  await general.waitFor({ timeout: LIVE_MS });
  await own.leave();
  await other.leave();
  await leave();
});

test('owners are for owners alone, nobody acts on himself, and the only owner is called so', async () => {
  const { page, leave } = await open(admin);
  await rowOf(page, 'Olga Owner').getByText('The only owner').waitFor();
  const actionsFor = async (name: string) => {
    await button(page, `What to do with ${name}`).click();
    await page.getByRole('menuitem').first().waitFor();
    const actions = await page.getByRole('menuitem').allTextContents();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    return actions.map((action) => action.trim());
  };
  expect(await actionsFor('Olga Owner')).toEqual(['What hangs on Olga Owner']);
  expect(await actionsFor('Anton Admin')).toEqual(['Your profile', 'What hangs on Anton Admin']);
  expect(await actionsFor('Bob Kahn')).toEqual([
    'Change the role',
    'Make a reset link',
    'What hangs on Bob Kahn',
    'Disable',
  ]);
  await leave();
});

test('who is disabled is out within a second; what is left behind is shown with the way to mend it', async () => {
  const gus = await memberOf(team.hub, team.hubId, { name: 'Gus Gone' });
  await team.todo(team.ada, { title: 'Finish the wall', assigneeId: gus.user.id });
  await gus.json('POST', '/keys', { hubId: team.hubId, name: 'of-gus', scopes: ['messages:create'] });
  await memberOf(team.hub, team.hubId, { name: 'Nora Next' });
  const his = await open(gus);
  await his.page.goto(`/hubs/${team.hubId}`);
  await his.page.locator('textarea').fill('half a thought');
  const { page, leave } = await open(admin);
  await page.getByRole('searchbox').fill('Gus');
  await choose(page, 'Gus Gone', 'Disable');
  await page.getByText('1 key issued by Gus Gone: it goes on working').waitFor();
  await page.getByText('1 open to-do: assigned to Gus Gone').waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent === 'Keep the account');
  await page.keyboard.press('Escape');
  expect((await gus.json('GET', '/me')).status).toBe(200);
  await choose(page, 'Gus Gone', 'Disable');
  await page.locator('.holdings').waitFor();
  await button(page, 'Disable now').click();
  const cover = his.page.getByRole('dialog', { name: 'Your account was disabled' });
  await cover.waitFor({ timeout: LIVE_MS * 2 });
  expect(await his.page.locator('.app').count()).toBe(0);
  expect(await axeInBothThemes(his.page)).toEqual([]);
  expect((await gus.json('GET', '/me')).status).toBe(401);

  const left = page.getByRole('dialog', { name: 'What Gus Gone left behind' });
  await left.getByText('Releases').waitFor();
  expect(await left.getByRole('link', { name: '1 key' }).getAttribute('href')).toBe(
    `/settings/keys?hub=${team.hubId}&issuer=${gus.user.id}`,
  );
  expect(await left.getByRole('link').nth(1).textContent()).toBe('1 open to-do, once you belong to it');
  await page.keyboard.press('Escape');
  expect(await rowOf(page, 'Gus Gone').count()).toBe(0);
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  await page.getByRole('searchbox').fill('');
  await choose(page, 'Nora Next', 'Disable');
  await button(page, 'Disable now').click();
  await rowOf(page, 'Nora Next').waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'What to do with Olga Owner');
  await button(page, 'With disabled 2').click();
  await rowOf(page, 'Gus Gone').getByText('Disabled').waitFor();
  await choose(page, 'Gus Gone', 'Enable again');
  await button(page, 'Enable again').click();
  await rowOf(page, 'Gus Gone').getByText('Disabled').waitFor({ state: 'detached' });
  await cover.getByLabel('Password', { exact: true }).fill(gus.user.password);
  await his.page.keyboard.press('Enter');
  await his.page.locator('.me').waitFor();
  await his.page.goto(`/hubs/${team.hubId}`);
  await his.page.locator('textarea').waitFor();
  expect(await his.page.locator('textarea').inputValue()).toBe('half a thought');
  await his.context.close();
  await leave();
});

test('a reset link is asked for, shown once with its end, and copied', async () => {
  const { page, context, leave } = await open(admin);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await choose(page, 'Bob Kahn', 'Make a reset link');
  await button(page, 'Make the link').click();
  await page.getByText(/It works once, until \d+ \w+, \d\d:\d\d\./).waitFor();
  // What cannot be pressed looks so under the pointer, too.
  const colour = () => button(page, 'Done').evaluate((done) => getComputedStyle(done).backgroundColor);
  const before = await colour();
  await button(page, 'Done').hover({ force: true });
  await button(page, 'Done').evaluate((done) => Promise.all(done.getAnimations().map(({ finished }) => finished)));
  expect(await colour()).toBe(before);
  await page.waitForFunction(() => document.activeElement?.textContent?.trim() === 'Copy');
  await page.keyboard.press('Enter');
  await button(page, 'Copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toStartWith(`${team.hub.url}/reset#hub_lnk_`);
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'What to do with Bob Kahn');
  await leave();
});

test('a refusal is said in the dialog, and what was chosen stays', async () => {
  const { page, context } = await open(admin);
  await button(page, 'Invite somebody').click();
  await page.getByLabel('E-mail address').fill(team.bob.user.email);
  await button(page, 'Make the link').click();
  await page.getByRole('dialog').getByText('has an account already').waitFor();
  expect(await page.getByLabel('E-mail address').inputValue()).toBe(team.bob.user.email);
  await context.close();
});

for (const look of [WIDE, PHONE]) {
  test(`axe finds nothing at ${look.width}, in either theme`, async () => {
    await adminJson(team.hub, 'POST', '/invitations', {
      email: 'somebody.with.quite.a.long.name@averylongdomain.example.org',
    });
    const { page, leave } = await open(owner, look);
    await page.getByText('somebody.with.quite').waitFor();
    expect(await axeInBothThemes(page)).toEqual([]);
    const scrolled = page.locator('.settings');
    expect(await scrolled.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
    await button(page, 'Invite somebody').click();
    await settled(page);
    expect(await axeInBothThemes(page)).toEqual([]);
    await button(page, 'Cancel').click();
    await choose(page, 'Bob Kahn', 'Disable');
    await settled(page);
    expect(await axeInBothThemes(page)).toEqual([]);
    await leave();
  });
}
