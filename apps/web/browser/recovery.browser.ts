import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Hub } from '@hub/contract';
import type { Browser } from 'playwright-core';
import { pruneHub } from '../../api/src/testing/prune-hub.ts';
import { startTestHub, type TestHub } from '../../api/src/testing/start-test-hub.ts';
import { startBrowser, type TestSession } from './browser.ts';
import { type CuttableTeam, expectAsFresh, startCuttableTeam } from './cuttable-team.ts';
import { comeBack } from './every-view.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** Opens a page without the focus. It marks nothing as read, however long a busy machine takes. */
async function sitAside(team: CuttableTeam): Promise<TestSession> {
  const aside = await team.open();
  await aside.page.addInitScript(() => {
    document.hasFocus = () => false;
  });
  return aside;
}

/** The page that has been through it shows what a page shows that is loaded now, and shows it once. */
async function expectAsLoaded(team: CuttableTeam, recovered: TestSession, path: string, last: string): Promise<void> {
  await recovered.page.getByText(last).first().waitFor();
  const fresh = await sitAside(team);
  await fresh.page.goto(path);
  await fresh.page.getByText(last).first().waitFor();
  await expectAsFresh(recovered.page, fresh.page);
  await fresh.context.close();
}

async function change(team: CuttableTeam): Promise<string> {
  const [first] = (await team.messages()).items;
  const messages = [];
  for (let n = 0; n < 14; n++) messages.push(await team.message(team.bob, `while away ${n}`));
  if (first) await team.bob.json('PATCH', `/messages/${first.id}`, { text: 'changed while away' });
  await team.bob.json('DELETE', `/messages/${messages[3]?.id}`);
  await team.post('todos', { title: 'a to-do while away' });
  return 'a to-do while away';
}

for (const path of ['/stream', '/hubs/:hubId']) {
  test(`${path}: a connection that was cut comes back with all that was missed, once and in order`, async () => {
    await using team = await startCuttableTeam(browser);
    const at = path.replace(':hubId', team.hubId);
    await team.message(team.bob, 'before');
    await team.ada.json('PUT', `/hubs/${team.hubId}/read`, { seq: team.seq() });
    const ada = await (path === '/stream' ? sitAside(team) : team.open());
    await ada.page.goto(at);
    await ada.page.getByText('before', { exact: true }).waitFor();
    team.way.cut();
    await ada.page.getByText('Reconnecting.').waitFor();
    const last = await change(team);
    team.way.lead(team.hub);
    await comeBack([ada]);
    await ada.page.getByText('Back again. 15 posts caught up.').waitFor();
    if (path !== '/stream') {
      const last = await ada.page.locator('.feed-row', { hasText: 'while away 13' }).boundingBox();
      const toast = await ada.page.locator('.toast').boundingBox();
      // It does not cover what it announces.
      expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThanOrEqual(last?.y ?? 0);
    }
    await ada.page.getByText('Reconnecting.').waitFor({ state: 'detached' });
    // Whoever has a conversation before him reads what comes; where a page begins that is loaded now depends on that.
    if (path !== '/stream') await untilAllIsRead(team);
    await expectAsLoaded(team, ada, at, path === '/stream' ? last : 'while away 13');
    await ada.context.close();
  });
}

async function untilAllIsRead({ ada, hubId }: CuttableTeam): Promise<void> {
  const unread = async () => (await ada.json<Hub>('GET', `/hubs/${hubId}`)).body.unreadCounts?.message;
  while ((await unread()) !== 0);
}

test('a short cut is not spoken of', async () => {
  await using team = await startCuttableTeam(browser);
  await team.message(team.bob, 'before');
  const ada = await team.open();
  await ada.page.goto('/stream');
  await ada.page.getByText('before', { exact: true }).waitFor();
  await ada.page.evaluate(() => {
    new MutationObserver(() => {
      if (document.querySelector('.connection-toast .banner, .toast')) document.documentElement.dataset.spoken = 'yes';
    }).observe(document.body, { childList: true, subtree: true });
  });
  team.way.cut();
  await team.message(team.bob, 'after');
  team.way.lead(team.hub);
  await ada.page.getByText('after', { exact: true }).waitFor();
  expect(await ada.page.evaluate(() => document.documentElement.dataset.spoken)).toBeUndefined();
  await ada.context.close();
});

test('while the server is away a page asks for nothing but whether it is back, and fetches its code ahead once it is', async () => {
  await using team = await startCuttableTeam(browser);
  await team.message(team.bob, 'before');
  const ada = await team.open();
  const { page } = ada;
  await page.clock.install();
  await page.goto(`/hubs/${team.hubId}`);
  await page.getByText('before', { exact: true }).waitFor();
  await page.locator('.live', { hasText: 'Live' }).waitFor();
  // What is asked for once there is a connection.
  await page.clock.runFor(1_000);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  team.way.cut();
  await page.waitForEvent('requestfailed');
  // Each turn leaves time for what fails on the way.
  for (let turn = 0; turn < 28; turn += 1) await page.clock.runFor(500);
  expect(asked.filter((path) => path !== '/api/v1/live')).toEqual([]);
  expect(asked.length).toBeLessThan(16);
  const ahead = page.waitForRequest('**/app/*.js');
  team.way.lead(team.hub);
  await comeBack([ada]);
  await page.getByText('Reconnecting.').waitFor({ state: 'detached' });
  await page.clock.runFor(3_000);
  await ahead;
  await ada.context.close();
});

test('a server that starts again is the same to its readers', async () => {
  await using team = await startCuttableTeam(browser);
  await team.message(team.bob, 'before');
  const ada = await sitAside(team);
  await ada.page.goto('/stream');
  await ada.page.getByText('before', { exact: true }).waitFor();
  team.way.cut();
  await team.hub.stop();
  await using next: TestHub = await startTestHub({
    clock: team.hub.clock,
    dataDir: team.hub.dataDir,
    baseUrl: team.way.url,
  });
  team.way.lead(next);
  const bob = { ...team.bob.headers, 'content-type': 'application/json' };
  for (const text of ['first after', 'second after']) {
    const body = JSON.stringify({ text });
    const response = await next.fetch(`/api/v1/hubs/${team.hubId}/messages`, { method: 'POST', headers: bob, body });
    expect(response.status).toBe(201);
  }
  await expectAsLoaded({ ...team, hub: next }, ada, '/stream', 'second after');
  await ada.context.close();
});

test('a tab that slept longer than events are kept loads anew, and is the same as one that is opened now', async () => {
  await using team = await startCuttableTeam(browser);
  for (let n = 0; n < 3; n++) await team.message(team.bob, `before ${n}`);
  const ada = await sitAside(team);
  await ada.page.goto('/stream');
  await ada.page.getByText('before 2', { exact: true }).waitFor();
  team.way.cut();
  const last = await change(team);
  team.hub.clock.advance(8 * 86_400_000);
  await pruneHub(team.hub);
  const after = await team.message(team.bob, 'after the sleep');
  team.way.lead(team.hub);
  await ada.page.locator(`[data-item="${after.id}"]`).waitFor();
  await ada.page.getByText(last).waitFor();
  await expectAsLoaded(team, ada, '/stream', 'after the sleep');
  await ada.context.close();
});

test('what could not be loaded while there was no connection is loaded by itself once there is one', async () => {
  await using team = await startCuttableTeam(browser);
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
  team.way.cut();
  const error = page.getByRole('alert');
  await page.goBack();
  await error.waitFor();
  team.way.lead(team.hub);
  await page.locator('.todo').waitFor();
  expect(await error.count()).toBe(0);
  team.way.cut();
  await page.goBack();
  await error.waitFor();
  await team.note(team.bob, { title: 'Cache', content: 'Made while Ada was away.' });
  team.way.lead(team.hub);
  await page.locator('.hit').nth(1).waitFor();
  expect(await error.count()).toBe(0);
  // What was found before a cut is looked for anew, too.
  team.way.cut();
  await page.getByText('Reconnecting.').waitFor();
  await team.note(team.bob, { title: 'Cache again', content: 'Made while Ada was away again.' });
  team.way.lead(team.hub);
  await page.locator('.hit').nth(2).waitFor();
  await page.getByText('Back again.').waitFor();
  team.way.cut();
  await page.getByText('Reconnecting.').waitFor();
  expect(await page.getByText('Back again.').count()).toBe(0);
  // So is the code of a page that was not opened before; a newer server does not have it any more.
  await page.locator('.side').getByRole('link', { name: 'Settings' }).click();
  await error.getByText('The server cannot be reached.').waitFor();
  team.way.lead(team.hub);
  await comeBack([ada]);
  await page.getByRole('heading', { name: 'Profile and password' }).waitFor();
  expect(await error.count()).toBe(0);
  await page.route('**/app/*.js', (route) => route.fulfill({ status: 404 }));
  await page.getByRole('link', { name: 'Access tokens', exact: true }).click();
  await error.getByText('The server may have a newer version').waitFor();
  await page.unroute('**/app/*.js');
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Load the page anew' }).click()]);
  await page.getByRole('heading', { name: 'Access tokens' }).waitFor();
  await ada.context.close();
});
