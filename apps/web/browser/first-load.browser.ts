import { afterAll, beforeAll, expect, test } from 'bun:test';
import { testBrowser, testSession } from '@hub/testkit/browser/browser';
import { startTeam } from '@hub/testkit/in-process/team';
import type { Browser, Page } from 'playwright-core';

let browser: Browser;
beforeAll(async () => {
  browser = await testBrowser();
});
afterAll(() => browser.close());

/**
 * Opens a page whose first list loads long before its Hubs: by default the Hub, which then shows nothing yet. The first
 * `failed` requests for the Hubs fail.
 */
async function openWithSlowHubs({ at, failed }: { at: (id: string) => string | null; failed: number }) {
  const team = await startTeam();
  const first = await team.message(team.bob, 'here from the beginning');
  const { page, context } = await testSession(browser, team.hub, { caller: team.ada });
  const response = Promise.withResolvers<void>();
  let asked = 0;
  await page.route('**/api/v1/hubs?*', async (route) => {
    asked += 1;
    const isFailing = asked <= failed;
    await response.promise;
    await (isFailing ? route.abort() : route.continue());
  });
  const path = at(first.id);
  const messages = path === null ? page.waitForResponse('**/messages?*') : null;
  await page.goto(path ?? `/hubs/${team.hubId}`);
  if (messages) await (await messages).finished();
  else await page.getByText('here from the beginning').first().waitFor();
  return {
    ...team,
    page,
    first,
    releaseHubs: response.resolve,
    [Symbol.asyncDispose]: async () => {
      await context.close();
      await team[Symbol.asyncDispose]();
    },
  };
}

test('shows a message in a Hub that was posted after its messages had loaded but before the Hubs had', async () => {
  await using t = await openWithSlowHubs({ at: () => null, failed: 0 });
  await t.message(t.bob, 'posted in between');
  t.releaseHubs();
  await t.page.getByText('posted in between').waitFor();
  await t.message(t.bob, 'and live from here on');
  await t.page.getByText('and live from here on').waitFor();
  expect(await t.page.locator('.msg').count()).toBe(3);
});

test('lists an item that was posted after the list had loaded but before the Hubs had', async () => {
  await using t = await openWithSlowHubs({ at: () => '/stream', failed: 0 });
  await t.message(t.bob, 'posted in between');
  expect(await t.page.getByText('posted in between').count()).toBe(0);
  t.releaseHubs();
  await t.page.getByText('posted in between').waitFor();
  await t.message(t.bob, 'and live from here on');
  await t.page.getByText('and live from here on').waitFor();
  expect(await t.page.locator('.entry').count()).toBe(3);
});

test('shows a change to the item in the panel that was made before the Hubs had loaded, even though no list contains the item', async () => {
  await using t = await openWithSlowHubs({ at: (id) => `/mentions?open=${id}`, failed: 0 });
  await t.bob.json('PATCH', `/messages/${t.first.id}`, { text: 'edited in between' });
  t.releaseHubs();
  await t.page.locator('#panel').getByText('edited in between').waitFor();
});

test('discards items that loaded before the Hubs if the first attempt to load the Hubs fails', async () => {
  await using t = await openWithSlowHubs({ at: (id) => `/stream?open=${id}`, failed: 2 });
  const panel = t.page.locator('#panel');
  await panel.getByText('here from the beginning').waitFor();
  await t.bob.json('PATCH', `/messages/${t.first.id}`, { text: 'edited in between' });
  await t.reply(t.bob, t.first, 'replied in between');
  t.releaseHubs();
  await t.page.locator('.entry', { hasText: 'edited in between' }).first().waitFor();
  await panel.getByText('edited in between').waitFor();
  await panel.getByText('replied in between').waitFor();
});

test('a page says that it is loading until its code has loaded', async () => {
  await using team = await startTeam();
  const { page, problems, context } = await testSession(browser, team.hub, { caller: team.ada });
  const code = Promise.withResolvers<void>();
  await page.route('**/app/main-*.js', (route) => code.promise.then(() => route.continue()));
  await page.goto(`/hubs/${team.hubId}`, { waitUntil: 'commit' });
  const loading = page.locator('#app > .loading');
  await page.waitForFunction(() => {
    const element = document.querySelector('#app > .loading');
    return element !== null && getComputedStyle(element).opacity === '1';
  });
  expect(await loading.textContent()).toBe('Loading…');
  code.resolve();
  await page.locator('textarea').waitFor();
  expect(await loading.count()).toBe(0);
  expect(problems).toEqual([]);
  await context.close();
});

test('requests what a page shows first once, while its code is loading', async () => {
  await using team = await startTeam();
  await team.message(team.bob, 'hello');
  for (const [path, list] of [
    ['/', '/stream?limit=50'],
    [`/hubs/${team.hubId}`, `/hubs/${team.hubId}/messages?limit=50`],
  ] as const) {
    const { page, context } = await testSession(browser, team.hub, { caller: team.ada });
    const requests = requestsOf(page);
    const code = Promise.withResolvers<void>();
    await page.route('**/app/main-*.js', (route) => code.promise.then(() => route.continue()));
    const response = page.waitForResponse(`**${list}`);
    await page.goto(path, { waitUntil: 'commit' });
    await response;
    code.resolve();
    await page.getByText('hello').first().waitFor();
    for (const url of ['/session', list]) expect(requests.filter((each) => each === url)).toEqual([url]);
    await context.close();
  }
});

test('requests no list early that a filter, a link to a message or the sign-in page does not need', async () => {
  await using team = await startTeam();
  const first = await team.message(team.bob, 'hello');
  const ada = await testSession(browser, team.hub, { caller: team.ada });
  const requests = requestsOf(ada.page);
  for (const path of ['/stream?kind=message', `/hubs/${team.hubId}?at=${first.id}`]) {
    await ada.page.goto(path);
    await ada.page.getByText('hello').first().waitFor();
  }
  expect(requests.filter((url) => /^.stream|messages/.test(url) && !/kind|before|after/.test(url))).toEqual([]);
  await ada.context.close();
  const nobody = await testSession(browser, team.hub);
  const signedOut = requestsOf(nobody.page);
  await nobody.page.goto('/');
  await nobody.page.getByLabel('Password', { exact: true }).waitFor();
  expect(signedOut).toEqual(['/session']);
  await nobody.context.close();
});

test('shows an item that was posted while the code of the Stream was loading, after the connection was live', async () => {
  await using team = await startTeam();
  const { page, context } = await testSession(browser, team.hub, { caller: team.ada });
  const code = Promise.withResolvers<void>();
  await page.route('**/app/chunk-*.js', (route) => code.promise.then(() => route.continue()));
  await page.goto('/stream', { waitUntil: 'commit' });
  await page.locator('.live:not(.is-off)').waitFor();
  await team.message(team.bob, 'posted in between');
  await page.locator('.badge, .count', { hasText: '1' }).first().waitFor();
  code.resolve();
  await page.locator('.entry', { hasText: 'posted in between' }).waitFor();
  await context.close();
});

test('the unread filter shows no item that was read before, even if it is edited', async () => {
  await using team = await startTeam();
  const old = await team.message(team.bob, 'read long ago');
  await team.ada.json('PUT', `/hubs/${team.hubId}/read`, { seq: await team.seq() });
  await team.message(team.bob, 'unread');
  const { page, context } = await testSession(browser, team.hub, { caller: team.ada });
  await page.goto('/stream?unread=true');
  await page.locator('.entry', { hasText: 'unread' }).waitFor();
  await page.locator('.live:not(.is-off)').waitFor();
  await team.bob.json('PATCH', `/messages/${old.id}`, { text: 'read long ago, and edited' });
  await team.message(team.bob, 'the newest');
  await page.locator('.entry', { hasText: 'the newest' }).waitFor();
  expect(await page.locator('.entry', { hasText: 'long ago' }).count()).toBe(0);
  await context.close();
});

/** Returns a list to which requests to the API are added, without their common prefix. */
function requestsOf(page: Page): string[] {
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/v1/')) requests.push(pathname.slice('/api/v1'.length) + search);
  });
  return requests;
}
