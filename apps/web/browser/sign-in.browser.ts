import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { axeInBothThemes } from '@hub/testkit/browser/axe';
import { cookieOf, testBrowser, testSession } from '@hub/testkit/browser/browser';
import { problemsBut401 } from '@hub/testkit/browser/problems';
import { startTeam } from '@hub/testkit/in-process/team';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { adminJson, signIn, type UserCaller } from '@hub/testkit/in-process/users';
import type { Browser, Locator, Page, WebSocketRoute } from 'playwright-core';

let browser: Browser;
let team: Awaited<ReturnType<typeof startTeam>>;
beforeAll(async () => {
  browser = await testBrowser();
  team = await startTeam();
});
// Ended sessions count as failed attempts: after ten without a quiet minute, responses would wait for the test's clock.
beforeEach(() => team.hub.clock.advance(61_000));
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

test('signing in leads to the requested page; signing out ends the session', async () => {
  const { page, problems, context } = await testSession(browser, team.hub);
  await page.goto(`/hubs/${team.hubId}/todos?status=open`);
  await page.getByRole('heading', { name: 'Hub', exact: true }).waitFor();
  await page.locator('#email:focus').waitFor();
  await typeIn(page, team.ada.user);
  await page.locator('h1', { hasText: 'Releases' }).waitFor();
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(`/hubs/${team.hubId}/todos?status=open`);
  await page.locator('.me').click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('E-mail').waitFor();
  await page.reload();
  await page.getByLabel('E-mail').waitFor();
  expect(await page.locator('.app').count()).toBe(0);
  // A signed-out page sends no request that would be rejected.
  expect(problems).toEqual([]);
  await context.close();
});

test('a wrong password shows an error in the form and keeps what was typed', async () => {
  const { page, problems, context } = await testSession(browser, team.hub);
  await page.goto('/');
  await typeIn(page, { email: team.ada.user.email, password: 'not it' });
  const problem = page.getByRole('alert');
  await problem.filter({ hasText: /\w/ }).waitFor();
  expect(await page.getByLabel('E-mail').inputValue()).toBe(team.ada.user.email);
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('not it');
  await page.getByRole('button', { name: 'Show password' }).click();
  expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text');
  await page.getByLabel('Password', { exact: true }).fill(team.ada.user.password);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/stream');
  expect(problemsBut401(problems)).toEqual([]);
  await context.close();
});

test('the sign-in page shows the workspace name only in a browser where a user has signed in before', async () => {
  await using team = await startTeam();
  const caller = await signIn(team.hub, team.ada.user);
  const { page, context } = await testSession(browser, team.hub, { caller });
  await page.goto('/stream');
  await page.locator('.me').waitFor();
  await adminJson(team.hub, 'PATCH', '/workspace', { name: 'Workshop' });
  await page.locator('.workspace', { hasText: 'Workshop' }).waitFor();
  await context.clearCookies();
  await page.reload();
  await page.getByRole('heading', { name: 'Workshop' }).waitFor();
  await context.close();
});

/** Returns the left edge of the element's text, without padding. */
const textLeft = (locator: Locator) =>
  locator.evaluate((element) => {
    const text = document.createRange();
    text.selectNodeContents(element);
    return text.getBoundingClientRect().left;
  });

test('a page whose session is ended elsewhere asks the user to sign in again and keeps what was typed', async () => {
  const caller = await signIn(team.hub, team.ada.user);
  const { page, problems, context } = await testSession(browser, team.hub, { caller });
  await page.goto(`/hubs/${team.hubId}`);
  await page.locator('textarea').fill('half a thought');
  await caller.json('DELETE', '/session');
  const dialog = page.getByRole('dialog', { name: 'Your session ended' });
  await dialog.waitFor();
  expect(await page.locator('.app').isVisible()).toBe(false);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  expect(await dialog.isVisible()).toBe(true);
  expect(await textLeft(dialog.getByRole('button', { name: /^Discard drafts/ }))).toBeCloseTo(
    await textLeft(dialog.getByText('Sign in to continue')),
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

test('after a session ends while there is no connection, signing in again resumes live updates', async () => {
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
  // The page may already have noticed that the session ended; the dialog then covers the link.
  await page.locator('a.tab[href$="/notes"]').dispatchEvent('click');
  await page.getByRole('dialog', { name: 'Your session ended' }).waitFor();
  const missed = await team.message(team.bob, 'Written in the meantime');
  await page.getByLabel('Password', { exact: true }).fill(team.ada.user.password);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  isCut = false;
  await page.getByRole('link', { name: 'Conversation' }).click();
  await page.locator(`[id="${missed.id}"]`).waitFor();
  await team.message(team.bob, 'And live once more');
  await page.getByText('And live once more').waitFor();
  await context.close();
});

test('a tab that missed the end of its session does not go on as the next user', async () => {
  const caller = await signIn(team.hub, team.ada.user);
  const { page, context } = await testSession(browser, team.hub, { caller });
  await page.routeWebSocket('**/api/v1/live', () => {});
  await page.goto(`/hubs/${team.hubId}`);
  await page.locator('textarea').fill('a thought of Ada');
  await caller.json('DELETE', '/session');
  // As on the page of an invitation link, this sign-in is not by the app.
  const { email, password } = team.bob.user;
  const { origin } = new URL(page.url());
  await context.request.post(`${origin}/api/v1/session`, { data: { email, password }, headers: { origin } });
  const other = await context.newPage();
  await other.goto('/stream');
  await other.locator('.me', { hasText: 'Bob Kahn' }).waitFor();
  await page.locator('.me', { hasText: 'Bob Kahn' }).waitFor();
  expect(await page.locator('textarea').count()).toBe(0);
  await context.close();
});

test("a page that missed another user's sign-in neither shows that user's data nor sends anything as them", async () => {
  const caller = await signIn(team.hub, team.ada.user);
  const { page, context } = await testSession(browser, team.hub, { caller });
  await page.routeWebSocket('**/api/v1/live', () => {});
  const isSignedIn = Promise.withResolvers<void>();
  await page.route('**/api/v1/me', (route) => isSignedIn.promise.then(() => route.continue()), { times: 1 });
  const startOver = () => page.waitForEvent('framenavigated');
  // In one step, since requests that are still under way would otherwise find no session.
  const switchUser = (user: UserCaller) => context.addCookies([cookieOf(user, team.hub)]);
  const bob = await signIn(team.hub, team.bob.user);
  await page.goto(`/hubs/${team.hubId}`);
  await page.locator('textarea').fill('a thought of Ada');
  let over = startOver();
  await switchUser(bob);
  isSignedIn.resolve();
  await over;
  await page.locator('.me', { hasText: 'Bob Kahn' }).waitFor();

  await switchUser(caller);
  await page.goto(`/hubs/${team.hubId}`);
  await page.locator('.me', { hasText: 'Ada Lovelace' }).waitFor();
  expect(await page.locator('textarea').inputValue()).toBe('a thought of Ada');
  await page.locator('textarea').focus();
  over = startOver();
  await switchUser(bob);
  await page.keyboard.press('Enter');
  await over;
  await page.locator('.me', { hasText: 'Bob Kahn' }).waitFor();
  const { body } = await team.ada.json<{ items: { text: string }[] }>('GET', `/hubs/${team.hubId}/messages`);
  expect(body.items.map(({ text }) => text)).not.toContain('a thought of Ada');
  await context.close();
});

test("another user who signs in afterwards sees nothing from the previous user's pages", async () => {
  const caller = await signIn(team.hub, team.ada.user);
  const { page, context } = await testSession(browser, team.hub, { caller });
  await page.goto(`/hubs/${team.hubId}`);
  await page.locator('textarea').fill('a thought of Ada');
  await caller.json('DELETE', '/session');
  await page.getByRole('dialog', { name: 'Your session ended' }).waitFor();
  await typeIn(page, team.bob.user);
  await page.locator('.me', { hasText: 'Bob Kahn' }).waitFor();
  expect(await page.locator('dialog').count()).toBe(0);
  await context.close();
});
