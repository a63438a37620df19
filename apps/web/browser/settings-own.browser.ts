import { expect, test } from 'bun:test';
import { expectAccessible } from '@hub/testkit/browser/axe';
import { startBackdatedTeam, teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { enter, focusIs, gone, seen } from '@hub/testkit/browser/steps';
import { pngOf } from '@hub/testkit/in-process/images';
import { signedIn, signIn, tokenOf } from '@hub/testkit/in-process/users';
import type { Page } from 'playwright-core';

const { team, session, open, openHub } = await teamSessions(startBackdatedTeam(), {
  expected: /status of 40[0134]|ERR_FAILED/,
});
const { ada, hub } = team;

const PHOTO = Buffer.from(pngOf({ width: 900, height: 300, colour: [200, 40, 40] }));
const pick = (page: Page, buffer: Buffer) =>
  page.locator('.avatar-field input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
/** Waits until an avatar is shown. An avatar that failed to load has no width. */
const isDrawn = (page: Page, selector: string) =>
  page.waitForFunction((found) => {
    const image = document.querySelector<HTMLImageElement>(`${found} img`);
    return image?.complete === true && image.naturalWidth === 256;
  }, selector);

test('an avatar is previewed, saved and removed, and a name changed, which others see at once, even on earlier messages; errors keep the current ones', async () => {
  const message = await team.message(ada, 'Who am I?');
  const bob = await openHub(team.bob);
  const page = await open(ada, '/settings/profile');
  expect(await page.locator('.avatar-field .avatar').textContent()).toBe('AL');
  await pick(page, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
  await page.getByRole('alert').filter({ hasText: 'can’t read this image' }).waitFor();
  await pick(page, PHOTO);
  await page.getByRole('img', { name: 'Avatar preview' }).waitFor();
  await focusIs(page, 'Save avatar');
  await page.route('**/api/v1/me/avatar', (route) => route.abort(), { times: 1 });
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'Can’t reach the server' }).waitFor();
  expect((await ada.fetch(`/api/v1/users/${ada.user.id}/avatar`)).status).toBe(404);
  await page.getByRole('button', { name: 'Save avatar' }).click();
  for (const selector of ['.avatar-field .avatar', '.side-foot .avatar']) await isDrawn(page, selector);
  await isDrawn(bob.page, `[data-row="${message.id}"] .avatar`);
  const kept = await team.bob.fetch(`/api/v1/users/${ada.user.id}/avatar`);
  expect([kept.headers.get('content-type'), (await kept.bytes()).length < 20_000]).toEqual(['image/webp', true]);
  await page.getByRole('button', { name: 'Remove' }).click();
  await gone(page.locator('.avatar-field .avatar img'), bob.row(message).locator('.avatar img'));

  const named = await team.message(ada, 'What am I called?');
  const name = page.getByRole('textbox', { name: 'Name' });
  await enter(name, 'Ada King');
  await seen(page.locator('.me', { hasText: 'Ada King' }), bob.page.locator('.feed', { hasText: 'Ada King' }));
  expect(await bob.row(named).count()).toBe(1);
  expect(await bob.page.locator('.feed').getByText('Ada Lovelace').count()).toBe(0);
});

test('a changed password ends the other sessions and tokens, and errors appear at their fields', async () => {
  const caller = await signIn(hub, team.bob.user);
  const [other, token] = [await signIn(hub, team.bob.user), await tokenOf(hub, team.bob.user)];
  const page = await open(caller, '/settings/profile');
  expect(await page.getByRole('checkbox', { name: 'Also revoke all my access tokens' }).isChecked()).toBe(true);
  await page.getByText('This signs you out of all other browsers').waitFor();
  const [current, next] = [
    page.getByLabel('Current password', { exact: true }),
    page.getByLabel('New password', { exact: true }),
  ];
  await current.fill('not it');
  await enter(next, team.bob.user.email);
  await page.getByText('Your password can’t be your e-mail address.').waitFor();
  await enter(next, 'something quite new');
  await page.getByText('The current password is incorrect. Enter the password you sign in with.').waitFor();
  expect(await page.locator('#own-password ~ form [aria-invalid="true"]').getAttribute('id')).toBe('current');
  await enter(current, team.bob.user.password);
  await page.getByText('Password changed. You’re signed out everywhere else, and your access tokens').waitFor();
  for (const each of [other, token]) expect((await each.json('GET', '/me')).status).toBe(401);
  // The current session continues, with live updates.
  await team.message(team.ada, 'Still there?');
  await page.waitForFunction(() => /^\(\d+\) /.test(document.title));
  expect(await page.locator('dialog').count()).toBe(0);
});

test('sessions are listed with the current one first, and all others end with one button; a token is created by keyboard, copied, listed without its secret and revoked, and leaves no trace; a device login is confirmed by typing its code, which says where it comes from, or denied', async () => {
  const grace = await signedIn(hub, { name: 'Grace Hopper' });
  const others = [await signIn(hub, grace.user), await signIn(hub, grace.user)];
  const page = await open(grace, '/settings/sessions');
  await page.locator('.sessions li').nth(2).waitFor();
  expect(await page.locator('.sessions li').first().textContent()).toContain('This browser');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Sign out of 2 other sessions' }).click();
  await page.getByRole('heading', { name: 'You’re only signed in here' }).waitFor();
  for (const other of others) expect((await other.json('GET', '/me')).status).toBe(401);
  expect((await grace.json('GET', '/me')).status).toBe(200);

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('link', { name: 'Access tokens' }).click();
  await page.getByRole('heading', { name: 'No tokens yet' }).waitFor();
  await page.getByRole('button', { name: 'New token' }).press('Enter');
  const create = page.getByRole('button', { name: 'Create token' });
  await create.click();
  await page.getByText('Enter a name.').waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('old laptop');
  await expectAccessible(page);
  await page.getByLabel('90 days').check();
  await create.click();
  const secret = page.locator('.secret code');
  const token = (await secret.textContent()) ?? '';
  expect([token.startsWith('hub_pat_'), (await me(token)).status]).toEqual([true, 200]);
  await page.getByText(`hubctl login ${new URL(hub.url).origin} --with-token`, { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Close without saving the token?' });
  await question.getByRole('button', { name: 'Go back' }).click();
  await page.getByRole('button', { name: 'Copy token' }).click();
  await page.getByRole('button', { name: 'Copied token' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.locator('.settings tbody tr').textContent()).toMatch(new RegExp(`hub_pat_…${token.slice(-4)}.*`));
  expect([await staysIn(page, token), new URL(page.url()).pathname]).toEqual([false, '/settings/tokens']);

  await page.getByRole('button', { name: /^Revoke old laptop/ }).press('Enter');
  await focusIs(page, 'Cancel');
  await page.getByRole('button', { name: 'Revoke token' }).click();
  await page.getByRole('heading', { name: 'No tokens yet' }).waitFor();
  expect((await me(token)).status).toBe(401);
  await expectDeviceLogins(page);
});

const me = (token: string) => hub.fetch('/api/v1/me', { headers: { authorization: `Bearer ${token}` } });
/** Returns whether a string is left in the page, its storage or its URL. */
const staysIn = (page: Page, text: string) =>
  page.evaluate(
    (sought) =>
      [
        document.documentElement.outerHTML,
        ...[...document.querySelectorAll('input, textarea')].map((field) => (field as HTMLInputElement).value),
        JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]),
        location.href,
      ].some((content) => content.includes(sought)),
    text,
  );

test('long after signing in, a token needs the password again, also if the dialog that asks for it cannot be loaded', async () => {
  const caller = await signedIn(hub);
  for (const [name, lifetimeSeconds] of Object.entries({ soon: 3 * 86_400, over: 60 }))
    await caller.json('POST', '/me/tokens', { name, lifetimeSeconds });
  const { page } = await session(caller);
  await page.clock.setFixedTime(hub.clock.now() + 120_000);
  await page.goto('/settings/tokens');
  const row = (name: string) =>
    page.locator('.settings tbody tr').filter({ has: page.getByText(name, { exact: true }) });
  await seen(row('soon').getByText('Expires in 3 days'), row('over').getByText('Expired'));
  hub.clock.advance(16 * 60_000);
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await page.route('**/app/*.js', (route) => route.abort());
  await page.getByRole('button', { name: 'New token' }).click();
  const name = page.getByRole('textbox', { name: 'Name' });
  await enter(name, 'hubctl');
  await dialog.getByRole('button', { name: 'Reload page' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('alert').filter({ hasText: 'Confirm your password first' }).waitFor();
  expect(await name.inputValue()).toBe('hubctl');
  await page.unroute('**/app/*.js');
  await page.goto('/settings/tokens');
  await page.getByRole('button', { name: 'New token' }).click();
  await enter(name, 'hubctl');
  await enter(dialog.getByLabel('Password', { exact: true }), 'a wrong one');
  await dialog.getByRole('alert').filter({ hasText: 'The password is incorrect' }).waitFor();
  await enter(dialog.getByLabel('Password', { exact: true }), caller.user.password);
  expect((await me((await page.locator('.secret code').textContent()) ?? '')).status).toBe(200);
});

/** Confirms and denies logins of devices by their codes. */
async function expectDeviceLogins(page: Page): Promise<void> {
  const start = () => hub.admin.request('POST /device-logins', { body: { name: 'hubctl on laptop' } });
  const poll = async ({ deviceCode }: { deviceCode: string }) =>
    (await hub.admin.request('POST /device-logins/poll', { body: { deviceCode } })).state;
  const [approved, denied] = [await start(), await start()];
  const code = page.getByRole('textbox', { name: 'Code from your device' });
  for (const [login, button, text, state] of [
    [denied, 'It wasn’t me', 'hubctl on laptop was not let in.', 'denied'],
    [approved, 'Log in device', 'hubctl on laptop is logged in.', 'approved'],
  ] as const) {
    await page.goto('/settings/device');
    await enter(code, 'bcdf ghjk');
    await page.getByText('No login waits for this code').waitFor();
    await enter(code, login.userCode.toLowerCase());
    await page.getByRole('heading', { name: 'Log in “hubctl on laptop”?' }).waitFor();
    await page.getByText('Reads, writes and manages everything that you can').waitFor();
    // A stray Enter lets nobody in.
    await focusIs(page, 'It wasn’t me');
    if (login === denied) await expectAccessible(page);
    await page.getByRole('button', { name: button }).press('Enter');
    await page.getByText(text).waitFor();
    expect(await poll(login)).toBe(state);
  }
  await page.getByRole('link', { name: 'Your access tokens' }).click();
  await page.getByRole('cell', { name: /^hubctl on laptop/ }).waitFor();
}
