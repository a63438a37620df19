import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Hub } from '@hub/contract';
import { type TestSession, testBrowser } from '@hub/testkit/browser/browser';
import { reconnect } from '@hub/testkit/browser/every-view';
import { painted } from '@hub/testkit/browser/hub-test-sessions';
import { expectAsFresh, type ProxiedTeam, startProxiedTeam } from '@hub/testkit/browser/proxied-team';
import { pruneHub, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import type { Browser } from 'playwright-core';

let browser: Browser;
beforeAll(async () => {
  browser = await testBrowser();
});
afterAll(() => browser.close());

/** Opens a page without the focus, so that it marks nothing as read, however slow the machine is. */
async function openUnfocused(team: ProxiedTeam): Promise<TestSession> {
  const unfocused = await team.open();
  await unfocused.page.addInitScript(() => {
    document.hasFocus = () => false;
  });
  return unfocused;
}

/** Checks that the recovered page shows the same content as a freshly loaded one, without duplicates. */
async function expectAsLoaded(team: ProxiedTeam, recovered: TestSession, path: string, last: string): Promise<void> {
  await recovered.page.getByText(last).first().waitFor();
  const fresh = await openUnfocused(team);
  await fresh.page.goto(path);
  await fresh.page.getByText(last).first().waitFor();
  await expectAsFresh(recovered.page, fresh.page);
  await fresh.context.close();
}

async function change(team: ProxiedTeam): Promise<string> {
  const [first] = (await team.messages()).items;
  const messages = [];
  for (let n = 0; n < 14; n++) messages.push(await team.message(team.bob, `while away ${n}`));
  if (first) await team.bob.json('PATCH', `/messages/${first.id}`, { text: 'changed while away' });
  await team.bob.json('DELETE', `/messages/${messages[3]?.id}`);
  await team.post('todos', { title: 'a to-do while away' });
  return 'a to-do while away';
}

for (const path of ['/stream', '/hubs/:hubId']) {
  test(`${path}: after a lost connection is restored, the page shows everything it missed, once and in order`, async () => {
    await using team = await startProxiedTeam(browser);
    const at = path.replace(':hubId', team.hubId);
    await team.message(team.bob, 'before');
    await team.ada.json('PUT', `/hubs/${team.hubId}/read`, { seq: await team.seq() });
    const ada = await (path === '/stream' ? openUnfocused(team) : team.open());
    await ada.page.goto(at);
    await ada.page.getByText('before', { exact: true }).waitFor();
    team.proxy.cut();
    await ada.page.getByText('Reconnecting.').waitFor();
    const last = await change(team);
    team.proxy.forwardTo(team.hub);
    await reconnect([ada]);
    await ada.page.getByText('Reconnected. Caught up on 15 posts.').waitFor();
    if (path !== '/stream') {
      const last = await ada.page.locator('.feed-row', { hasText: 'while away 13' }).boundingBox();
      const toast = await ada.page.locator('.toast').boundingBox();
      // The toast does not cover the rows that it announces.
      expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThanOrEqual(last?.y ?? 0);
    }
    await ada.page.getByText('Reconnecting.').waitFor({ state: 'detached' });
    // A visible conversation is marked as read, and a freshly loaded page opens at a position that depends on the read
    // marker.
    if (path !== '/stream') await untilAllIsRead(team, ada);
    await expectAsLoaded(team, ada, at, path === '/stream' ? last : 'while away 13');
    await ada.context.close();
  });
}

/** Asks once per frame: more requests would exceed the limit of the user, whose page then could not mark anything. */
async function untilAllIsRead({ ada, hubId }: ProxiedTeam, { page }: TestSession): Promise<void> {
  const unread = async () => (await ada.json<Hub>('GET', `/hubs/${hubId}`)).body.unreadCounts?.message;
  while ((await unread()) !== 0) await painted(page);
}

test('a short interruption is not reported', async () => {
  await using team = await startProxiedTeam(browser);
  await team.message(team.bob, 'before');
  const ada = await team.open();
  await ada.page.goto('/stream');
  await ada.page.getByText('before', { exact: true }).waitFor();
  await ada.page.evaluate(() => {
    new MutationObserver(() => {
      if (document.querySelector('.connection-toast .banner, .toast')) document.documentElement.dataset.spoken = 'yes';
    }).observe(document.body, { childList: true, subtree: true });
  });
  team.proxy.cut();
  await team.message(team.bob, 'after');
  team.proxy.forwardTo(team.hub);
  await ada.page.getByText('after', { exact: true }).waitFor();
  expect(await ada.page.evaluate(() => document.documentElement.dataset.spoken)).toBeUndefined();
  await ada.context.close();
});

test('while the server is down, a page only checks whether it is back up, and prefetches code once it is', async () => {
  await using team = await startProxiedTeam(browser);
  await team.message(team.bob, 'before');
  const ada = await team.open();
  const { page } = ada;
  await page.clock.install();
  await page.goto(`/hubs/${team.hubId}`);
  await page.getByText('before', { exact: true }).waitFor();
  await page.locator('.live', { hasText: 'Live' }).waitFor();
  // Wait for the requests that follow a new connection.
  await page.clock.runFor(1_000);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  team.proxy.cut();
  await page.waitForEvent('requestfailed');
  // Each iteration leaves time for requests to fail.
  for (let turn = 0; turn < 28; turn += 1) await page.clock.runFor(500);
  expect(asked.filter((path) => path !== '/api/v1/live')).toEqual([]);
  expect(asked.length).toBeLessThan(16);
  const ahead = page.waitForRequest('**/app/*.js');
  team.proxy.forwardTo(team.hub);
  await reconnect([ada]);
  await page.getByText('Reconnecting.').waitFor({ state: 'detached' });
  await page.clock.runFor(3_000);
  await ahead;
  await ada.context.close();
});

test('after a server restart, readers continue where they were', async () => {
  await using team = await startProxiedTeam(browser);
  await team.message(team.bob, 'before');
  const ada = await openUnfocused(team);
  await ada.page.goto('/stream');
  await ada.page.getByText('before', { exact: true }).waitFor();
  team.proxy.cut();
  await team.hub.stop();
  await using next: TestHub = await startTestHub({
    clock: team.hub.clock,
    dataDir: team.hub.dataDir,
    baseUrl: team.proxy.url,
  });
  team.proxy.forwardTo(next);
  const bob = { ...team.bob.headers, 'content-type': 'application/json' };
  for (const text of ['first after', 'second after']) {
    const body = JSON.stringify({ text });
    const response = await next.fetch(`/api/v1/hubs/${team.hubId}/messages`, { method: 'POST', headers: bob, body });
    expect(response.status).toBe(201);
  }
  await expectAsLoaded({ ...team, hub: next }, ada, '/stream', 'second after');
  await ada.context.close();
});

test('a tab that slept for longer than the event retention period reloads its lists and matches a newly opened tab', async () => {
  await using team = await startProxiedTeam(browser);
  for (let n = 0; n < 3; n++) await team.message(team.bob, `before ${n}`);
  const ada = await openUnfocused(team);
  await ada.page.goto('/stream');
  await ada.page.getByText('before 2', { exact: true }).waitFor();
  team.proxy.cut();
  const last = await change(team);
  team.hub.clock.advance(8 * 86_400_000);
  await pruneHub(team.hub);
  const after = await team.message(team.bob, 'after the sleep');
  team.proxy.forwardTo(team.hub);
  await ada.page.locator(`[data-item="${after.id}"]`).waitFor();
  await ada.page.getByText(last).waitFor();
  await expectAsLoaded(team, ada, '/stream', 'after the sleep');
  await ada.context.close();
});

test('content that failed to load while offline loads automatically once the connection is back', async () => {
  await using team = await startProxiedTeam(browser);
  await team.todo(team.bob, { title: 'Warm the cache', assigneeId: team.ada.user.id });
  const ada = await team.open();
  const { page } = ada;
  const side = (name: string) => page.locator('.side').getByRole('link', { name }).click();
  await page.goto('/search?q=cache');
  await page.locator('.hit').waitFor();
  await side('My to-dos');
  await page.locator('.todo').waitFor();
  await side('Stream');
  await page.locator('.entry').waitFor();
  team.proxy.cut();
  const error = page.getByRole('alert');
  await page.goBack();
  await error.waitFor();
  team.proxy.forwardTo(team.hub);
  await page.locator('.todo').waitFor();
  expect(await error.count()).toBe(0);
  team.proxy.cut();
  await page.goBack();
  await error.waitFor();
  await team.note(team.bob, { title: 'Cache', content: 'Made while Ada was away.' });
  team.proxy.forwardTo(team.hub);
  await page.locator('.hit').nth(1).waitFor();
  expect(await error.count()).toBe(0);
  // Search results from before the interruption are refreshed, too.
  team.proxy.cut();
  await page.getByText('Reconnecting.').waitFor();
  await team.note(team.bob, { title: 'Cache again', content: 'Made while Ada was away again.' });
  team.proxy.forwardTo(team.hub);
  await page.locator('.hit').nth(2).waitFor();
  await page.getByText('Reconnected.').waitFor();
  team.proxy.cut();
  await page.getByText('Reconnecting.').waitFor();
  expect(await page.getByText('Reconnected.').count()).toBe(0);
  // The code of a page opened for the first time is also loaded after reconnecting. A newer server may no longer have
  // it.
  await page.locator('.side').getByRole('link', { name: 'Settings' }).click();
  await error.getByText('Can’t reach the server.').waitFor();
  team.proxy.forwardTo(team.hub);
  await reconnect([ada]);
  await page.getByRole('heading', { name: 'Profile and password' }).waitFor();
  expect(await error.count()).toBe(0);
  await page.route('**/app/*.js', (route) => route.fulfill({ status: 404 }));
  await page.getByRole('link', { name: 'Access tokens', exact: true }).click();
  await error.getByText('The server may have been updated').waitFor();
  await page.unroute('**/app/*.js');
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Reload page' }).click()]);
  await page.getByRole('heading', { name: 'Access tokens' }).waitFor();
  await ada.context.close();
});
