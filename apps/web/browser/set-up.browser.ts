import { expect, test } from 'bun:test';
import { expectAccessible } from '@hub/testkit/browser/axe';
import { testBrowser, testSession } from '@hub/testkit/browser/browser';
import { teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { enter, seen } from '@hub/testkit/browser/steps';
import { startTeam } from '@hub/testkit/in-process/team';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { tokenOf } from '@hub/testkit/in-process/users';

const { team, open } = await teamSessions(startTeam(), { expected: /status of 40[0134]|ERR_FAILED/ });

/** Creates a link as the local admin. */
async function linkOf(hub: TestHub, path: string, body?: object): Promise<string> {
  const response = await hub.admin.raw('POST', path, body);
  return ((await response.json()) as { link: string }).link;
}

test('a setup link creates the owner and leads to the first Hub, which shows what to do next', async () => {
  await using hub = await startTestHub();
  const link = await linkOf(hub, '/setup-link');
  const { page, context } = await testSession(await testBrowser(), hub);
  // Until then, no sign-in that cannot work is offered.
  await page.goto('/stream');
  await seen(page.getByText('This server has no owner yet.'), page.getByText('hubctl setup-link'));
  expect(await page.getByLabel('E-mail').count()).toBe(0);
  await expectAccessible(page);
  await page.goto(link);
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByText('Enter your name.').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Your name').fill('Mara Lindqvist');
  await page.getByLabel('E-mail').fill('mara@example.org');
  await page.getByLabel('Password', { exact: true }).fill('a good long one');
  await page.getByLabel('Workspace name').fill('Northwind');
  await page.getByLabel('First Hub').fill('Deploys');
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.waitForURL('**/hubs/hub_*');
  await seen(page.locator('h1', { hasText: 'Deploys' }), page.getByRole('heading', { name: 'No posts yet' }));
  await page.locator('.workspace', { hasText: 'Northwind' }).waitFor();
  expect(page.url()).not.toContain('hub_lnk_');
  await page.goto(link);
  await page.getByText('This link doesn’t work').waitFor();
  await context.close();
});

test('an invitation creates an account that is signed in and can post in its Hub', async () => {
  const link = await linkOf(team.hub, '/invitations', { email: 'new@example.org', hubIds: [team.hubId] });
  const page = await open(null, link);
  expect(await page.getByLabel('E-mail').inputValue()).toBe('new@example.org');
  await page.getByLabel('Your name').fill('Nia N.');
  await page.getByLabel('Password', { exact: true }).fill('a good long one');
  await page.getByRole('button', { name: 'Join' }).click();
  await page.waitForURL('**/stream');
  await page.getByText('Welcome to Hub, Nia N.', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Releases' }).first().click();
  await page.waitForURL(`**/hubs/${team.hubId}`);
  const text = page.getByRole('textbox', { name: 'Message to' });
  await enter(text, 'Hello, all');
  await page.locator('.msg[id]', { hasText: 'Hello, all' }).waitFor();
  await page.goto(link);
  await page.getByText('This link doesn’t work').waitFor();
  await page.getByRole('link', { name: 'sign in' }).click();
  await page.waitForURL('**/stream');
});

test('a reset link sets a new password and ends all other sessions', async () => {
  const old = await open(team.bob, `/hubs/${team.hubId}`);
  await old.locator('.me').waitFor();
  const token = await tokenOf(team.hub, team.bob.user);
  const page = await open(null, await linkOf(team.hub, `/users/${team.bob.user.id}/password-reset`));
  await page.getByLabel('New password', { exact: true }).fill('Summer2024!');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('New password is too easy to guess: it is based on a season, month or weekday.').waitFor();
  await expectAccessible(page);
  expect(await page.getByRole('checkbox', { name: 'Also revoke all access tokens' }).isChecked()).toBe(true);
  await page.getByLabel('New password', { exact: true }).fill('another long one');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.waitForURL('**/stream');
  await page.getByText('Password changed.').waitFor();
  expect((await token.json('GET', '/me')).status).toBe(401);
  await old.getByRole('dialog', { name: 'Your session ended' }).waitFor();
  await enter(old.getByLabel('Password', { exact: true }), 'another long one');
  await old.getByRole('dialog').waitFor({ state: 'detached' });
});

test('the chosen theme applies from the first paint', async () => {
  const page = await open(team.ada, '/settings/appearance');
  await page.getByRole('button', { name: 'Dark' }).click();
  await page.locator('html[data-theme="dark"]').waitFor();
  // Checks the theme before the app has loaded.
  await page.route('**/app/main-*.js', (route) => route.abort());
  await page.goto('/stream');
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark');
});
