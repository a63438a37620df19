import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Browser, Locator, Page, WebSocketRoute } from 'playwright-core';
import { startTestHub } from '../../api/src/testing/start-test-hub.ts';
import { startTeam } from '../../api/src/testing/team.ts';
import { signIn } from '../../api/src/testing/users.ts';
import { axeInBothThemes } from './axe.ts';
import { startBrowser, testSession } from './browser.ts';
import { problemsBut401 } from './problems.ts';

let browser: Browser;
let team: Awaited<ReturnType<typeof startTeam>>;
beforeAll(async () => {
  browser = await startBrowser();
  team = await startTeam();
});
afterAll(async () => {
  await browser.close();
  await team[Symbol.asyncDispose]();
});

async function typeIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
}

test('a server without an owner points to the setup link, and offers no sign-in that cannot work', async () => {
  await using hub = await startTestHub();
  const { page, problems, context } = await testSession(browser, hub);
  await page.goto('/stream');
  await page.getByText('This server has no owner yet.').waitFor();
  await page.getByText('hubctl setup-link').waitFor();
  expect(await page.getByLabel('E-mail').count()).toBe(0);
  expect(await axeInBothThemes(page)).toEqual([]);
  expect(problems).toEqual([]);
  await context.close();
});

test('the way in leads to where one wanted to go; out is out', async () => {
  const { page, problems, context } = await testSession(browser, team.hub);
  await page.goto(`/hubs/${team.hubId}/todos?status=open`);
  await page.getByRole('heading', { name: 'Hub', exact: true }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('email');
  await typeIn(page, team.ada.user);
  await page.locator('h1', { hasText: 'Releases' }).waitFor();
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(`/hubs/${team.hubId}/todos?status=open`);
  await page.locator('.me').click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('E-mail').waitFor();
  await page.reload();
  await page.getByLabel('E-mail').waitFor();
  expect(await page.locator('.app').count()).toBe(0);
  // Nothing is asked that would be refused to who is not signed in.
  expect(problems).toEqual([]);
  await context.close();
});

test('a wrong password is said in place, and what was typed stays', async () => {
  const { page, problems, context } = await testSession(browser, team.hub);
  await page.goto('/');
  await typeIn(page, { email: team.ada.user.email, password: 'not it' });
  const problem = page.getByRole('alert');
  await problem.filter({ hasText: /\w/ }).waitFor();
  expect(await page.getByLabel('E-mail').inputValue()).toBe(team.ada.user.email);
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('not it');
  await page.getByRole('button', { name: 'Show the password' }).click();
  expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text');
  await page.getByLabel('Password', { exact: true }).fill(team.ada.user.password);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/stream');
  expect(problemsBut401(problems)).toEqual([]);
  await context.close();
});

test('the name of the workspace is told to nobody, and known where somebody has signed in', async () => {
  const caller = await signIn(team.hub, team.ada.user);
  const { page, context } = await testSession(browser, team.hub, { caller });
  await page.goto('/stream');
  await page.locator('.me').waitFor();
  await page.evaluate(() => localStorage.setItem('hub.workspace', 'Workshop'));
  await context.clearCookies();
  await page.reload();
  await page.getByRole('heading', { name: 'Workshop' }).waitFor();
  await context.close();
});

/** Where the words themselves begin, whatever is around them. */
const textLeft = (locator: Locator) =>
  locator.evaluate((element) => {
    const text = document.createRange();
    text.selectNodeContents(element);
    return text.getBoundingClientRect().left;
  });

test('a session that ends elsewhere asks to sign in again, and what was typed is still there', async () => {
  const caller = await signIn(team.hub, team.ada.user);
  const { page, problems, context } = await testSession(browser, team.hub, { caller });
  await page.goto(`/hubs/${team.hubId}`);
  await page.locator('textarea').fill('half a thought');
  await caller.json('DELETE', '/session');
  const dialog = page.getByRole('dialog', { name: 'You were signed out' });
  await dialog.waitFor();
  expect(await page.locator('.app').isVisible()).toBe(false);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  expect(await dialog.isVisible()).toBe(true);
  expect(await textLeft(dialog.getByRole('button', { name: /^Delete what was typed/ }))).toBeCloseTo(
    await textLeft(dialog.getByText('Your session has ended.')),
    0,
  );
  expect(await page.getByLabel('E-mail').inputValue()).toBe(team.ada.user.email);
  const missed = await team.message(team.bob, 'Written while you were away');
  await typeIn(page, team.ada.user);
  await dialog.waitFor({ state: 'detached' });
  expect(await page.locator('textarea').inputValue()).toBe('half a thought');
  await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
  await page.locator(`[id="${missed.id}"]`).waitFor();
  await team.message(team.bob, 'And live again');
  await page.getByText('And live again').waitFor();
  expect(problemsBut401(problems)).toEqual([]);
  await context.close();
});

test('after a session that ended while there was no connection, one follows as before', async () => {
  const caller = await signIn(team.hub, team.ada.user);
  const { page, context } = await testSession(browser, team.hub, { caller });
  const sockets: WebSocketRoute[] = [];
  let isCut = false;
  await page.routeWebSocket('**/api/v1/live', (socket) => {
    if (isCut) socket.close();
    else sockets.push(socket.connectToServer() && socket);
  });
  await page.goto(`/hubs/${team.hubId}`);
  await team.message(team.bob, 'Is anybody there?');
  await page.getByText('Is anybody there?').waitFor();
  isCut = true;
  for (const socket of sockets) await socket.close();
  await page.locator('.connection-toast').waitFor();
  await caller.json('DELETE', '/session');
  // The page may have found out by itself, and cover the link.
  await page.locator('a.tab[href$="/notes"]').dispatchEvent('click');
  await page.getByRole('dialog', { name: 'You were signed out' }).waitFor();
  const missed = await team.message(team.bob, 'Written while nobody was there');
  await page.getByLabel('Password', { exact: true }).fill(team.ada.user.password);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  isCut = false;
  await page.getByRole('link', { name: 'Conversation' }).click();
  await page.locator(`[id="${missed.id}"]`).waitFor();
  await team.message(team.bob, 'And here one is again');
  await page.getByText('And here one is again').waitFor();
  await context.close();
});

test('somebody else who signs in then sees nothing of what was there', async () => {
  const caller = await signIn(team.hub, team.ada.user);
  const { page, context } = await testSession(browser, team.hub, { caller });
  await page.goto(`/hubs/${team.hubId}`);
  await page.locator('textarea').fill('a thought of Ada');
  await caller.json('DELETE', '/session');
  await page.getByRole('dialog', { name: 'You were signed out' }).waitFor();
  await typeIn(page, team.bob.user);
  await page.locator('.me', { hasText: 'Bob Kahn' }).waitFor();
  expect(await page.locator('dialog').count()).toBe(0);
  await context.close();
});
