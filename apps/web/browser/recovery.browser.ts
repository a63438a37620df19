import { afterAll, expect, test } from 'bun:test';
import type { Note, Todo } from '@hub/contract';
import { expectAccessible } from '@hub/testkit/browser/axe';
import { testBrowser } from '@hub/testkit/browser/browser';
import { expectAsFresh, type ProxiedTeam, startProxiedTeam } from '@hub/testkit/browser/proxied-team';
import { settleDelayed } from '@hub/testkit/in-process/test-clock';
import { post, pruneHub, startOnDatabase, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { callerWith, signIn } from '@hub/testkit/in-process/users';
import type { Page } from 'playwright-core';

/** Creates items of every kind, so that each view shows some, and marks all of them as read. */
async function createItems(team: ProxiedTeam) {
  const { ada, bob } = team;
  const thread = await team.message(bob, 'before 0');
  const edited = await team.message(bob, 'before 1');
  const converted = await team.message(bob, 'before 2');
  const removed = await team.message(bob, 'before 3');
  for (const text of ['first reply', 'second reply']) await team.reply(bob, thread, text);
  const note = await team.note(bob, { title: 'A note', content: 'As it was.' });
  const gone = await team.note(bob, { title: 'A note to delete', content: 'Soon.' });
  const todo = await team.todo(bob, { title: 'A to-do', assigneeId: ada.user.id });
  const open = await team.todo(bob, { title: 'Another to-do', assigneeId: ada.user.id, priority: 'HIGH' });
  await ada.json('PUT', `/hubs/${team.hubId}/read`, { seq: await team.seq() });
  return { thread, edited, converted, removed, note, gone, todo, open };
}
type ViewItems = Awaited<ReturnType<typeof createItems>>;

/** Changes all of the items. `by` describes when the change was made and is included in the new text. */
async function change(team: ProxiedTeam, hub: TestHub, fixture: ViewItems, by: string): Promise<void> {
  const bob = callerWith(hub, team.bob.user, { ...team.bob.headers });
  const send = async <T>(method: string, path: string, body?: object) => (await bob.json<T>(method, path, body)).body;
  await send('PATCH', `/messages/${fixture.edited.id}`, { text: `edited ${by}` });
  await send('PUT', `/messages/${fixture.edited.id}/reactions/${encodeURIComponent('👍')}`);
  await send('DELETE', `/messages/${fixture.removed.id}`);
  await send('POST', `/messages/${fixture.thread.id}/replies`, { text: `reply ${by}` });
  await send<Todo>('POST', `/messages/${fixture.converted.id}/conversion`, { to: 'todo' });
  const { version } = await send<Note>('GET', `/items/${fixture.note.id}`);
  await send('PATCH', `/notes/${fixture.note.id}`, { content: `Written ${by}.`, version });
  await send('DELETE', `/notes/${fixture.gone.id}`);
  await send('PATCH', `/todos/${fixture.todo.id}`, { status: 'done' });
  await send('PATCH', `/todos/${fixture.open.id}`, { priority: 'LOW', title: `To-do ${by}` });
  await post(hub, 'notes', team.key, { title: `Note ${by}`, content: 'Of a program.' });
  await post(hub, 'todos', team.key, { title: `Task ${by}` });
  await send('POST', `/hubs/${team.hubId}/messages`, { text: `message ${by}, @Ada Lovelace` });
}

interface View {
  at: string;
  /** Text shown before the changes. */
  begins: string;
  /** Text shown only once the view reflects the changes. */
  shows: (by: string) => string;
}

function views({ hubId }: ProxiedTeam, fixture: ViewItems): View[] {
  const hub = `/hubs/${hubId}`;
  return [
    { at: hub, begins: 'before 0', shows: (by) => `message ${by}` },
    { at: `${hub}?open=${fixture.thread.id}`, begins: 'second reply', shows: (by) => `reply ${by}` },
    { at: `${hub}/todos?status=all&open=${fixture.open.id}`, begins: 'Mark as done', shows: (by) => `Task ${by}` },
    { at: `${hub}/notes?open=${fixture.note.id}`, begins: 'A note', shows: (by) => `Note ${by}` },
    { at: `/stream?open=${fixture.thread.id}`, begins: 'second reply', shows: (by) => `message ${by}` },
    { at: '/todos', begins: 'Another to-do', shows: (by) => `To-do ${by}` },
    { at: '/mentions', begins: 'Mentions', shows: (by) => `message ${by}` },
  ];
}

/** Opens a page for each view as Ada. None of the pages has the focus, so none marks anything as read. */
async function open(team: ProxiedTeam, fixture: ViewItems, begins?: string) {
  const { page: first, context } = await team.open();
  await context.addInitScript(() => {
    document.hasFocus = () => false;
  });
  await first.close();
  const pages: { page: Page; view: View }[] = [];
  for (const view of views(team, fixture)) {
    const page = await context.newPage();
    await page.goto(view.at);
    await page
      .getByText(begins ? view.shows(begins) : view.begins)
      .first()
      .waitFor();
    pages.push({ page, view });
  }
  return { context, pages };
}
type Opened = Awaited<ReturnType<typeof open>>;

/** Presses "Try now", unless the connection was restored automatically first. */
async function reconnect(pages: readonly { page: Page }[]): Promise<void> {
  for (const { page } of pages)
    await page.locator('.connection-toast .link').evaluateAll((all) => (all[0] as HTMLElement)?.click());
}

async function expectAllAsFresh({ context, pages }: Opened, by: string): Promise<void> {
  const fresh = await context.newPage();
  for (const { page, view } of pages) {
    await fresh.goto(view.at);
    await fresh.getByText(view.shows(by)).first().waitFor();
    await expectAsFresh(page, fresh);
  }
}

const browser = await testBrowser();
afterAll(() => browser.close());

test('every view equals a fresh load after a dropped connection', async () => {
  await using team = await startProxiedTeam(browser);
  const fixture = await createItems(team);
  const opened = await open(team, fixture);
  team.proxy.cut();
  await change(team, team.hub, fixture, 'while away');
  team.proxy.forwardTo(team.hub);
  await reconnect(opened.pages);
  await expectAllAsFresh(opened, 'while away');
});

test('every view equals a fresh load after a server restart', async () => {
  await using team = await startProxiedTeam(browser);
  const fixture = await createItems(team);
  const opened = await open(team, fixture);
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
  const opened = await open(team, fixture);
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
  const opened = await open(team, fixture, 'in the backup');
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
