import { expect, test } from 'bun:test';
import { teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { startTeam } from '@hub/testkit/in-process/team';
import type { Page } from 'playwright-core';

const { session, newHub } = await teamSessions(startTeam(), { expected: /ERR_FAILED/ });

/**
 * Opens a page whose first list loads long before its Hubs. The first `failed` requests for the Hubs fail.
 */
async function openWithSlowHubs({ at, failed }: { at: (id: string) => string; failed: number }) {
  const team = await newHub();
  const first = await team.message(team.bob, 'here from the beginning');
  const { page } = await session(team.ada);
  const response = Promise.withResolvers<void>();
  let asked = 0;
  await page.route('**/api/v1/hubs?*', async (route) => {
    asked += 1;
    const isFailing = asked <= failed;
    await response.promise;
    await (isFailing ? route.abort() : route.continue());
  });
  await page.goto(at(first.id));
  await page.getByText('here from the beginning').first().waitFor();
  return { ...team, page, first, releaseHubs: response.resolve };
}

/** Returns a list to which requests to the API are added, without their common prefix. */
function requestsOf(page: Page): string[] {
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/v1/')) requests.push(pathname.slice('/api/v1'.length) + search);
  });
  return requests;
}

test('discards items that loaded before the Hubs if the first attempt to load the Hubs fails', async () => {
  const t = await openWithSlowHubs({ at: (id) => `/stream?open=${id}`, failed: 2 });
  const panel = t.page.locator('#panel');
  await panel.getByText('here from the beginning').waitFor();
  await t.bob.json('PATCH', `/messages/${t.first.id}`, { text: 'edited in between' });
  await t.reply(t.bob, t.first, 'replied in between');
  t.releaseHubs();
  await t.page.locator('.entry', { hasText: 'edited in between' }).first().waitFor();
  await panel.getByText('edited in between').waitFor();
  await panel.getByText('replied in between').waitFor();
});

test('requests what a page shows first once, while its code is loading', async () => {
  const team = await newHub();
  const first = await team.message(team.bob, 'hello');
  for (const [path, list] of [
    ['/', '/stream?limit=50'],
    [`/hubs/${team.hubId}`, `/hubs/${team.hubId}/messages?limit=50`],
  ] as const) {
    const { page } = await session(team.ada);
    const requests = requestsOf(page);
    const code = Promise.withResolvers<void>();
    await page.route('**/app/main-*.js', (route) => code.promise.then(() => route.continue()));
    const response = page.waitForResponse(`**${list}`);
    await page.goto(path, { waitUntil: 'commit' });
    await response;
    code.resolve();
    await page.getByText('hello').first().waitFor();
    for (const url of ['/session', list]) expect(requests.filter((each) => each === url)).toEqual([url]);
  }
  // A filter, a link to a message and the sign-in page need another list, or none.
  const { page } = await session(team.ada);
  const requests = requestsOf(page);
  for (const path of ['/stream?kind=message', `/hubs/${team.hubId}?at=${first.id}`]) {
    await page.goto(path);
    await page.getByText('hello').first().waitFor();
  }
  expect(requests.filter((url) => /^.stream|messages/.test(url) && !/kind|before|after/.test(url))).toEqual([]);
  const nobody = await session(null);
  const signedOut = requestsOf(nobody.page);
  await nobody.page.goto('/');
  await nobody.page.getByLabel('Password', { exact: true }).waitFor();
  expect(signedOut).toEqual(['/session']);
});

test('shows an item that was posted while the code of the Stream was loading, after the connection was live', async () => {
  const team = await newHub();
  const { page } = await session(team.ada);
  const code = Promise.withResolvers<void>();
  await page.route('**/app/chunk-*.js', (route) => code.promise.then(() => route.continue()));
  await page.goto('/stream', { waitUntil: 'commit' });
  await page.locator('.live:not(.is-off)').waitFor();
  await team.message(team.bob, 'posted in between');
  await page.locator('.badge, .count', { hasText: '1' }).first().waitFor();
  code.resolve();
  await page.locator('.entry', { hasText: 'posted in between' }).waitFor();
});
