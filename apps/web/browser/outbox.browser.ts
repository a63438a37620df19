import { describe, expect, test } from 'bun:test';
import { axeInBothThemes } from '@hub/testkit/browser/axe';
import { startProxiedTeam } from '@hub/testkit/browser/proxied-team';
import { fresh, textOf, writers } from '@hub/testkit/browser/writers';
import type { Page, Route } from 'playwright-core';

const { openSession, open, browser, hubId } = writers();
const unsent = (page: Page) => page.getByRole('article', { name: 'Your message, not sent' });
const POSTS = '**/messages';
/** Holds new messages back until the returned function is called. */
async function holdPosts(page: Page): Promise<() => void> {
  const { promise: mayGo, resolve } = Promise.withResolvers<void>();
  await page.route(POSTS, async (route) => {
    if (route.request().method() === 'POST') await mayGo;
    await route.continue();
  });
  return resolve;
}
/** Shorter than the delay before a dead connection is closed or reported. */
const AT_ONCE_MS = 1_500;

test('a message being sent appears in its final position, and nothing moves once it is saved', async () => {
  const { page } = await openSession();
  const text = fresh('On its way');
  const go = await holdPosts(page);
  await textOf(page).fill(text);
  await textOf(page).press('Enter');
  const sending = page.getByRole('article', { name: 'Your message, being sent' });
  await sending.waitFor();
  const before = await sending.locator('.prose').boundingBox();
  go();
  const there = page.locator('.msg[id]', { hasText: text });
  await there.waitFor();
  await sending.waitFor({ state: 'detached' });
  expect(await there.locator('.prose').boundingBox()).toEqual(before);
});

test('a message is sent on a page without HTTPS, where browsers offer no random IDs', async () => {
  const { page, problems } = await openSession();
  await page.evaluate(() => sessionStorage.clear());
  await page.addInitScript(() => Object.defineProperty(crypto, 'randomUUID', { value: undefined }));
  await page.reload();
  const text = fresh('In the clear');
  await textOf(page).fill(text);
  await textOf(page).press('Enter');
  await page.locator('.msg[id]', { hasText: text }).waitFor();
  expect(problems).toEqual([]);
});

describe('a message that could not be sent', () => {
  test('survives a reload, says that it may have been sent and can be resent manually', async () => {
    const { page, problems } = await openSession();
    const text = fresh('Lost');
    await page.route(POSTS, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await textOf(page).fill(text);
    await textOf(page).press('Enter');
    await unsent(page).getByText('It may have been sent').waitFor();
    expect(await unsent(page).getByRole('alert').textContent()).toContain('Not sent');
    expect(await axeInBothThemes(page)).toEqual([]);
    await page.reload();
    await unsent(page).getByText(text).waitFor();
    await page.unroute(POSTS);
    await unsent(page).getByRole('button', { name: 'Send again' }).click();
    await page.locator('.msg[id]', { hasText: text }).waitFor();
    await unsent(page).waitFor({ state: 'detached' });
    expect(problems.filter((problem) => !problem.includes('ERR_FAILED'))).toEqual([]);
  });

  test("shows the server's message, and can be discarded and restored", async () => {
    const { page } = await openSession();
    const text = fresh('Refused');
    await page.route(POSTS, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 400, json: { statusCode: 400, message: 'Not so.', timestamp: '', path: '' } })
        : route.continue(),
    );
    await textOf(page).fill(text);
    await textOf(page).press('Enter');
    await unsent(page).getByText('Not so.').waitFor();
    expect(await unsent(page).getByText('may have been sent').count()).toBe(0);
    await unsent(page).getByRole('button', { name: 'Discard' }).click();
    await unsent(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await unsent(page).getByText(text).waitFor();
    await unsent(page).getByRole('button', { name: 'Discard' }).click();
  });

  test('is not resent automatically after the page was closed while sending', async () => {
    const { page } = await openSession();
    const text = fresh('Closed');
    await page.route(POSTS, (route) => (route.request().method() === 'POST' ? undefined : route.continue()));
    const isAsked = page.waitForRequest((request) => request.method() === 'POST');
    await textOf(page).fill(text);
    await textOf(page).press('Enter');
    await isAsked;
    await page.reload();
    await unsent(page)
      .getByText(/may have been sent/)
      .waitFor();
    await unsent(page).getByRole('button', { name: 'Discard' }).click();
  });

  test('appears in another tab too and disappears there when it is sent', async () => {
    const { page, context } = await openSession();
    const text = fresh('Both');
    await page.route(POSTS, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await textOf(page).fill(text);
    await textOf(page).press('Enter');
    await unsent(page).waitFor();
    const other = await context.newPage();
    await open(other);
    await unsent(other).getByText(text).waitFor();
    await unsent(page).getByRole('button', { name: 'Discard' }).click();
    await unsent(other).waitFor({ state: 'detached' });
  });

  test('is sent once when two tabs resend it at the same moment', async () => {
    const { page, context } = await openSession();
    const text = fresh('Twice');
    const isPost = (route: Route) => route.request().method() === 'POST';
    await page.route(POSTS, (route) => (isPost(route) ? route.abort() : route.continue()));
    await textOf(page).fill(text);
    await textOf(page).press('Enter');
    await unsent(page).waitFor();
    const other = await context.newPage();
    // Delays the changes that the first tab sends to the other.
    await other.addInitScript(() => addEventListener('storage', (event) => event.stopImmediatePropagation()));
    await open(other);
    await page.unroute(POSTS);
    const mayGo = Promise.withResolvers<void>();
    let sent = 0;
    await context.route(POSTS, async (route) => {
      if (isPost(route)) {
        sent += 1;
        await mayGo.promise;
      }
      await route.continue();
    });
    for (const tab of [page, other]) await unsent(tab).getByRole('button', { name: 'Send again' }).click();
    await other.getByRole('article', { name: 'Your message, being sent' }).waitFor();
    mayGo.resolve();
    for (const tab of [page, other]) await tab.locator('.msg:not([id])').waitFor({ state: 'detached' });
    expect([sent, await page.locator('.msg[id]', { hasText: text }).count()]).toEqual([1, 1]);
  });
});

/** Writes a message that has to wait for a connection. */
async function writeHeld(page: Page, text: string): Promise<void> {
  await textOf(page).fill(text);
  await textOf(page).press('Enter');
  await held(page).getByText(text).waitFor();
}

const held = (page: Page) => page.getByRole('article', { name: 'Your message, waiting for a connection' });

describe('without a connection', () => {
  test('the page shows immediately that it is offline, and later that it is live again', async () => {
    const { page, context } = await openSession();
    await page.locator('.live', { hasText: 'Live' }).waitFor();
    await context.setOffline(true);
    await page.locator('.live', { hasText: 'Offline' }).waitFor({ timeout: AT_ONCE_MS });
    await page.getByText('You’re offline.').waitFor({ timeout: AT_ONCE_MS });
    await context.setOffline(false);
    await page.getByText('You’re offline.').waitFor({ state: 'detached' });
    await page.locator('.live', { hasText: 'Live' }).waitFor();
  });

  test('messages wait and are sent automatically, once and in order, except one that may already have been sent', async () => {
    const { page, context } = await openSession();
    const [lost = '', one = '', two = '', gone = ''] = ['Perhaps there', 'First', 'Second', 'Never mind'].map(fresh);
    await page.route(POSTS, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await textOf(page).fill(lost);
    await textOf(page).press('Enter');
    await unsent(page).getByText('It may have been sent').waitFor();
    await page.unroute(POSTS);
    const posted: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/messages')) posted.push(request.postData() ?? '');
    });
    await context.setOffline(true);
    await page.getByText('You’re offline.').waitFor();
    for (const text of [one, two, gone]) await writeHeld(page, text);
    expect(await axeInBothThemes(page)).toEqual([]);
    await held(page).filter({ hasText: gone }).getByRole('button', { name: 'Discard' }).click();
    expect(posted).toEqual([]);
    await context.setOffline(false);
    await page.locator('.msg[id]', { hasText: two }).waitFor();
    await held(page).first().waitFor({ state: 'detached' });
    expect(posted).toEqual([one, two].map((text) => JSON.stringify({ text })));
    expect(await unsent(page).textContent()).toContain(lost);
    await page.reload();
    const rows = page.locator('.msg[id] .prose').filter({ hasText: new RegExp(`^(${one}|${two})$`) });
    await rows.nth(1).waitFor();
    expect(await rows.allTextContents()).toEqual([one, two]);
    await unsent(page).getByRole('button', { name: 'Discard' }).click();
  });

  test('a message to an unreachable server waits, and the next page that opens sends it once', async () => {
    await using team = await startProxiedTeam(browser());
    const { page, context } = await team.open();
    await open(page, team.hubId);
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
});

test('a duplicate of a tab does not take a message that the first one is sending for interrupted', async () => {
  const { page } = await openSession();
  const text = fresh('From the first tab');
  const go = await holdPosts(page);
  const isAsked = page.waitForRequest((request) => request.method() === 'POST');
  await textOf(page).fill(text);
  await textOf(page).press('Enter');
  const sending = (tab: Page) => tab.getByRole('article', { name: 'Your message, being sent' });
  // Until then, the other tab would send it.
  await isAsked;
  const opened = page.waitForEvent('popup');
  // Like a duplicate, it gets a copy of the session storage.
  await page.evaluate(() => void window.open(location.href));
  const copy = await opened;
  await sending(copy).or(unsent(copy)).waitFor();
  expect(await unsent(copy).count()).toBe(0);
  go();
  await copy.locator('.msg[id]', { hasText: text }).waitFor();
  await sending(copy).waitFor({ state: 'detached' });
  await copy.close();
});

test('a message that another tab was sending when it was closed is shown as perhaps sent', async () => {
  const { page, context } = await openSession();
  const other = await context.newPage();
  await other.clock.install();
  await open(other);
  const text = fresh('Closed while sending');
  // The entry that the other tab stores before its request.
  await page.evaluate(
    async ([text, hubId]) => {
      const { me } = await (await fetch('/api/v1/session')).json();
      const at = new Date().toISOString();
      const unsent = { id: 'x', hubId, draftKey: hubId, text, at, tab: 'closed', state: 'sending', failure: '' };
      localStorage.setItem(`hub.outbox.${me.id}.x`, JSON.stringify(unsent));
    },
    [text, hubId()] as const,
  );
  await other.getByRole('article', { name: 'Your message, being sent' }).getByText(text).waitFor();
  await other.clock.runFor(41_000);
  await unsent(other).getByText(text).waitFor();
  await unsent(other).getByRole('button', { name: 'Discard' }).click();
});

test('a message that waits in a tab is sent by another one that was open, once the first is closed', async () => {
  const { page, context } = await openSession();
  const other = await context.newPage();
  await open(other);
  const text = fresh('Left waiting');
  await context.setOffline(true);
  for (const tab of [page, other]) await tab.getByText('You’re offline.').waitFor();
  await writeHeld(page, text);
  await held(other).getByText(text).waitFor();
  await page.close();
  await context.setOffline(false);
  await other.locator('.msg[id]', { hasText: text }).waitFor();
  await held(other).waitFor({ state: 'detached' });
  expect(await other.locator('.msg[id]', { hasText: text }).count()).toBe(1);
});

test('a message whose response was lost is confirmed by its event', async () => {
  const { page } = await openSession();
  const text = fresh('Answer lost');
  await page.route(POSTS, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    return route.abort();
  });
  await textOf(page).fill(text);
  await textOf(page).press('Enter');
  await page.locator('.msg[id]', { hasText: text }).waitFor();
  await page.locator('.msg:not([id])').waitFor({ state: 'detached' });
});
