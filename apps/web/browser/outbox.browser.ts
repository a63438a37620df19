import { describe, expect, test } from 'bun:test';
import type { Page, Route } from 'playwright-core';
import { axeInBothThemes } from './axe.ts';
import { startCuttableTeam } from './cuttable-team.ts';
import { fresh, textOf, writers } from './writers.ts';

const { openSession, open, browser } = writers();
const unsent = (page: Page) => page.getByRole('article', { name: 'Your message, not sent' });
const POSTS = '**/messages';
/** Before a connection that answers no more is given up, and before a cut is spoken of. */
const AT_ONCE_MS = 1_500;

test('a message that is on its way stands where it will be, and nothing moves when it is there', async () => {
  const { page } = await openSession();
  const words = fresh('On its way');
  const { promise: mayGo, resolve: go } = Promise.withResolvers<void>();
  await page.route(POSTS, async (route) => {
    if (route.request().method() === 'POST') await mayGo;
    await route.continue();
  });
  await textOf(page).fill(words);
  await textOf(page).press('Enter');
  const sending = page.getByRole('article', { name: 'Your message, being sent' });
  await sending.waitFor();
  const before = await sending.locator('.prose').boundingBox();
  go();
  const there = page.locator('.msg[id]', { hasText: words });
  await there.waitFor();
  await sending.waitFor({ state: 'detached' });
  expect(await there.locator('.prose').boundingBox()).toEqual(before);
});

test('where the page came without https, and browsers make no ids by themselves, a message is sent, too', async () => {
  const { page, problems } = await openSession();
  await page.evaluate(() => sessionStorage.clear());
  await page.addInitScript(() => Object.defineProperty(crypto, 'randomUUID', { value: undefined }));
  await page.reload();
  const words = fresh('In the clear');
  await textOf(page).fill(words);
  await textOf(page).press('Enter');
  await page.locator('.msg[id]', { hasText: words }).waitFor();
  expect(problems).toEqual([]);
});

describe('a message that could not be sent', () => {
  test('is kept through a reload, says that it may have arrived, and is sent again by hand', async () => {
    const { page, problems } = await openSession();
    const words = fresh('Lost');
    await page.route(POSTS, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await textOf(page).fill(words);
    await textOf(page).press('Enter');
    await unsent(page).getByText('It may have been sent').waitFor();
    expect(await unsent(page).getByRole('alert').textContent()).toContain('Not sent');
    expect(await axeInBothThemes(page)).toEqual([]);
    await page.reload();
    await unsent(page).getByText(words).waitFor();
    await page.unroute(POSTS);
    await unsent(page).getByRole('button', { name: 'Send again' }).click();
    await page.locator('.msg[id]', { hasText: words }).waitFor();
    await unsent(page).waitFor({ state: 'detached' });
    expect(problems.filter((problem) => !problem.includes('ERR_FAILED'))).toEqual([]);
  });

  test('says what the server said, and can be discarded and brought back', async () => {
    const { page } = await openSession();
    const words = fresh('Refused');
    await page.route(POSTS, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 400, json: { statusCode: 400, message: 'Not so.', timestamp: '', path: '' } })
        : route.continue(),
    );
    await textOf(page).fill(words);
    await textOf(page).press('Enter');
    await unsent(page).getByText('Not so.').waitFor();
    expect(await unsent(page).getByText('may have been sent').count()).toBe(0);
    await unsent(page).getByRole('button', { name: 'Discard' }).click();
    await unsent(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await unsent(page).getByText(words).waitFor();
    await unsent(page).getByRole('button', { name: 'Discard' }).click();
  });

  test('over which the page was closed is not sent by itself', async () => {
    const { page } = await openSession();
    const words = fresh('Closed');
    await page.route(POSTS, (route) => (route.request().method() === 'POST' ? undefined : route.continue()));
    await textOf(page).fill(words);
    await textOf(page).press('Enter');
    await page.getByRole('article', { name: 'Your message, being sent' }).waitFor();
    await page.reload();
    await unsent(page).getByText('It may have been sent').waitFor();
    await unsent(page).getByRole('button', { name: 'Discard' }).click();
  });

  test('stays where it belongs: another tab shows it too, and sees it go', async () => {
    const { page, context } = await openSession();
    const words = fresh('Both');
    await page.route(POSTS, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await textOf(page).fill(words);
    await textOf(page).press('Enter');
    await unsent(page).waitFor();
    const other = await context.newPage();
    await open(other);
    await unsent(other).getByText(words).waitFor();
    await unsent(page).getByRole('button', { name: 'Discard' }).click();
    await unsent(other).waitFor({ state: 'detached' });
  });

  test('is sent once, though it is sent again in two tabs at the same moment', async () => {
    const { page, context } = await openSession();
    const words = fresh('Twice');
    const isPost = (route: Route) => route.request().method() === 'POST';
    await page.route(POSTS, (route) => (isPost(route) ? route.abort() : route.continue()));
    await textOf(page).fill(words);
    await textOf(page).press('Enter');
    await unsent(page).waitFor();
    const other = await context.newPage();
    // What the first tab does is told to the other a moment later.
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
    expect([sent, await page.locator('.msg[id]', { hasText: words }).count()]).toEqual([1, 1]);
  });
});

/** Writes a message, which has to wait. */
async function writeHeld(page: Page, words: string): Promise<void> {
  await textOf(page).fill(words);
  await textOf(page).press('Enter');
  await held(page).getByText(words).waitFor();
}

const held = (page: Page) => page.getByRole('article', { name: 'Your message, waiting for a connection' });

describe('without a connection', () => {
  test('a page says at once that it is offline, and again that it is live', async () => {
    const { page, context } = await openSession();
    await page.locator('.live', { hasText: 'Live' }).waitFor();
    await context.setOffline(true);
    await page.locator('.live', { hasText: 'Offline' }).waitFor({ timeout: AT_ONCE_MS });
    await page.getByText('You are offline.').waitFor({ timeout: AT_ONCE_MS });
    await context.setOffline(false);
    await page.getByText('You are offline.').waitFor({ state: 'detached' });
    await page.locator('.live', { hasText: 'Live' }).waitFor();
  });

  test('messages wait, and are sent by themselves in their order and once; one that may have arrived is not', async () => {
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
    for (const words of [one, two, gone]) await writeHeld(page, words);
    expect(await axeInBothThemes(page)).toEqual([]);
    await held(page).filter({ hasText: gone }).getByRole('button', { name: 'Discard' }).click();
    expect(posted).toEqual([]);
    await context.setOffline(false);
    await page.locator('.msg[id]', { hasText: two }).waitFor();
    await held(page).first().waitFor({ state: 'detached' });
    expect(posted).toEqual([one, two].map((text) => JSON.stringify({ text })));
    expect(await unsent(page).textContent()).toContain(lost);
    await page.reload();
    const rows = page.locator('.msg[id] .prose').filter({ hasText: /First|Second/ });
    await rows.nth(1).waitFor();
    expect(await rows.allTextContents()).toEqual([one, two]);
    await unsent(page).getByRole('button', { name: 'Discard' }).click();
  });

  test('a message to a server that is away waits; whichever page is opened next sends it, once', async () => {
    await using team = await startCuttableTeam(browser());
    const { page, context } = await team.open();
    await open(page, team.hubId);
    await page.locator('.live', { hasText: 'Live' }).waitFor();
    team.way.cut();
    await page.getByText('Reconnecting.').waitFor();
    const words = fresh('Closed before');
    await writeHeld(page, words);
    await page.close();
    team.way.lead(team.hub);
    const pages = [await context.newPage(), await context.newPage()];
    await Promise.all(pages.map((each) => each.goto('/stream')));
    for (const each of pages) await each.locator('.entry', { hasText: words }).waitFor();
    expect((await team.messages()).items.map((item) => ('text' in item ? item.text : ''))).toEqual([words]);
    await context.close();
  });
});

test('a message whose answer was lost is there once its event has come', async () => {
  const { page } = await openSession();
  const words = fresh('Answer lost');
  await page.route(POSTS, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    return route.abort();
  });
  await textOf(page).fill(words);
  await textOf(page).press('Enter');
  await page.locator('.msg[id]', { hasText: words }).waitFor();
  await page.locator('.msg:not([id])').waitFor({ state: 'detached' });
});
