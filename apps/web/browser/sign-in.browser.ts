import { beforeEach, expect, test } from 'bun:test';
import { expectAccessible } from '@hub/testkit/browser/axe';
import { cookieOf, testBrowser, testSession } from '@hub/testkit/browser/browser';
import { teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { enter, failWrites, holdBack, press, seen, show, signInAt } from '@hub/testkit/browser/steps';
import { startIdentityProvider } from '@hub/testkit/in-process/identity-provider';
import { linkIn, startMailServer } from '@hub/testkit/in-process/mail-server';
import { startTeam } from '@hub/testkit/in-process/team';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { createUser, signIn, type UserCaller } from '@hub/testkit/in-process/users';
import type { BrowserContext, Page } from 'playwright-core';

const { team, open, session } = await teamSessions(startTeam(), { expected: /status of 401|ERR_FAILED/ });
// Ended sessions count as failed attempts: after ten without a quiet minute, responses would wait for the test's clock.
beforeEach(() => team.hub.clock.advance(61_000));

const isUser = (page: Page, name: string) => page.locator('.me', { hasText: name }).waitFor();
const ended = (page: Page) => page.getByRole('dialog', { name: 'Your session ended' });

/** Opens the Hub as Ada in a session that the test may end. */
async function openAsAda(at = '') {
  const caller = await signIn(team.hub, team.ada.user);
  const own = await session(caller);
  await own.page.goto(`/hubs/${team.hubId}${at}`);
  await own.page.locator('.me').waitFor();
  return { ...own, caller };
}

test('a provider signs in, says why not, accepts an invitation, and confirms changes', async () => {
  const provider = startIdentityProvider();
  await using hub = await startTestHub({ provider: provider.settings });
  using _ = await provider.serve(hub.url);
  await createUser(hub, { name: 'Olga Owner', role: 'owner' });
  const { page, context } = await testSession(await testBrowser(), hub);
  const withProvider = page.getByRole('link', { name: 'Sign in with Example ID' });
  await page.goto('/todos?status=open');
  await withProvider.click();
  await page.getByRole('alert').filter({ hasText: 'You canceled signing in.' }).waitFor();
  provider.current = { sub: 'ada', email: 'ada@example.org', email_verified: true, name: 'Ada Lovelace' };
  await withProvider.click();
  await seen(page.getByRole('alert').filter({ hasText: 'You have no account here.' }), page.getByLabel('E-mail'));

  const invitation = await hub.admin.raw('POST', '/invitations', { email: 'ada@example.org', role: 'admin' });
  await page.goto(((await invitation.json()) as { link: string }).link);
  await page.getByRole('link', { name: 'Join with Example ID' }).click();
  await isUser(page, 'Ada Lovelace');
  hub.clock.advance(16 * 60_000);
  const createToken = async () => {
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Name', { exact: true }).fill('script');
    await page.getByRole('button', { name: 'Create token' }).click();
  };
  await page.goto('/settings/tokens');
  await createToken();
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await page.getByRole('heading', { name: 'No tokens yet' }).waitFor();
  await createToken();
  await page.getByText('hub_pat_').first().waitFor();
  await context.close();
});

test('the sign-in page opens the provider at once if it should, but not after signing out', async () => {
  const provider = startIdentityProvider();
  await using hub = await startTestHub({ provider: { ...provider.settings, oidcRedirect: 'on' } });
  using _ = await provider.serve(hub.url);
  const ada = await createUser(hub, { name: 'Ada Lovelace', email: 'ada@example.org', role: 'owner' });
  provider.current = { sub: 'ada', email: ada.email, email_verified: true };
  const { page, context } = await testSession(await testBrowser(), hub);
  await page.goto('/todos?status=open');
  await isUser(page, 'Ada Lovelace');
  expect(new URL(page.url()).pathname).toBe('/todos');
  await askToSignOut(page);
  await page.getByRole('link', { name: 'Sign in with Example ID' }).waitFor();
  await context.close();
});

test('links by e-mail replace a forgotten password and confirm a new address', async () => {
  await using server = await startMailServer();
  await using hub = await startTestHub({ mail: server.transport() });
  await createUser(hub, { role: 'owner' });
  const ada = await createUser(hub, { name: 'Ada Lovelace', email: 'ada@example.org' });
  const { page, context } = await testSession(await testBrowser(), hub);
  await page.goto('/');
  await page.getByLabel('E-mail').fill(ada.email);
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  expect(await page.getByLabel('E-mail').inputValue()).toBe(ada.email);
  await enter(page.getByLabel('E-mail'), ada.email);
  await page.getByText('If ada@example.org has an account with a password').waitFor();
  await expectAccessible(page);
  await hub.deps.mail?.sendDue();
  const { path, token } = linkIn(server.take(ada.email));
  await page.goto(`${path}#${token}`);
  await page.getByRole('textbox', { name: 'New password' }).fill('quite another one');
  await page.getByRole('button', { name: 'Set password' }).click();
  await isUser(page, 'Ada Lovelace');

  // She changes her address, and opens the link in the same browser.
  const address = page.getByLabel('E-mail', { exact: true });
  await show(page, '/settings/profile', address);
  await address.fill('lovelace@example.org');
  await page.getByRole('button', { name: 'Save address' }).click();
  await page.getByText('Open the link that was sent to lovelace@example.org').waitFor();
  expect(await page.getByText('Until then, sign in with ada@example.org.').count()).toBe(1);
  await hub.deps.mail?.sendDue();
  const confirmation = linkIn(server.take('lovelace@example.org'));
  await page.goto(`${confirmation.path}#${confirmation.token}`);
  await page.getByRole('button', { name: 'Confirm address' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Confirm address' }).click();
  await isUser(page, 'Ada Lovelace');
  await show(page, '/settings/profile', address);
  expect(await address.inputValue()).toBe('lovelace@example.org');
  await context.close();
});

test('signing in leads to the requested page, after a wrong password, too; signing out ends the session', async () => {
  const path = `/hubs/${team.hubId}/todos?status=open`;
  const page = await open(null, path);
  await seen(page.getByRole('heading', { name: 'Hub', exact: true }), page.locator('#email:focus'));
  await signInAt(page, { email: team.ada.user.email, password: 'not it' });
  await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor();
  await expectAccessible(page);
  expect(await page.getByLabel('E-mail').inputValue()).toBe(team.ada.user.email);
  await signInAt(page, team.ada.user);
  await page.locator('h1', { hasText: 'Releases' }).waitFor();
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(path);
  await page.locator('.me').click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('E-mail').waitFor();
  await page.reload();
  await page.getByLabel('E-mail').waitFor();
  expect(await page.locator('.app').count()).toBe(0);
});

test('a page whose session is ended elsewhere asks the user to sign in again and keeps what was typed, which can be discarded there; signing out asks even about a draft typed a moment ago, and deletes nothing if it fails', async () => {
  const { page, caller } = await openAsAda();
  await page.locator('textarea').fill('half a thought');
  await caller.json('DELETE', '/session');
  const dialog = ended(page);
  await dialog.waitFor();
  expect(await page.locator('.app').isVisible()).toBe(false);
  await press(page, 'Escape', 'Escape');
  expect(await dialog.isVisible()).toBe(true);
  await expectAccessible(page);
  expect(await page.getByLabel('E-mail').inputValue()).toBe(team.ada.user.email);
  const missed = await team.message(team.bob, 'Written while you were away');
  await signInAt(page, team.ada.user);
  await dialog.waitFor({ state: 'detached' });
  expect(await page.locator('textarea').inputValue()).toBe('half a thought');
  await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
  await page.locator(`[id="${missed.id}"]`).waitFor();
  await team.message(team.bob, 'And live again');
  await page.getByText('And live again').waitFor();

  await textOf(page).fill(SECRET);
  await page.evaluate(() => fetch('/api/v1/session', { method: 'DELETE' }));
  await ended(page).waitFor();
  await page.getByRole('button', { name: 'Discard drafts and start over' }).click();
  const startOver = page.getByRole('alertdialog', { name: 'Discard drafts and start over?' });
  await startOver.getByText('Starting over deletes 1 draft from this browser.').waitFor();
  await startOver.getByRole('button', { name: 'Start over' }).click();
  await page.getByRole('heading', { name: 'Hub', exact: true }).waitFor();
  expect(await page.getByLabel('E-mail').inputValue()).toBe('');
  expect(await keptIn(page)).not.toContain(SECRET);

  await signInAt(page, team.ada.user);
  await isUser(page, 'Ada Lovelace');
  await show(page, `/hubs/${team.hubId}`, '.main .composer');
  await textOf(page).fill('typed just now');
  await askToSignOut(page);
  await question(page).getByText('1 draft').waitFor();
  await page.route('**/api/v1/session', (route) => route.abort());
  await question(page).getByRole('button', { name: 'Sign out' }).click();
  await question(page).getByText('Not signed out. Can’t reach the server.').waitFor();
  expect(await keptIn(page)).toContain('typed just now');
  await page.unroute('**/api/v1/session');
  await question(page).getByRole('button', { name: 'Try again' }).click();
  await page.getByLabel('E-mail').waitFor();
  expect(await keptIn(page)).not.toContain('typed just now');
});

test('a tab that missed the end of its session does not go on as the next user', async () => {
  const caller = await signIn(team.hub, team.ada.user);
  const { page, context } = await session(caller);
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
  await isUser(other, 'Bob Kahn');
  await isUser(page, 'Bob Kahn');
  expect(await page.locator('textarea').count()).toBe(0);
});

test("a page that missed another user's sign-in neither shows that user's data nor sends anything as them", async () => {
  const caller = await signIn(team.hub, team.ada.user);
  const { page, context } = await session(caller);
  await page.routeWebSocket('**/api/v1/live', () => {});
  const signedIn = await holdBack(page, '**/api/v1/me', 1);
  const startOver = () => page.waitForEvent('framenavigated');
  // In one step, since requests that are still under way would otherwise find no session.
  const switchUser = (user: UserCaller) => context.addCookies([cookieOf(user, team.hub)]);
  const bob = await signIn(team.hub, team.bob.user);
  await page.goto(`/hubs/${team.hubId}`);
  await page.locator('textarea').fill('a thought of Ada');
  let over = startOver();
  await switchUser(bob);
  signedIn();
  await over;
  await isUser(page, 'Bob Kahn');
  await show(page, `/hubs/${team.hubId}`, '.main .composer');
  expect(await textOf(page).inputValue()).toBe('');

  await switchUser(caller);
  await page.goto(`/hubs/${team.hubId}`);
  await isUser(page, 'Ada Lovelace');
  expect(await page.locator('textarea').inputValue()).toBe('a thought of Ada');
  await page.locator('textarea').focus();
  over = startOver();
  await switchUser(bob);
  await page.keyboard.press('Enter');
  await over;
  await isUser(page, 'Bob Kahn');
  const { body } = await team.ada.json<{ items: { text: string }[] }>('GET', `/hubs/${team.hubId}/messages`);
  expect(body.items.map(({ text }) => text)).not.toContain('a thought of Ada');
});

test('signing in again in one tab lets all tabs continue and leaves no sign-in dialog open; signing out asks before it deletes drafts and unsent messages, and leaves none of it behind in any tab', async () => {
  const { page, context, caller } = await openAsAda();
  const other = await context.newPage();
  await other.goto(`/hubs/${team.hubId}`);
  await other.locator('.me').waitFor();
  await other.locator('textarea').fill('half a thought');
  await caller.json('DELETE', '/session');
  for (const tab of [page, other]) await ended(tab).waitFor();
  await signInAt(page, team.ada.user);
  for (const tab of [page, other]) await ended(tab).waitFor({ state: 'detached' });
  await team.message(team.bob, 'Welcome back, both of you');
  for (const tab of [page, other]) await tab.getByText('Welcome back, both of you').waitFor();
  expect(await other.locator('textarea').inputValue()).toBe('half a thought');

  // Signing out asks before it deletes drafts and unsent messages, and leaves none of it behind.
  await leaveTextEverywhere(page, context);
  await askToSignOut(page);
  await question(page).getByText('1 unsent message and 5 drafts').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await question(page).waitFor({ state: 'detached' });
  expect(await keptIn(page)).toContain(`note ${SECRET}`);
  await askToSignOut(page);
  await question(page).getByRole('button', { name: 'Sign out' }).click();
  for (const tab of [page, other]) {
    await tab.getByLabel('E-mail').waitFor();
    expect(new URL(tab.url()).pathname).toBe('/');
    expect(await keptIn(tab)).not.toContain(SECRET);
    expect(await tab.content()).not.toContain(SECRET);
  }
  await other.close();
  expect(await keptIn(page)).not.toContain(SECRET);
  await page.goBack();
  await page.getByLabel('E-mail').waitFor();
  expect(await page.content()).not.toContain(SECRET);
});

const SECRET = 'for nobody else';
const textOf = (page: Page) => page.getByRole('textbox', { name: 'Message to' });

async function askToSignOut(page: Page): Promise<void> {
  await page.locator('.me').click();
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
}

const question = (page: Page) => page.getByRole('alertdialog', { name: 'Sign out and discard drafts?' });

/** Returns everything in the browser's storage that scripts can read. */
async function keptIn(page: Page): Promise<string> {
  return page.evaluate(`(async () => {
    const caches = globalThis.caches ? await globalThis.caches.keys() : [];
    const databases = await indexedDB.databases();
    return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, name, document.cookie, caches, databases]);
  })()`);
}

/** Leaves a message draft, a reply draft, a to-do, a note, an edited note and an unsent message. */
async function leaveTextEverywhere(page: Page, context: BrowserContext): Promise<void> {
  const message = await team.message(team.bob, 'Shall we?');
  const note = await team.note(team.bob, { title: 'A note', content: 'words' });
  await failWrites(context, '**/api/v1/hubs/*/messages');
  await enter(textOf(page), `unsent ${SECRET}`);
  await page.getByRole('article', { name: 'Your message, not sent' }).waitFor();
  await textOf(page).fill(`draft ${SECRET}`);
  await show(page, `/hubs/${team.hubId}?open=${message.id}`, '#panel textarea');
  await page.locator('#panel textarea').fill(`reply ${SECRET}`);
  await show(page, `/hubs/${team.hubId}/todos`, '.add-row');
  await page.getByRole('textbox', { name: 'New to-do' }).fill(`to-do ${SECRET}`);
  await show(page, `/hubs/${team.hubId}/notes?open=${note.id}`, '#panel h2');
  await page.locator('#panel').getByRole('button', { name: 'Edit' }).click();
  await page.locator('#panel textarea').fill(`edit ${SECRET}`);
  await page.getByRole('button', { name: 'Write a note' }).click();
  await page.locator('main textarea').fill(`note ${SECRET}`);
}

test('a tab that had not loaded its code when another user signed in sends nothing of the previous one', async () => {
  const { page, context, caller } = await openAsAda();
  await page.evaluate(
    ([userId, hubId]) => {
      const unsent = { id: 'x', hubId, draftKey: hubId, at: new Date().toISOString(), failure: '' };
      const text = 'written by Ada, offline';
      localStorage.setItem(`hub.outbox.${userId}.x`, JSON.stringify({ ...unsent, text, state: 'waiting' }));
    },
    [team.ada.user.id, team.hubId],
  );
  const other = await context.newPage();
  const code = await holdBack(other, '**/app/main-*.js');
  await other.routeWebSocket('**/api/v1/live', () => {});
  // Its response would show the page whose session it has.
  await other.route('**/api/v1/me', () => {});
  const list = other.waitForResponse('**/messages?limit=50');
  await other.goto(`/hubs/${team.hubId}`, { waitUntil: 'commit' });
  await list;
  await caller.json('DELETE', '/session');
  await ended(page).waitFor();
  await signInAt(page, team.bob.user);
  await page.locator('.me', { hasText: 'Bob Kahn' }).waitFor();
  await page.close();
  const sent: string[] = [];
  other.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.url());
  });
  code();
  await other.getByRole('log').waitFor();
  await other.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  expect([await other.locator('.me').textContent(), sent]).toEqual([expect.stringContaining('Bob Kahn'), []]);
});
