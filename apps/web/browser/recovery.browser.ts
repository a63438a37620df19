import { afterAll, expect, test } from 'bun:test';
import type { Note, Todo } from '@hub/contract';
import { expectAccessible } from '@hub/testkit/browser/axe';
import { testBrowser } from '@hub/testkit/browser/browser';
import { readAll } from '@hub/testkit/browser/hub-test-sessions';
import { type ProxiedTeam, startProxiedTeam } from '@hub/testkit/browser/proxied-team';
import { enter, painted, pressIfThere, seen } from '@hub/testkit/browser/steps';
import { settleDelayed } from '@hub/testkit/in-process/test-clock';
import { post, startOnDatabase, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { callerWith, signIn } from '@hub/testkit/in-process/users';
import type { Page } from 'playwright-core';

/** Creates items that a change uses up, since nothing is deleted or converted twice. */
async function createUsedUp({ ada, bob, message, note, todo }: ProxiedTeam) {
  return {
    edited: await message(bob, 'before 1'),
    // By another author: of ten messages in a row by the same one, the page keeps names where it first showed them.
    converted: await message(ada, 'before 2'),
    removed: await message(bob, 'before 3'),
    gone: await note(bob, { title: 'A note to delete', content: 'Soon.' }),
    todo: await todo(bob, { title: 'A to-do', assigneeId: ada.user.id }),
  };
}

/** Creates items of every kind, so that each view shows some, and marks all of them as read. */
async function createItems(team: ProxiedTeam) {
  const { ada, bob } = team;
  const thread = await team.message(bob, 'before 0');
  for (const text of ['first reply', 'second reply']) await team.reply(bob, thread, text);
  const note = await team.note(bob, { title: 'A note', content: 'As it was.' });
  const open = await team.todo(bob, { title: 'Another to-do', assigneeId: ada.user.id, priority: 'HIGH' });
  const usedUp = [];
  for (let sets = 0; sets < 3; sets += 1) usedUp.push(await createUsedUp(team));
  await readAll(team);
  return { thread, note, open, usedUp };
}
type ViewItems = Awaited<ReturnType<typeof createItems>>;

/** Changes the items, of those used up one set. `by` describes when this happened and is part of the new text. */
async function change(
  team: ProxiedTeam,
  hub: TestHub,
  { fixture, set, by }: { fixture: ViewItems; set: number; by: string },
): Promise<void> {
  const items = fixture.usedUp[set];
  if (!items) throw new Error('All items are used up');
  // The ids of a restarted server follow the earlier ones only if time has passed.
  hub.clock.advance(1_000);
  const bob = callerWith(hub, team.bob.user, { ...team.bob.headers });
  const send = async <T>(method: string, path: string, body?: object) => (await bob.json<T>(method, path, body)).body;
  await send('PATCH', `/messages/${items.edited.id}`, { text: `edited ${by}` });
  await send('PUT', `/messages/${items.edited.id}/reactions/${encodeURIComponent('👍')}`);
  await send('DELETE', `/messages/${items.removed.id}`);
  await send('POST', `/items/${fixture.thread.id}/replies`, { text: `reply ${by}` });
  await send<Todo>('POST', `/messages/${items.converted.id}/conversion`, { to: 'todo' });
  const { version } = await send<Note>('GET', `/items/${fixture.note.id}`);
  await send('PATCH', `/notes/${fixture.note.id}`, { content: `Written ${by}.`, version });
  await send('DELETE', `/notes/${items.gone.id}`);
  await send('PATCH', `/todos/${items.todo.id}`, { status: 'done' });
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
    { at: `${hub}?open=${fixture.thread.id}`, begins: 'second reply', shows: (by) => `reply ${by}` },
    { at: `${hub}/todos?status=all&open=${fixture.open.id}`, begins: 'Mark as done', shows: (by) => `Task ${by}` },
    { at: `${hub}/notes?open=${fixture.note.id}`, begins: 'A note', shows: (by) => `Note ${by}` },
    { at: `/stream?open=${fixture.thread.id}`, begins: 'second reply', shows: (by) => `message ${by}` },
    { at: '/todos', begins: 'Another to-do', shows: (by) => `To-do ${by}` },
    { at: '/mentions', begins: 'For you', shows: (by) => `message ${by}` },
  ];
}

/** So tall that all rows are in view: of the others, few are drawn. */
const TALL = { width: 1_280, height: 4_000 };

/** Opens a page for each view as Ada. None of the pages has the focus, so none marks anything as read. */
async function open(team: ProxiedTeam, fixture: ViewItems) {
  const { page: first, context } = await team.open();
  await context.addInitScript(() => {
    document.hasFocus = () => false;
  });
  await first.close();
  const pages: { page: Page; view: View }[] = [];
  for (const view of views(team, fixture)) {
    const page = await context.newPage();
    await page.setViewportSize(TALL);
    await page.goto(view.at);
    await page.getByText(view.begins).first().waitFor();
    pages.push({ page, view });
  }
  return { context, pages };
}
type Opened = Awaited<ReturnType<typeof open>>;

/** Presses "Try now", unless the connection was restored automatically first. */
async function reconnect(pages: readonly { page: Page }[]): Promise<void> {
  for (const { page } of pages) await pressIfThere(page.locator('.connection-toast .link'));
}

const AS_FRESH_MS = 30_000;

const PARTS =
  '.side .nav-row, .entry, .msg, .new-divider, .day, .todo, .group, .notes .note, .panel-title, .panel-scroll > *, .empty';

/** Returns the visible parts of a page, except for pointer and focus states. */
function shown(page: Page): Promise<string[]> {
  return page.locator(PARTS).evaluateAll((parts) =>
    parts.map((part) => {
      const classes = [...part.classList].filter((name) => name !== 'is-current');
      return `${classes.join('.')}|${part.textContent?.replace(/\s+/g, ' ').trim()}`;
    }),
  );
}

/** Returns the ids of items that a list shows more than once. */
function duplicateIds(page: Page): Promise<string[]> {
  return page.locator('.entries, .feed, .todo-groups, .notes, .panel-scroll').evaluateAll((lists) =>
    lists.flatMap((list) => {
      const rows = [...list.querySelectorAll<HTMLElement>('[data-item], [data-row], [data-todo], [data-note]')];
      const ids = rows.map(({ dataset: { item, row, todo, note } }) => item ?? row ?? todo ?? note ?? '');
      return ids.filter((id, index) => ids.indexOf(id) !== index);
    }),
  );
}

/** Waits until the page shows the same content as a freshly loaded one, without duplicates. */
async function expectAsFresh(recovered: Page, fresh: Page): Promise<void> {
  const until = performance.now() + AS_FRESH_MS;
  for (;;) {
    const [found, wanted] = [await shown(recovered), await shown(fresh)];
    if (JSON.stringify(found) === JSON.stringify(wanted)) break;
    // This assertion fails with the most useful difference.
    if (performance.now() > until) expect(found).toEqual(wanted);
    await painted(recovered);
  }
  expect(await duplicateIds(recovered)).toEqual([]);
}

async function expectAllAsFresh({ context, pages }: Opened, by: string): Promise<void> {
  const fresh = await context.newPage();
  await fresh.setViewportSize(TALL);
  for (const { page, view } of pages) {
    await fresh.goto(view.at);
    await fresh.getByText(view.shows(by)).first().waitFor();
    await expectAsFresh(page, fresh);
  }
  await fresh.close();
}

const browser = await testBrowser();
afterAll(() => browser.close());

test('every view equals a fresh load after a cut with a restart, a sleep longer than the retention of events, and a restored backup', async () => {
  await using team = await startProxiedTeam(browser);
  const { clock, dataDir } = team.hub;
  const fixture = await createItems(team);
  const opened = await open(team, fixture);
  const comesBack = async (hub: TestHub) => {
    team.proxy.forwardTo(hub);
    await reconnect(opened.pages);
  };

  team.proxy.cut();
  await change(team, team.hub, { fixture, set: 0, by: 'while away' });
  await team.hub.stop();
  await using restarted = await startTestHub({ clock, dataDir, baseUrl: team.proxy.url });
  await change(team, restarted, { fixture, set: 0, by: 'after the restart' });
  await comesBack(restarted);
  await expectAllAsFresh(opened, 'after the restart');

  team.proxy.cut();
  await change(team, restarted, { fixture, set: 1, by: 'in the week' });
  clock.advance(8 * 86_400_000);
  await restarted.prune();
  await change(team, restarted, { fixture, set: 1, by: 'after the week' });
  await comesBack(restarted);
  await expectAllAsFresh(opened, 'after the week');

  // Items missing from a restored backup disappear.
  const backup = await (await restarted.admin.raw('POST', '/backups')).bytes();
  await change(team, restarted, { fixture, set: 2, by: 'after the backup' });
  for (const { page, view } of opened.pages) await page.getByText(view.shows('after the backup')).first().waitFor();
  team.proxy.cut();
  await restarted.stop();
  await using restored = await startOnDatabase(team.hub, backup, { baseUrl: team.proxy.url });
  const bob = await signIn(restored, team.bob.user);
  await change({ ...team, bob }, restored, { fixture, set: 2, by: 'after it was restored' });
  await comesBack(restored);
  await settleDelayed(clock, signBackIn(team, opened));
  await expectAllAsFresh(opened, 'after it was restored');
  for (const { page } of opened.pages) expect(await page.locator('#app').getByText('after the backup').count()).toBe(0);
}, 240_000);

/** Signs in again, since a restored server has no sessions. One sign-in is enough for all tabs. */
async function signBackIn({ ada }: ProxiedTeam, { pages }: Opened): Promise<void> {
  const [first] = pages;
  if (!first) return;
  const restarted: Page[] = [];
  for (const { page } of pages) {
    await page.getByLabel('Password', { exact: true }).waitFor();
    // The code of the dialog may have been fetched during a cut, and Chromium keeps a failed import until a reload.
    if ((await page.getByRole('dialog', { name: 'Your session ended' }).count()) === 0) restarted.push(page);
  }
  if (restarted.includes(first.page)) await first.page.getByLabel('E-mail').fill(ada.user.email);
  await enter(first.page.getByLabel('Password', { exact: true }), ada.user.password);
  await first.page.getByLabel('Password', { exact: true }).waitFor({ state: 'detached' });
  for (const { page } of pages) await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  for (const page of restarted) if (page !== first.page) await page.reload();
}

test('after a lost connection, a conversation shows what it missed with a toast that counts it, and content that failed to load loads automatically; a short interruption is not reported', async () => {
  await using team = await startProxiedTeam(browser);
  await team.message(team.bob, 'before');
  const { page } = await team.open();
  await page.goto(`/hubs/${team.hubId}`);
  await seen(page.getByText('before', { exact: true }), page.locator('.live', { hasText: 'Live' }));
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
  for (let n = 0; n < 13; n += 1) await team.message(team.bob, `while away ${n}`);
  await team.message(team.bob, 'while away 13');
  team.proxy.forwardTo(team.hub);
  await reconnect([{ page }]);
  await page.getByText('Reconnected. Caught up on 14 posts.').waitFor();

  await team.todo(team.bob, { title: 'Warm the cache', assigneeId: team.ada.user.id });
  const side = (name: string) => page.locator('.side').getByRole('link', { name }).click();
  await page.goto('/search?q=cache');
  await page.locator('.hit').waitFor();
  await side('My to-dos');
  await page.locator('.todo').waitFor();
  await side('Stream');
  await page.locator('.entry').first().waitFor();
  team.proxy.cut();
  const error = page.getByRole('alert');
  await page.goBack();
  await error.waitFor();
  team.proxy.forwardTo(team.hub);
  await page.locator('.todo').waitFor();
  team.proxy.cut();
  await page.getByText('Reconnecting.').waitFor();
  // The code of a page opened for the first time is also loaded after reconnecting. A newer server may no longer have
  // it.
  await page.locator('.side').getByRole('link', { name: 'Settings' }).click();
  await error.getByText('Can’t reach the server.').waitFor();
  team.proxy.forwardTo(team.hub);
  await reconnect([{ page }]);
  await page.getByRole('heading', { name: 'Profile and password' }).waitFor();
  await error.first().waitFor({ state: 'detached' });
  await page.route('**/app/*.js', (route) => route.fulfill({ status: 404 }));
  await page.getByRole('link', { name: 'Access tokens', exact: true }).click();
  await error.getByText('The server may have been updated').waitFor();
  await page.unroute('**/app/*.js');
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Reload page' }).click()]);
  await page.getByRole('heading', { name: 'Access tokens' }).waitFor();
});

test('while the server is down, a page only checks whether it is back up, and prefetches code once it is', async () => {
  await using team = await startProxiedTeam(browser);
  await team.message(team.bob, 'before');
  const ada = await team.open({ loadsAhead: true });
  const { page } = ada;
  await page.clock.install();
  await page.goto(`/hubs/${team.hubId}`);
  await seen(page.getByText('before', { exact: true }), page.locator('.live', { hasText: 'Live' }));
  // Wait for the requests that follow a new connection, and for code that the page needs.
  await page.clock.runFor(1_000);
  await page.waitForLoadState('networkidle');
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
  // Not if the browser is asked to save data.
  const { page: saving } = await team.open();
  await saving.clock.install();
  await saving.goto(`/hubs/${team.hubId}`);
  await saving.locator('.live', { hasText: 'Live' }).waitFor();
  await saving.waitForLoadState('networkidle');
  const fetched: string[] = [];
  saving.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  await saving.clock.runFor(6_000);
  expect(fetched.filter((path) => path.startsWith('/app/'))).toEqual([]);
});
