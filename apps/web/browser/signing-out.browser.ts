import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { axeInBothThemes } from '@hub/testkit/browser/axe';
import { testBrowser, testSession } from '@hub/testkit/browser/browser';
import { problemsBut401 } from '@hub/testkit/browser/problems';
import { startTeam } from '@hub/testkit/in-process/team';
import { signIn } from '@hub/testkit/in-process/users';
import type { Browser, BrowserContext, Page } from 'playwright-core';

let browser: Browser;
let team: Awaited<ReturnType<typeof startTeam>>;
beforeAll(async () => {
  [browser, team] = await Promise.all([testBrowser(), startTeam()]);
});
// Ended sessions count as failed attempts: after ten without a quiet minute, responses would wait for the test's clock.
beforeEach(() => team.hub.clock.advance(61_000));
afterAll(async () => {
  await browser.close();
  await team[Symbol.asyncDispose]();
});

const SECRET = 'for nobody else';
const textOf = (page: Page) => page.getByRole('textbox', { name: 'Message to' });

/** Opens a page as Ada in a separate session, which the test may end. */
async function open(at = '') {
  const caller = await signIn(team.hub, team.ada.user);
  const own = await testSession(browser, team.hub, { caller });
  await own.page.goto(`/hubs/${team.hubId}${at}`);
  await own.page.locator('.me').waitFor();
  return { ...own, caller };
}

async function askToSignOut(page: Page): Promise<void> {
  await page.locator('.me').click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}

const question = (page: Page) => page.getByRole('dialog', { name: 'Sign out and discard drafts?' });

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
  await context.route('**/api/v1/hubs/*/messages', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await textOf(page).fill(`unsent ${SECRET}`);
  await textOf(page).press('Enter');
  await page.getByRole('article', { name: 'Your message, not sent' }).waitFor();
  await textOf(page).fill(`draft ${SECRET}`);
  await page.goto(`/hubs/${team.hubId}?open=${message.id}`);
  await page.locator('#panel textarea').fill(`reply ${SECRET}`);
  await page.goto(`/hubs/${team.hubId}/todos`);
  await page.getByRole('textbox', { name: 'New to-do' }).fill(`to-do ${SECRET}`);
  await page.goto(`/hubs/${team.hubId}/notes?open=${note.id}`);
  await page.locator('#panel').getByRole('button', { name: 'Edit' }).click();
  await page.locator('#panel textarea').fill(`edit ${SECRET}`);
  await page.getByRole('button', { name: 'Write a note' }).click();
  await page.locator('main textarea').fill(`note ${SECRET}`);
}

test('signing out asks before it deletes drafts and unsent messages, and leaves none of it behind', async () => {
  const { page, context, problems } = await open();
  await leaveTextEverywhere(page, context);
  await askToSignOut(page);
  await question(page).getByText('1 unsent message and 5 drafts').waitFor();
  expect(await axeInBothThemes(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await question(page).waitFor({ state: 'detached' });
  expect(await keptIn(page)).toContain(`note ${SECRET}`);
  await askToSignOut(page);
  await question(page).getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('E-mail').waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
  expect(await keptIn(page)).not.toContain(SECRET);
  expect(await page.content()).not.toContain(SECRET);
  await page.goBack();
  await page.getByLabel('E-mail').waitFor();
  expect(await page.content()).not.toContain(SECRET);
  expect(problemsBut401(problems).filter((problem) => !problem.includes('ERR_FAILED'))).toEqual([]);
  await context.close();
});

test('signing out asks even about a draft typed a moment ago; without drafts, it happens immediately', async () => {
  const { page, context } = await open();
  await textOf(page).fill('typed just now');
  await askToSignOut(page);
  await question(page).getByText('1 draft').waitFor();
  await question(page).getByRole('button', { name: 'Cancel' }).click();
  expect(await textOf(page).inputValue()).toBe('typed just now');
  await textOf(page).fill('');
  await askToSignOut(page);
  await page.getByLabel('E-mail').waitFor();
  await context.close();
});

test('signing out clears the other tabs, too', async () => {
  const { page, context } = await open();
  const other = await context.newPage();
  await other.goto(`/hubs/${team.hubId}`);
  await textOf(other).fill(`in the other tab ${SECRET}`);
  await askToSignOut(page);
  await question(page).or(page.getByLabel('E-mail')).first().waitFor();
  if (await question(page).isVisible()) await question(page).getByRole('button', { name: 'Sign out' }).click();
  for (const tab of [page, other]) {
    await tab.getByLabel('E-mail').waitFor();
    expect(await tab.locator('.app').count()).toBe(0);
    expect(await keptIn(tab)).not.toContain(SECRET);
  }
  await other.close();
  expect(await keptIn(page)).not.toContain(SECRET);
  await context.close();
});

test('signing out also clears a tab that has requested its data but not loaded its code yet', async () => {
  const { page, context } = await open();
  await team.message(team.bob, SECRET);
  const other = await context.newPage();
  const code = Promise.withResolvers<void>();
  await other.route('**/app/main-*.js', (route) => code.promise.then(() => route.continue()));
  const list = other.waitForResponse('**/messages?limit=50');
  await other.goto(`/hubs/${team.hubId}`, { waitUntil: 'commit' });
  await list;
  await askToSignOut(page);
  await page.getByLabel('E-mail').waitFor();
  const isShown = other.evaluate(
    (text) =>
      new Promise((resolve) => {
        new MutationObserver(() => {
          const { textContent } = document.body;
          if (textContent.includes(text)) resolve(true);
          else if (textContent.includes('Password')) resolve(false);
        }).observe(document.body, { childList: true, subtree: true });
      }),
    SECRET,
  );
  code.resolve();
  expect(await isShown).toBe(false);
  expect(await other.locator('.gate-over').count()).toBe(0);
  await context.close();
});

test('a tab that had not loaded its code when another user signed in sends nothing of the previous one', async () => {
  const { page, context, caller } = await open();
  await page.evaluate(
    ([userId, hubId]) => {
      const unsent = { id: 'x', hubId, draftKey: hubId, at: new Date().toISOString(), tab: 'x', failure: '' };
      const text = 'written by Ada, offline';
      localStorage.setItem(`hub.outbox.${userId}.x`, JSON.stringify({ ...unsent, text, state: 'waiting' }));
    },
    [team.ada.user.id, team.hubId],
  );
  const other = await context.newPage();
  const code = Promise.withResolvers<void>();
  await other.route('**/app/main-*.js', (route) => code.promise.then(() => route.continue()));
  await other.routeWebSocket('**/api/v1/live', () => {});
  // Its response would show the page whose session it has.
  await other.route('**/api/v1/me', () => {});
  const list = other.waitForResponse('**/messages?limit=50');
  await other.goto(`/hubs/${team.hubId}`, { waitUntil: 'commit' });
  await list;
  await caller.json('DELETE', '/session');
  await page.getByRole('dialog', { name: 'Your session ended' }).waitFor();
  await page.getByLabel('E-mail').fill(team.bob.user.email);
  await page.getByLabel('Password', { exact: true }).fill(team.bob.user.password);
  await page.keyboard.press('Enter');
  await page.locator('.me', { hasText: 'Bob Kahn' }).waitFor();
  await page.close();
  const sent: string[] = [];
  other.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.url());
  });
  code.resolve();
  await other.getByRole('log').waitFor();
  await other.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  expect([await other.locator('.me').textContent(), sent]).toEqual([expect.stringContaining('Bob Kahn'), []]);
  await context.close();
});

test('an expired session loses no drafts, not even when another user signs in in the meantime', async () => {
  const { page, context, caller } = await open('/notes');
  await page.getByRole('button', { name: 'Write a note' }).click();
  await page.locator('main textarea').fill('a thought of Ada');
  await caller.json('DELETE', '/session');
  const dialog = page.getByRole('dialog', { name: 'Your session ended' });
  await dialog.waitFor();
  const enter = async ({ email, password }: { email: string; password: string }) => {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
  };
  await enter(team.bob.user);
  await page.locator('.me', { hasText: 'Bob Kahn' }).waitFor();
  await page.goto(`/hubs/${team.hubId}/notes`);
  await page.getByRole('button', { name: 'Write a note' }).click();
  expect(await page.locator('main textarea').inputValue()).toBe('');
  await page.locator('.me', { hasText: 'Bob Kahn' }).waitFor();
  await askToSignOut(page);
  await enter(team.ada.user);
  await page.locator('.me', { hasText: 'Ada Lovelace' }).waitFor();
  await page.goto(`/hubs/${team.hubId}/notes`);
  await page.locator('main textarea').waitFor();
  expect(await page.locator('main textarea').inputValue()).toBe('a thought of Ada');
  await context.close();
});

test('signing in again in one tab lets all tabs continue and leaves no sign-in dialog open', async () => {
  const { page, context, caller } = await open();
  const other = await context.newPage();
  await other.goto(`/hubs/${team.hubId}`);
  await other.locator('.me').waitFor();
  await textOf(other).fill('half a thought');
  const cover = (tab: Page) => tab.getByRole('dialog', { name: 'Your session ended' });
  await caller.json('DELETE', '/session');
  for (const tab of [page, other]) await cover(tab).waitFor();
  const third = await context.newPage();
  await third.goto('/');
  const signInAt = async (tab: Page) => {
    await tab.getByLabel('E-mail').fill(team.ada.user.email);
    await tab.getByLabel('Password', { exact: true }).fill(team.ada.user.password);
    await tab.keyboard.press('Enter');
  };
  await signInAt(page);
  for (const tab of [page, other]) await cover(tab).waitFor({ state: 'detached' });
  await team.message(team.bob, 'Welcome back, both of you');
  for (const tab of [page, other]) await tab.getByText('Welcome back, both of you').waitFor();
  // Signing in again in an old tab ends the session of the other tabs, which continue with the new one.
  await signInAt(third);
  await third.locator('.me').waitFor();
  await team.message(team.bob, 'And on it goes');
  for (const tab of [page, other]) {
    await tab.getByText('And on it goes').waitFor();
    await cover(tab).waitFor({ state: 'detached' });
  }
  expect(await textOf(other).inputValue()).toBe('half a thought');
  await context.close();
});

test('a page that already continues when the response to its sign-in arrives stays as it is', async () => {
  const { page, context, caller } = await open();
  await caller.json('DELETE', '/session');
  const cover = page.getByRole('dialog', { name: 'Your session ended' });
  await cover.waitFor();
  const [isProcessed, mayArrive] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route('**/api/v1/session', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    const response = await route.fetch();
    isProcessed.resolve();
    await mayArrive.promise;
    await route.fulfill({ response });
  });
  const response = page.waitForResponse((each) => each.request().method() === 'POST');
  await page.getByLabel('E-mail').fill(team.ada.user.email);
  await page.getByLabel('Password', { exact: true }).fill(team.ada.user.password);
  await page.keyboard.press('Enter');
  await isProcessed.promise;
  // The user comes back to the tab.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await cover.waitFor({ state: 'detached' });
  await page.locator('.feed').evaluate((feed) => feed.setAttribute('data-same', ''));
  mayArrive.resolve();
  await (await response).finished();
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  expect(await page.locator('.feed[data-same]').count()).toBe(1);
  await context.close();
});

test('the drafts of an ended session can be discarded from the sign-in dialog after a confirmation', async () => {
  const { page, context, caller } = await open();
  await textOf(page).fill(SECRET);
  await caller.json('DELETE', '/session');
  await page.getByRole('dialog', { name: 'Your session ended' }).waitFor();
  expect(await axeInBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Discard drafts and start over' }).click();
  const startOver = page.getByRole('dialog', { name: 'Discard drafts and start over?' });
  await startOver.getByText('Starting over deletes 1 draft from this browser.').waitFor();
  await startOver.getByRole('button', { name: 'Start over' }).click();
  await page.getByRole('heading', { name: 'Hub', exact: true }).waitFor();
  expect(await page.getByLabel('E-mail').inputValue()).toBe('');
  expect(await keptIn(page)).not.toContain(SECRET);
  await context.close();
});

test('a failed sign-out deletes nothing and says so', async () => {
  const { page, context } = await open();
  await textOf(page).fill('still here');
  await page.route('**/api/v1/session', (route) => route.abort());
  await askToSignOut(page);
  await question(page).getByRole('button', { name: 'Sign out' }).click();
  await question(page).getByText('Not signed out. Can’t reach the server.').waitFor();
  expect(await keptIn(page)).toContain('still here');
  await page.unroute('**/api/v1/session');
  await question(page).getByRole('button', { name: 'Try again' }).click();
  await page.getByLabel('E-mail').waitFor();
  expect(await keptIn(page)).not.toContain('still here');
  await context.close();
});
