import { afterAll, expect, test } from 'bun:test';
import { expectAccessible } from '@hub/testkit/browser/axe';
import { testBrowser } from '@hub/testkit/browser/browser';
import {
  change,
  createItems,
  expectAllAsFresh,
  type Opened,
  open as openViews,
  reconnect,
} from '@hub/testkit/browser/every-view';
import { type ProxiedTeam, startProxiedTeam } from '@hub/testkit/browser/proxied-team';
import { settleDelayed } from '@hub/testkit/in-process/test-clock';
import { pruneHub, startOnDatabase, startTestHub } from '@hub/testkit/in-process/test-hub';
import { signIn } from '@hub/testkit/in-process/users';

const browser = await testBrowser();
afterAll(() => browser.close());

test('every view equals a fresh load after a dropped connection', async () => {
  await using team = await startProxiedTeam(browser);
  const fixture = await createItems(team);
  const opened = await openViews(team, fixture);
  team.proxy.cut();
  await change(team, team.hub, fixture, 'while away');
  team.proxy.forwardTo(team.hub);
  await reconnect(opened.pages);
  await expectAllAsFresh(opened, 'while away');
});

test('every view equals a fresh load after a server restart', async () => {
  await using team = await startProxiedTeam(browser);
  const fixture = await createItems(team);
  const opened = await openViews(team, fixture);
  await change(team, team.hub, fixture, 'before it stops');
  team.proxy.cut();
  const { clock, dataDir } = team.hub;
  await team.hub.stop();
  await using next = await startTestHub({ clock, dataDir, baseUrl: team.proxy.url });
  await change(team, next, fixture, 'after it began again');
  team.proxy.forwardTo(next);
  await reconnect(opened.pages);
  await expectAllAsFresh(opened, 'after it began again');
});

test('every view equals a fresh load after a sleep longer than the event retention period', async () => {
  await using team = await startProxiedTeam(browser);
  const fixture = await createItems(team);
  const opened = await openViews(team, fixture);
  team.proxy.cut();
  await change(team, team.hub, fixture, 'in the week');
  team.hub.clock.advance(8 * 86_400_000);
  await pruneHub(team.hub);
  await change(team, team.hub, fixture, 'after the week');
  team.proxy.forwardTo(team.hub);
  await reconnect(opened.pages);
  await expectAllAsFresh(opened, 'after the week');
});

test('items missing from a restored backup disappear, and the reader continues where the backup ends', async () => {
  await using team = await startProxiedTeam(browser);
  const fixture = await createItems(team);
  await change(team, team.hub, fixture, 'in the backup');
  const backup = await (await team.hub.admin.raw('POST', '/backups')).bytes();
  const opened = await openViews(team, fixture, 'in the backup');
  await change(team, team.hub, fixture, 'after the backup');
  for (const { page, view } of opened.pages) await page.getByText(view.shows('after the backup')).first().waitFor();
  team.proxy.cut();
  await team.hub.stop();
  await using restored = await startOnDatabase(team.hub, backup, { baseUrl: team.proxy.url });
  const bob = await signIn(restored, team.bob.user);
  await change({ ...team, bob }, restored, fixture, 'after it was restored');
  team.proxy.forwardTo(restored);
  await reconnect(opened.pages);
  await settleDelayed(team.hub.clock, signBackIn(team, opened));
  await expectAllAsFresh(opened, 'after it was restored');
  for (const { page } of opened.pages) expect(await page.getByText('after the backup').count()).toBe(0);
});

/** Signs in again, since a restored server has no sessions. One sign-in is enough for all tabs. */
async function signBackIn({ ada }: ProxiedTeam, { pages }: Opened): Promise<void> {
  const [first] = pages;
  if (!first) return;
  for (const { page } of pages) await page.getByRole('dialog', { name: 'Your session ended' }).waitFor();
  await first.page.getByLabel('Password', { exact: true }).fill(ada.user.password);
  await first.page.keyboard.press('Enter');
  await first.page.getByRole('dialog').waitFor({ state: 'detached' });
  for (const { page } of pages) await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
}

test('after a lost connection, a conversation shows what it missed below the toast that counts it; a short interruption is not reported', async () => {
  await using team = await startProxiedTeam(browser);
  await team.message(team.bob, 'before');
  const { page } = await team.open();
  await page.goto(`/hubs/${team.hubId}`);
  await page.getByText('before', { exact: true }).waitFor();
  await page.locator('.live', { hasText: 'Live' }).waitFor();
  await page.evaluate(() => {
    new MutationObserver(() => {
      if (document.querySelector('.connection-toast .banner, .toast')) document.documentElement.dataset.spoken = 'yes';
    }).observe(document.body, { childList: true, subtree: true });
  });
  team.proxy.cut();
  await team.message(team.bob, 'after');
  team.proxy.forwardTo(team.hub);
  await page.getByText('after', { exact: true }).waitFor();
  expect(await page.evaluate(() => document.documentElement.dataset.spoken)).toBeUndefined();
  team.proxy.cut();
  await page.getByText('Reconnecting.').waitFor();
  await expectAccessible(page);
  for (let n = 0; n < 14; n += 1) await team.message(team.bob, `while away ${n}`);
  team.proxy.forwardTo(team.hub);
  await reconnect([{ page }]);
  await page.getByText('Reconnected. Caught up on 14 posts.').waitFor();
  const last = await page.locator('.feed-row', { hasText: 'while away 13' }).boundingBox();
  const toast = await page.locator('.toast').boundingBox();
  expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThanOrEqual(last?.y ?? 0);
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
  team.proxy.cut();
  await page.goBack();
  await error.waitFor();
  await team.note(team.bob, { title: 'Cache', content: 'Made while Ada was away.' });
  team.proxy.forwardTo(team.hub);
  await page.locator('.hit').nth(1).waitFor();
  expect(await error.count()).toBe(0);
  team.proxy.cut();
  await page.getByText('Reconnecting.').waitFor();
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
});
