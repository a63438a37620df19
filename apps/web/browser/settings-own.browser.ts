import { afterAll, beforeAll, expect, test } from 'bun:test';
import { testBrowser, testSession } from '@hub/testkit/browser/browser';
import { type BackdatedTeam, openTestSession, startBackdatedTeam } from '@hub/testkit/browser/hub-test-sessions';
import { problemsBut401 } from '@hub/testkit/browser/problems';
import { pngOf } from '@hub/testkit/in-process/images';
import { settleDelayed } from '@hub/testkit/in-process/test-clock';
import { signedIn, signIn, tokenOf, type UserCaller } from '@hub/testkit/in-process/users';
import type { Browser, Page } from 'playwright-core';

let browser: Browser;
let team: BackdatedTeam;
let ada: UserCaller;
beforeAll(async () => {
  browser = await testBrowser();
  team = await startBackdatedTeam();
  ({ ada } = team);
});
afterAll(async () => {
  await browser.close();
  await team[Symbol.asyncDispose]();
});

const PHOTO = Buffer.from(pngOf({ width: 900, height: 300, colour: [200, 40, 40] }));
const pick = (page: Page, buffer: Buffer, name = 'me.png') =>
  page.locator('.avatar-field input[type=file]').setInputFiles({ name, mimeType: 'image/png', buffer });

async function openSettings(name: string, caller: UserCaller) {
  const opened = await testSession(browser, team.hub, { caller });
  await opened.page.goto(`/settings/${name}`);
  return opened;
}

/** Waits until an avatar is shown. An avatar that failed to load has no width. */
const isDrawn = (page: Page, selector: string) =>
  page.waitForFunction((found) => {
    const image = document.querySelector<HTMLImageElement>(`${found} img`);
    return image?.complete === true && image.naturalWidth === 256;
  }, selector);

test('crops, previews and saves an avatar, and updates it everywhere for other users immediately', async () => {
  const message = await team.message(ada, 'Who am I?');
  const bob = await openTestSession(browser, team, { caller: team.bob });
  const { page, problems, context } = await openSettings('profile', ada);
  await page.getByRole('group', { name: 'Avatar' }).waitFor();
  expect(await page.locator('.avatar-field .avatar').textContent()).toBe('AL');
  await pick(page, PHOTO);
  await page.getByRole('img', { name: 'Avatar preview' }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Save avatar');
  expect((await ada.fetch(`/api/v1/users/${ada.user.id}/avatar`)).status).toBe(404);
  await page.keyboard.press('Enter');
  await isDrawn(page, '.avatar-field .avatar');
  await isDrawn(page, '.side-foot .avatar');
  await isDrawn(bob.page, `[data-row="${message.id}"] .avatar`);
  const kept = await team.bob.fetch(`/api/v1/users/${ada.user.id}/avatar`);
  expect(kept.headers.get('content-type')).toBe('image/webp');
  expect((await kept.bytes()).length).toBeLessThan(20_000);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Choose another image');

  await page.getByRole('button', { name: 'Remove' }).click();
  await page.locator('.avatar-field .avatar img').waitFor({ state: 'detached' });
  await bob.row(message).locator('.avatar img').waitFor({ state: 'detached' });
  expect(problems).toEqual([]);
  await context.close();
  await bob.leave();
});

test('says that the role of the last owner cannot be changed, until there is another owner', async () => {
  const { page, problems, context } = await openSettings('profile', await signedIn(team.hub, { role: 'owner' }));
  await page.getByText('Last owner: can’t be changed.').waitFor();
  await signedIn(team.hub, { role: 'owner' });
  await page.getByText('Another owner can change it.').waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

test('shows an error in place for an invalid image or a failed upload; canceling keeps the current avatar', async () => {
  const { page, problems, context } = await openSettings('profile', ada);
  await pick(page, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'me.png');
  await page.getByRole('alert').filter({ hasText: 'can’t read this image' }).waitFor();
  await pick(page, PHOTO);
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(await page.locator('.avatar-field .avatar').textContent()).toBe('AL');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Choose image');

  await page.route('**/api/v1/me/avatar', (route) => route.abort());
  await pick(page, PHOTO);
  await page.getByRole('button', { name: 'Save avatar' }).click();
  await page.getByRole('alert').filter({ hasText: 'Can’t reach the server' }).waitFor();
  await page.unroute('**/api/v1/me/avatar');
  await page.getByRole('button', { name: 'Save avatar' }).click();
  await isDrawn(page, '.avatar-field .avatar');
  expect(problems.filter((problem) => !problem.includes('ERR_FAILED'))).toEqual([]);
  await ada.json('DELETE', '/me/avatar');
  await context.close();
});

test('shows the bot avatar next to posts made with a key, and initials if it does not load', async () => {
  const admin = await signedIn(team.hub, { role: 'admin' });
  const post = await team.post('messages', { text: 'Deployed' });
  const bob = await openTestSession(browser, team, { caller: team.bob });
  expect(await bob.row(post).locator('.avatar').textContent()).toBe('ci');
  const body = pngOf({ width: 256, height: 256 });
  await admin.fetch('/api/v1/workspace/bot-avatar', { method: 'PUT', headers: { 'content-type': 'image/png' }, body });
  await bob.page.reload();
  await isDrawn(bob.page, `[data-row="${post.id}"] .avatar.is-key`);
  await bob.page.route('**/bot-avatar*', (route) => route.abort());
  await bob.page.reload();
  await bob.row(post).waitFor();
  await bob.row(post).locator('.avatar img').waitFor({ state: 'detached' });
  expect(await bob.row(post).locator('.avatar').textContent()).toBe('ci');
  expect(bob.problems.filter((problem) => !problem.includes('ERR_FAILED'))).toEqual([]);
  await bob.context.close();
  await admin.json('DELETE', '/workspace/bot-avatar');
});

test('updates a changed name for other users immediately, even on earlier messages', async () => {
  const message = await team.message(ada, 'What am I called?');
  const bob = await openTestSession(browser, team, { caller: team.bob });
  const { page, problems, context } = await openSettings('profile', ada);
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('x'.repeat(200));
  await page.keyboard.press('Enter');
  await page.getByText('The name can have at most 64 characters; this one has 200.').waitFor();
  await name.fill('Ada King');
  await name.press('Enter');
  await page.locator('.me', { hasText: 'Ada King' }).waitFor();
  await bob.page.locator('.feed', { hasText: 'Ada King' }).waitFor();
  expect(await bob.row(message).count()).toBe(1);
  expect(await bob.page.locator('.feed').getByText('Ada Lovelace').count()).toBe(0);
  await ada.json('PATCH', '/me', { name: 'Ada Lovelace' });
  await page.locator('.me', { hasText: 'Ada Lovelace' }).waitFor();
  expect(problems).toEqual([]);
  await context.close();
  await bob.leave();
});

test('shows the e-mail address, role and time zone in the profile', async () => {
  const { page, problems, context } = await openSettings('profile', ada);
  const facts = page.locator('.profile-facts');
  for (const text of [ada.user.email, 'Member', 'Europe/Berlin, UTC+']) {
    await facts.getByText(text).first().waitFor();
  }
  expect(problems).toEqual([]);
  await context.close();
});

test('warns that changing the password signs the user out everywhere else, and does so', async () => {
  const caller = await signIn(team.hub, team.bob.user);
  const [other, token] = [await signIn(team.hub, team.bob.user), await tokenOf(team.hub, team.bob.user)];
  const { page, problems, context } = await openSettings('profile', caller);
  expect(await page.getByRole('checkbox', { name: 'Also revoke all my access tokens' }).isChecked()).toBe(true);
  await page.getByText('This signs you out of all other browsers').waitFor();
  await page.getByLabel('Current password', { exact: true }).fill('not it');
  await page.getByLabel('New password', { exact: true }).fill(team.bob.user.email);
  await page.keyboard.press('Enter');
  await page.getByText('Your password can’t be your e-mail address.').waitFor();
  await page.getByLabel('New password', { exact: true }).fill('something quite new');
  await page.keyboard.press('Enter');
  await page.getByText('The current password is incorrect. Enter the password you sign in with.').waitFor();
  expect(await page.locator('#own-password ~ form [aria-invalid="true"]').getAttribute('id')).toBe('current');
  await page.getByLabel('Current password', { exact: true }).fill(team.bob.user.password);
  await page.keyboard.press('Enter');
  await page.getByText('Password changed. You’re signed out everywhere else, and your access tokens').waitFor();
  for (const each of [other, token]) expect((await each.json('GET', '/me')).status).toBe(401);
  // The current session continues, with live updates.
  await team.message(team.ada, 'Still there?');
  await page.waitForFunction(() => document.title.startsWith('(1) '));
  expect(await page.locator('dialog').count()).toBe(0);
  team.bob.user.password = 'something quite new';
  expect(problemsBut401(problems).filter((problem) => !problem.includes('status of 400'))).toEqual([]);
  await context.close();
});

test('says at the current password that it was wrong too often', async () => {
  await using own = await startBackdatedTeam();
  const grace = own.ada;
  const wrong = { currentPassword: 'a wrong guess', newPassword: 'something quite new' };
  for (let n = 0; n < 20; n += 1) await settleDelayed(own.clock, grace.json('PUT', '/me/password', wrong));
  const { page, context } = await testSession(browser, own.hub, { caller: grace });
  await page.goto('/settings/profile');
  await page.getByLabel('Current password', { exact: true }).fill('a wrong guess');
  await page.getByLabel('New password', { exact: true }).fill('something quite new');
  await page.keyboard.press('Enter');
  await page.getByText('Too many failed password attempts').waitFor();
  expect(await page.locator('#own-password ~ form [aria-invalid="true"]').getAttribute('id')).toBe('current');
  await context.close();
});

test('ends all other sessions with one button, and lists the current one first', async () => {
  const grace = await signedIn(team.hub, { name: 'Grace' });
  const others = [await signIn(team.hub, grace.user), await signIn(team.hub, grace.user)];
  const { page, problems, context } = await openSettings('sessions', grace);
  await page.locator('.sessions li').nth(2).waitFor();
  expect(await page.locator('.sessions li').first().textContent()).toContain('This browser');
  await page.getByRole('button', { name: 'Sign out of 2 other sessions' }).click();
  await page.getByRole('heading', { name: 'You’re only signed in here' }).waitFor();
  for (const other of others) expect((await other.json('GET', '/me')).status).toBe(401);
  expect((await grace.json('GET', '/me')).status).toBe(200);
  const last = await signIn(team.hub, grace.user);
  await page.reload();
  await page.getByRole('button', { name: /^Sign out / }).click();
  await page.getByRole('heading', { name: 'You’re only signed in here' }).waitFor();
  expect((await last.json('GET', '/me')).status).toBe(401);
  expect(problems).toEqual([]);
  await context.close();
});
