import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Note, Todo } from '@hub/contract';
import type { Browser, Page } from 'playwright-core';
import { letSlowedPass } from '../../api/src/testing/let-slowed-pass.ts';
import { callerWith, signIn } from '../../api/src/testing/people.ts';
import { pruneHub } from '../../api/src/testing/prune-hub.ts';
import { startOnDatabase } from '../../api/src/testing/restart-hub.ts';
import { post, startTestHub, type TestHub } from '../../api/src/testing/start-test-hub.ts';
import { startBrowser } from './browser.ts';
import { type CuttableTeam, expectAsFresh, startCuttableTeam } from './cuttable-team.ts';

const DAY_MS = 86_400_000;

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** Items of every kind, of which each view shows some; all of them were read. */
async function beginning(team: CuttableTeam) {
  const { ada, bob } = team;
  const messages = [];
  for (let n = 0; n < 4; n++) messages.push(await team.message(bob, `before ${n}`));
  const [thread, edited, converted, removed] = messages as [{ id: string }, { id: string }, { id: string }, { id: string }];
  for (const text of ['first reply', 'second reply']) await team.reply(bob, thread, text);
  const note = await team.note(bob, { title: 'A note', content: 'As it was.' });
  const gone = await team.note(bob, { title: 'A note that goes', content: 'Soon.' });
  const todo = await team.todo(bob, { title: 'A to-do', assigneeId: ada.person.id });
  const open = await team.todo(bob, { title: 'Another to-do', assigneeId: ada.person.id, priority: 'HIGH' });
  await ada.json('PUT', `/hubs/${team.hubId}/read`, { seq: team.seq() });
  return { thread, edited, converted, removed, note, gone, todo, open };
}
type Scene = Awaited<ReturnType<typeof beginning>>;

/** What happens to all of it; `by` says when, so that it can be told from what happens later. */
async function change(team: CuttableTeam, hub: TestHub, scene: Scene, by: string): Promise<void> {
  const bob = callerWith(hub, team.bob.person, { ...team.bob.headers });
  const send = async <T>(method: string, path: string, body?: object) => (await bob.json<T>(method, path, body)).body;
  await send('PATCH', `/messages/${scene.edited.id}`, { text: `edited ${by}` });
  await send('PUT', `/messages/${scene.edited.id}/reactions/${encodeURIComponent('👍')}`);
  await send('DELETE', `/messages/${scene.removed.id}`);
  await send('POST', `/messages/${scene.thread.id}/replies`, { text: `reply ${by}` });
  await send<Todo>('POST', `/messages/${scene.converted.id}/conversion`, { to: 'todo' });
  const { version } = await send<Note>('GET', `/items/${scene.note.id}`);
  await send('PATCH', `/notes/${scene.note.id}`, { content: `Written ${by}.`, version });
  await send('DELETE', `/notes/${scene.gone.id}`);
  await send('PATCH', `/todos/${scene.todo.id}`, { status: 'done' });
  await send('PATCH', `/todos/${scene.open.id}`, { priority: 'LOW', title: `To-do ${by}` });
  await post(hub, 'notes', team.key, { title: `Note ${by}`, content: 'Of a program.' });
  await post(hub, 'todos', team.key, { title: `Task ${by}` });
  await send('POST', `/hubs/${team.hubId}/messages`, { text: `message ${by}, @Ada Lovelace` });
}

interface View {
  at: string;
  /** What it shows once it knows of the changes, and not before. */
  shows: (by: string) => string;
}

function views({ hubId }: CuttableTeam, scene: Scene): View[] {
  const hub = `/hubs/${hubId}`;
  return [
    { at: hub, shows: (by) => `message ${by}` },
    { at: `${hub}?open=${scene.thread.id}`, shows: (by) => `reply ${by}` },
    { at: `${hub}/todos?status=all&open=${scene.open.id}`, shows: (by) => `Task ${by}` },
    { at: `${hub}/notes?open=${scene.note.id}`, shows: (by) => `Note ${by}` },
    { at: `/stream?open=${scene.thread.id}`, shows: (by) => `message ${by}` },
    { at: '/todos', shows: (by) => `To-do ${by}` },
    { at: '/mentions', shows: (by) => `message ${by}` },
  ];
}

/** Ada with a page for each view. Nobody looks at them, so that none of them marks anything as read. */
async function open(team: CuttableTeam, scene: Scene) {
  const { page: first, context, faults } = await team.sit();
  await context.addInitScript(() => {
    document.hasFocus = () => false;
  });
  const load = async (at: string): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(at, { waitUntil: 'networkidle' });
    return page;
  };
  await first.close();
  const pages: { page: Page; view: View }[] = [];
  for (const view of views(team, scene)) pages.push({ page: await load(view.at), view });
  return { context, faults, load, pages };
}
type Opened = Awaited<ReturnType<typeof open>>;

async function comeBack(pages: readonly { page: Page }[]): Promise<void> {
  for (const { page } of pages) await page.locator('.notice .link').evaluateAll((all) => (all[0] as HTMLElement)?.click());
}

async function expectAllAsFresh({ pages, load }: Opened, by: string): Promise<void> {
  for (const { page, view } of pages) {
    await page.getByText(view.shows(by)).first().waitFor();
    const fresh = await load(view.at);
    await fresh.getByText(view.shows(by)).first().waitFor();
    await expectAsFresh(page, fresh);
    await fresh.close();
  }
}

test('after a cut every view is what a fresh load of it is', async () => {
  await using team = await startCuttableTeam(browser);
  const scene = await beginning(team);
  const opened = await open(team, scene);
  team.way.cut();
  await change(team, team.hub, scene, 'while away');
  team.way.lead(team.hub);
  await comeBack(opened.pages);
  await expectAllAsFresh(opened, 'while away');
  await opened.context.close();
});

test('after a restart of the server, too', async () => {
  await using team = await startCuttableTeam(browser);
  const scene = await beginning(team);
  const opened = await open(team, scene);
  await change(team, team.hub, scene, 'before it stops');
  team.way.cut();
  const { clock, dataDir } = team.hub;
  await team.hub.stop();
  await using next = await startTestHub({ clock, dataDir, baseUrl: team.way.url });
  await change(team, next, scene, 'after it began again');
  team.way.lead(next);
  await comeBack(opened.pages);
  await expectAllAsFresh(opened, 'after it began again');
  await opened.context.close();
});

test('after a sleep that was longer than events are kept, too', async () => {
  await using team = await startCuttableTeam(browser);
  const scene = await beginning(team);
  const opened = await open(team, scene);
  team.way.cut();
  await change(team, team.hub, scene, 'in the week');
  team.hub.clock.advance(8 * DAY_MS);
  await pruneHub(team.hub);
  await change(team, team.hub, scene, 'after the week');
  team.way.lead(team.hub);
  await comeBack(opened.pages);
  await expectAllAsFresh(opened, 'after the week');
  await opened.context.close();
});

test('after a backup was restored, what it does not hold is gone, and one goes on where it ends', async () => {
  await using team = await startCuttableTeam(browser);
  const scene = await beginning(team);
  await change(team, team.hub, scene, 'in the backup');
  const backup = await (await team.hub.admin.raw('POST', '/backups')).bytes();
  const opened = await open(team, scene);
  await change(team, team.hub, scene, 'after the backup');
  for (const { page, view } of opened.pages) await page.getByText(view.shows('after the backup')).first().waitFor();
  team.way.cut();
  await team.hub.stop();
  await using restored = await startOnDatabase(team.hub, backup, { baseUrl: team.way.url });
  const bob = await signIn(restored, team.bob.person);
  await change({ ...team, bob }, restored, scene, 'after it was restored');
  team.way.lead(restored);
  await comeBack(opened.pages);
  await letSlowedPass(team.hub.clock, signInAgain(team, opened));
  await expectAllAsFresh(opened, 'after it was restored');
  for (const { page } of opened.pages) expect(await page.getByText('after the backup').count()).toBe(0);
  await opened.context.close();
});

/** A restored server knows no session: whoever signs in in one tab is signed in in all of them. */
async function signInAgain({ ada }: CuttableTeam, { pages }: Opened): Promise<void> {
  const [first] = pages;
  if (!first) return;
  for (const { page } of pages) await page.getByRole('dialog', { name: 'You were signed out' }).waitFor();
  await first.page.getByLabel('Password', { exact: true }).fill(ada.person.password);
  await first.page.keyboard.press('Enter');
  await first.page.getByRole('dialog').waitFor({ state: 'detached' });
  for (const { page } of pages) await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
}
