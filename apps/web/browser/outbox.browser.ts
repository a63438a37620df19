import { expect, test } from 'bun:test';
import { expectAccessible } from '@hub/testkit/browser/axe';
import { startBackdatedTeam, teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { startProxiedTeam } from '@hub/testkit/browser/proxied-team';
import { enter, failWrites, press, seen } from '@hub/testkit/browser/steps';
import type { Page } from 'playwright-core';

const {
  browser,
  open: openPage,
  openHub,
  newHub,
} = await teamSessions(startBackdatedTeam(), {
  // The browser logs the requests that fail.
  expected: /ERR_|status of 400|WebSocket/,
});

const textOf = (page: Page) => page.getByRole('textbox', { name: 'Message to' });
const saved = (page: Page, text: string) => page.locator('.msg[id]', { hasText: text });
const sending = (page: Page) => page.getByRole('article', { name: 'Your message, being sent' });
const unsent = (page: Page) => page.getByRole('article', { name: 'Your message, not sent' });
const held = (page: Page) => page.getByRole('article', { name: 'Your message, waiting for a connection' });
const POSTS = '**/messages';

let texts = 0;
/** Returns text that no other message has. */
function fresh(text: string): string {
  texts += 1;
  return `${text} ${texts}`;
}

async function write(page: Page, text: string): Promise<void> {
  await enter(textOf(page), text);
}

/** Writes a message that has to wait for a connection. */
async function writeHeld(page: Page, text: string): Promise<void> {
  await write(page, text);
  await held(page).getByText(text).waitFor();
}

/** Opens the conversation of another tab. */
async function open(tab: Page, like: Page): Promise<void> {
  await tab.goto(like.url());
  await textOf(tab).waitFor();
}

/** Holds new messages back until the returned function is called. */
async function holdPosts(page: Page): Promise<() => void> {
  const { promise: mayGo, resolve } = Promise.withResolvers<void>();
  await page.route(POSTS, async (route) => {
    if (route.request().method() === 'POST') await mayGo;
    await route.continue();
  });
  return resolve;
}

test('a message being sent appears in its final position, in a duplicate of the tab as well, and nothing moves once it is saved, even without HTTPS, where browsers offer no random IDs', async () => {
  const team = await newHub();
  const page = await openPage(team.ada, '/mentions');
  await page.addInitScript(() => Object.defineProperty(crypto, 'randomUUID', { value: undefined }));
  await page.goto(`/hubs/${team.hubId}`);
  const text = fresh('On its way');
  const go = await holdPosts(page);
  await write(page, text);
  await sending(page).waitFor();
  const before = await sending(page).locator('.prose').boundingBox();
  go();
  await saved(page, text).waitFor();
  await sending(page).waitFor({ state: 'detached' });
  expect(await saved(page, text).locator('.prose').boundingBox()).toEqual(before);

  await page.unroute(POSTS);
  const next = fresh('From the first tab');
  const goOn = await holdPosts(page);
  const isAsked = page.waitForRequest((request) => request.method() === 'POST');
  await write(page, next);
  // Until then, the other tab would send it.
  await isAsked;
  const opened = page.waitForEvent('popup');
  // Like a duplicate, it gets a copy of the session storage.
  await page.evaluate(() => void window.open(location.href));
  const copy = await opened;
  await sending(copy).or(unsent(copy)).waitFor();
  expect(await unsent(copy).count()).toBe(0);
  goOn();
  await saved(copy, next).waitFor();
  await sending(copy).waitFor({ state: 'detached' });
});

test('a message that could not be sent survives a reload, says whether it may have been sent, is resent or discarded in every tab, and sent once when two tabs resend it at the same moment', async () => {
  const { page, context } = await openHub((await newHub()).ada);
  const text = fresh('Lost');
  await failWrites(page, POSTS);
  await write(page, text);
  await unsent(page).getByText('It may have been sent').waitFor();
  expect(await unsent(page).getByRole('alert').textContent()).toContain('Not sent');
  await page.reload();
  await unsent(page).getByText(text).waitFor();
  await page.unroute(POSTS);
  // Its buttons come before the composer.
  await textOf(page).focus();
  await page.keyboard.press('Shift+Tab');
  await unsent(page).locator('button:focus', { hasText: 'Discard' }).waitFor();
  await press(page, 'Shift+Tab', 'Enter');
  await saved(page, text).waitFor();
  await unsent(page).waitFor({ state: 'detached' });

  await page.route(POSTS, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 400, json: { statusCode: 400, message: 'Not so.', timestamp: '', path: '' } })
      : route.continue(),
  );
  const rejected = fresh('Refused');
  await write(page, rejected);
  await unsent(page).getByText('Not so.').waitFor();
  expect(await unsent(page).getByText('may have been sent').count()).toBe(0);
  const other = await context.newPage();
  await open(other, page);
  await unsent(other).getByText(rejected).waitFor();
  await unsent(page).getByRole('button', { name: 'Discard' }).click();
  for (const tab of [page, other]) await unsent(tab).waitFor({ state: 'detached' });
  // A screen reader reads the text and the button apart.
  expect(await page.locator('.toasts').textContent()).toBe('Message discarded. Undo');
  await page.getByRole('button', { name: 'Undo' }).click();
  await unsent(page).getByText(rejected).waitFor();

  await unsent(page).getByRole('button', { name: 'Discard' }).click();
  await page.unroute(POSTS);
  // It would send the next message.
  await other.close();
  const twice = fresh('Twice');
  await failWrites(page, POSTS);
  await write(page, twice);
  await unsent(page).waitFor();
  const third = await context.newPage();
  // Delays the changes that the first tab sends to the other.
  await third.addInitScript(() => addEventListener('storage', (event) => event.stopImmediatePropagation()));
  await open(third, page);
  await page.unroute(POSTS);
  const mayGo = Promise.withResolvers<void>();
  let count = 0;
  await context.route(POSTS, async (route) => {
    if (route.request().method() === 'POST') {
      count += 1;
      await mayGo.promise;
    }
    await route.continue();
  });
  for (const tab of [page, third]) await unsent(tab).getByRole('button', { name: 'Send again' }).click();
  await sending(third).waitFor();
  mayGo.resolve();
  for (const tab of [page, third]) await tab.locator('.msg:not([id])').waitFor({ state: 'detached' });
  expect([count, await saved(page, twice).count()]).toEqual([1, 1]);
});

test('a message that a tab was sending when it was closed or reloaded is shown as perhaps sent, and one whose response was lost is confirmed by its event', async () => {
  const team = await newHub();
  const { page, context } = await openHub(team.ada);
  await page.route(POSTS, (route) => (route.request().method() === 'POST' ? undefined : route.continue()));
  const isAsked = page.waitForRequest((request) => request.method() === 'POST');
  await write(page, fresh('Closed'));
  await isAsked;
  await page.reload();
  await unsent(page).getByText('may have been sent').waitFor();

  await page.unroute(POSTS);
  await unsent(page).getByRole('button', { name: 'Discard' }).click();
  const other = await context.newPage();
  await open(other, page);
  const text = fresh('Closed while sending');
  // The entry that the other tab stores before its request.
  await page.evaluate(
    ([text, hubId, userId]) => {
      const at = new Date().toISOString();
      const unsent = { id: 'x', hubId, draftKey: hubId, text, at, state: 'sending', failure: '' };
      localStorage.setItem(`hub.outbox.${userId}.x`, JSON.stringify(unsent));
    },
    [text, team.hubId, team.ada.user.id] as const,
  );
  await unsent(other).getByText(text).waitFor();
  await unsent(other).getByRole('button', { name: 'Discard' }).click();

  const lost = fresh('Answer lost');
  await page.route(POSTS, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    return route.abort();
  });
  await write(page, lost);
  await saved(page, lost).waitFor();
  await page.locator('.msg:not([id])').waitFor({ state: 'detached' });
});

test('without a connection, the page says so at once, and messages wait and are sent once and in order, except one that may already have been sent', async () => {
  const { page, context } = await openHub((await newHub()).ada);
  const mark = page.locator('.side .nav-row', { hasText: 'Releases' }).getByText('unsent draft');
  await page.locator('.live', { hasText: 'Live' }).waitFor();
  const [lost = '', one = '', two = '', gone = ''] = ['Perhaps there', 'First', 'Second', 'Never mind'].map(fresh);
  await failWrites(page, POSTS);
  await write(page, lost);
  await unsent(page).getByText('It may have been sent').waitFor();
  await page.unroute(POSTS);
  const posted: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/messages')) posted.push(request.postData() ?? '');
  });
  await context.setOffline(true);
  await seen(page.locator('.live', { hasText: 'Offline' }), page.getByText('You’re offline.'));
  for (const text of [one, two, gone]) await writeHeld(page, text);
  await mark.waitFor({ state: 'attached' });
  await expectAccessible(page);
  await held(page).filter({ hasText: gone }).getByRole('button', { name: 'Discard' }).click();
  expect(posted).toEqual([]);
  await context.setOffline(false);
  await page.getByText('You’re offline.').waitFor({ state: 'detached' });
  await saved(page, two).waitFor();
  await held(page).first().waitFor({ state: 'detached' });
  await page.locator('.live', { hasText: 'Live' }).waitFor();
  expect(posted).toEqual([one, two].map((text) => JSON.stringify({ text })));
  expect(await unsent(page).textContent()).toContain(lost);
  await page.reload();
  const rows = page.locator('.msg[id] .prose').filter({ hasText: new RegExp(`^(${one}|${two})$`) });
  await rows.nth(1).waitFor();
  expect(await rows.allTextContents()).toEqual([one, two]);
  await unsent(page).getByRole('button', { name: 'Discard' }).click();
  await mark.waitFor({ state: 'detached' });
});

test('a message to an unreachable server waits, and the next page that opens sends it once', async () => {
  await using team = await startProxiedTeam(browser);
  const { page, context } = await team.open();
  await page.goto(`/hubs/${team.hubId}`);
  await page.locator('.live', { hasText: 'Live' }).waitFor();
  team.proxy.cut();
  await page.getByText('Reconnecting.').waitFor();
  const text = fresh('Closed before');
  await writeHeld(page, text);
  await page.close();
  team.proxy.forwardTo(team.hub);
  const pages = [await context.newPage(), await context.newPage()];
  await Promise.all(pages.map((each) => each.goto('/stream')));
  for (const each of pages) await each.locator('.entry', { hasText: text }).waitFor();
  expect((await team.messages()).items.map((item) => ('text' in item ? item.text : ''))).toEqual([text]);
  await context.close();
});
