import type { Note, Todo } from '@hub/contract';
import type { Page } from 'playwright-core';
import { post, type TestHub } from '../in-process/test-hub.ts';
import { callerWith } from '../in-process/users.ts';
import { expectAsFresh, type ProxiedTeam } from './proxied-team.ts';

/** Creates items of every kind, so that each view shows some, and marks all of them as read. */
export async function createItems(team: ProxiedTeam) {
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
export async function change(team: ProxiedTeam, hub: TestHub, fixture: ViewItems, by: string): Promise<void> {
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
export async function open(team: ProxiedTeam, fixture: ViewItems, begins?: string) {
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
export type Opened = Awaited<ReturnType<typeof open>>;

/** Presses "Try now", unless the connection was restored automatically first. */
export async function reconnect(pages: readonly { page: Page }[]): Promise<void> {
  for (const { page } of pages)
    await page.locator('.connection-toast .link').evaluateAll((all) => (all[0] as HTMLElement)?.click());
}

export async function expectAllAsFresh({ context, pages }: Opened, by: string): Promise<void> {
  const fresh = await context.newPage();
  for (const { page, view } of pages) {
    await fresh.goto(view.at);
    await fresh.getByText(view.shows(by)).first().waitFor();
    await expectAsFresh(page, fresh);
  }
}
