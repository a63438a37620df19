import { expect, test } from 'bun:test';
import type { Todo } from '@hub/contract';
import { expectAccessible } from '@hub/testkit/browser/axe';
import { PHONE } from '@hub/testkit/browser/browser';
import { teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { enter, eventually, failWrites, press, seen, show } from '@hub/testkit/browser/steps';
import { startTeam } from '@hub/testkit/in-process/team';
import { addMember, type UserCaller } from '@hub/testkit/in-process/users';
import type { Page } from 'playwright-core';

/** A Thursday morning in Berlin. */
const NOW = '2026-11-12T10:00:00Z';

// The browser logs the requests that fail.
const { team: first, open, newHub, forgetProblems } = await teamSessions(startTeam(), { expected: /net::ERR_FAILED/ });
type HubTeam = Awaited<ReturnType<typeof newHub>>;

const todosOf = ({ hubId }: HubTeam, caller: UserCaller, query = '', look = {}) =>
  open(caller, `/hubs/${hubId}/todos${query}`, { now: NOW, ...look });
const row = (page: Page, title: string) => page.locator('.todo', { hasText: title });
const doneRow = (page: Page, title: string) => page.locator('.todo.is-done', { hasText: title });
const openRow = (page: Page, title: string) => page.locator('.todo:not(.is-done)', { hasText: title });
const check = (page: Page, title: string) => page.locator('.main').getByRole('checkbox', { name: title, exact: true });
const group = (page: Page, name: string) =>
  page.locator('.todo-group', { has: page.getByRole('heading', { name: new RegExp(`^${name} `) }) });
const panel = (page: Page) => page.locator('.panel');
const isOpen = async (team: HubTeam, todo: { id: string }) => (await team.show<Todo>(todo)).status === 'open';

test("the list groups to-dos by day in the reader's time zone, and moves them as time passes, when they arrive and when they are done", async () => {
  const team = await newHub();
  await team.todo(team.ada, { title: 'Past', dueDate: '2026-11-10T12:00:00Z', priority: 'HIGH' });
  await team.todo(team.ada, { title: 'Due at noon', dueDate: '2026-11-12T11:00:00Z' });
  await team.todo(team.ada, { title: 'Late tonight', dueDate: '2026-11-12T22:30:00Z' });
  await team.todo(team.ada, { title: 'After midnight', dueDate: '2026-11-12T23:30:00Z' });
  const todo = await team.todo(team.ada, { title: 'Freeze main' });
  const [ada, bob] = [await todosOf(team, team.ada), await todosOf(team, team.bob)];
  const groups = { Overdue: 'Past', Today: 'Late tonight', 'Next 7 days': 'After midnight' };
  for (const [name, title] of Object.entries(groups)) await group(ada, name).getByText(title).waitFor();
  await team.post('todos', { title: 'From the pipeline', dueDate: '2026-12-24T12:00:00Z', priority: 'URGENT' });
  await group(ada, 'Later').getByText('From the pipeline').waitFor();
  await row(ada, 'From the pipeline').getByText('ci', { exact: true }).waitFor();
  await expectAccessible(ada);

  // A checked-off to-do stays in place for a while, and under the pointer for longer.
  await check(ada, 'Freeze main').check();
  await seen(doneRow(bob, 'Freeze main'), group(bob, 'No date').getByText('Freeze main'));
  expect((await team.show<Todo>(todo)).finishedBy?.name).toBe('Ada Lovelace');
  await bob.clock.fastForward(7_000);
  await row(bob, 'Freeze main').waitFor({ state: 'detached' });
  await bob.getByRole('button', { name: 'Done', exact: true }).click();
  await row(bob, 'Freeze main').waitFor();
  expect(new URL(bob.url()).searchParams.get('status')).toBe('done');
  await ada.clock.fastForward(7_000);
  expect(await row(ada, 'Freeze main').isVisible()).toBeTrue();
  // To-dos that others add while the pointer is there wait, so that no row moves.
  await team.post('todos', { title: 'From the pipeline at once', dueDate: '2026-11-09T12:00:00Z' });
  await ada.getByRole('button', { name: '1 new', exact: true }).waitFor();
  expect(await row(ada, 'From the pipeline at once').count()).toBe(0);
  await ada.getByRole('button', { name: '1 new', exact: true }).click();
  await group(ada, 'Overdue').getByText('From the pipeline at once').waitFor();
  await check(ada, 'From the pipeline at once').check();

  await ada.clock.fastForward('01:01:00');
  await group(ada, 'Overdue').getByText('Due at noon').waitFor();
});

test('a click just after another member checked a to-do off does not reopen it; a check is reverted by Undo, and when it could not be saved, which can be tried again', async () => {
  const team = await newHub();
  const todo = await team.todo(team.ada, { title: 'Both at once' });
  const page = await todosOf(team, team.ada);
  const box = check(page, 'Both at once');
  await box.hover();
  await team.bob.json('PATCH', `/todos/${todo.id}`, { status: 'done' });
  await doneRow(page, 'Both at once').waitFor();
  await box.click();
  expect(await box.isChecked()).toBeTrue();
  await page.clock.fastForward(2_000);
  await box.click();
  await eventually(() => isOpen(team, todo));
  // A click takes effect even right after the member's own change.
  await box.click();
  await page.getByText('Done: Both at once').waitFor();
  await box.click();
  await eventually(() => isOpen(team, todo));
  // Bob's change arrives while Ada holds the button down.
  await box.hover();
  await page.mouse.down();
  await page.clock.fastForward(2_000);
  await team.bob.json('PATCH', `/todos/${todo.id}`, { status: 'done' });
  await doneRow(page, 'Both at once').waitFor();
  await page.clock.fastForward(2_000);
  await page.mouse.up();
  expect(await box.isChecked()).toBeTrue();
  expect((await team.show<Todo>(todo)).finishedBy?.name).toBe('Bob Kahn');

  const early = await team.todo(team.ada, { title: 'Too early' });
  await check(page, 'Too early').check();
  await page.getByText('Done: Too early').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await openRow(page, 'Too early').waitFor();
  await eventually(() => isOpen(team, early));
  await page.route('**/api/v1/todos/*', (route) => route.abort());
  await check(page, 'Too early').click();
  await page.getByText('Not saved.').waitFor();
  expect(await check(page, 'Too early').isChecked()).toBeFalse();
  await page.unroute('**/api/v1/todos/*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await doneRow(page, 'Too early').waitFor();
  await eventually(async () => !(await isOpen(team, early)));
});

test('a to-do is added with Enter and the active filters, and with the name, the day and the priority at its end; a title survives a reload, and one that is too long stays in its field', async () => {
  const team = await newHub();
  const ada = await todosOf(team, team.ada, '', { look: PHONE });
  const field = ada.getByRole('textbox', { name: 'New to-do' });
  await field.fill('First of two');
  await ada.reload();
  await eventually(async () => (await field.inputValue()) === 'First of two');
  await field.press('Enter');
  await ada.getByRole('status').getByText('To-do added.').waitFor({ state: 'attached' });
  await row(ada, 'First of two').waitFor();
  await ada.locator('.add-row input:focus').waitFor();
  const title = 'unbroken'.repeat(40);
  await field.fill(title);
  await ada.getByText('65 characters over the limit of 255.').waitFor();
  await field.press('Enter');
  expect([await field.inputValue(), await ada.locator('.pending-todo').count()]).toEqual([title, 0]);
  await field.fill('');

  await show(ada, `/hubs/${team.hubId}/todos?assignee=me&priority=low`, '.empty');
  await enter(field, 'Small and mine');
  await row(ada, 'Small and mine').getByRole('img', { name: 'Low priority' }).waitFor();
  await row(ada, 'Small and mine').getByRole('img', { name: 'Ada Lovelace' }).waitFor();

  // A name, a day and a priority at the end are fields, unless they are meant as text.
  await show(ada, `/hubs/${team.hubId}/todos`, row(ada, 'First of two'));
  await field.fill('Plan tomorrow @bob !high tomorrow');
  const chips = ada.getByRole('group', { name: 'Understood' });
  await chips.getByText('High').waitFor();
  expect((await chips.getByRole('button').allTextContents()).map((text) => text.trim())).toEqual([
    'Bob Kahn',
    'High',
    'Tomorrow',
  ]);
  await expectAccessible(ada);
  await field.press('Enter');
  const planned = row(ada, 'Plan tomorrow');
  await seen(planned.getByRole('img', { name: 'High priority' }), planned.getByRole('img', { name: 'Bob Kahn' }));
  await group(ada, 'Next 7 days').getByText('Plan tomorrow', { exact: true }).waitFor();
  await field.fill('Call her today');
  await ada.getByRole('button', { name: 'keep “today” as text' }).click();
  await field.press('Enter');
  await group(ada, 'No date').getByText('Call her today').waitFor();
});

test('several to-dos are selected with Shift or by touch, and done, assigned or deleted at once, with undo', async () => {
  const team = await newHub();
  for (const title of ['Deploy', 'Check', 'Build', 'Plan']) await team.todo(team.ada, { title });
  const ada = await todosOf(team, team.ada);
  const bar = ada.getByRole('toolbar', { name: 'Selected to-dos' });
  const title = (name: string) => row(ada, name).locator('.title');
  await title('Plan').click({ modifiers: ['Shift'] });
  await title('Check').click({ modifiers: ['Shift'] });
  await bar.getByText('3 selected').waitFor();
  const isSelected = (name: string) => ada.getByRole('checkbox', { name: `Select ${name}` }).isChecked();
  expect(await Promise.all(['Plan', 'Build', 'Deploy'].map(isSelected))).toEqual([true, true, false]);
  await bar.getByRole('button', { name: 'Assign' }).click();
  await ada.getByRole('option', { name: 'Bob Kahn' }).click();
  await ada.getByText('3 to-dos assigned to Bob Kahn.').waitFor();
  expect(await ada.locator('.todo').getByRole('img', { name: 'Bob Kahn' }).count()).toBe(3);
  await ada.getByRole('button', { name: 'Undo' }).click();
  await ada.getByRole('img', { name: 'Bob Kahn' }).first().waitFor({ state: 'detached' });

  await bar.getByRole('button', { name: 'Clear the selection' }).click();

  const phone = await todosOf(team, team.bob, '', { look: PHONE });
  await phone.getByRole('button', { name: 'Select' }).tap();
  await phone.getByText('Select to-dos').waitFor();
  for (const name of ['Plan', 'Build']) await row(phone, name).tap();
  await expectAccessible(phone);
  await phone.getByRole('button', { name: 'Done', exact: true }).last().tap();
  for (const name of ['Plan', 'Build']) await doneRow(ada, name).waitFor();
  for (const name of ['Check', 'Deploy']) await title(name).click({ modifiers: ['Shift'] });
  await bar.getByRole('button', { name: 'Delete' }).click();
  await row(ada, 'Check').waitFor({ state: 'detached' });
  await ada.getByRole('button', { name: 'Undo' }).click();
  for (const name of ['Check', 'Deploy']) await openRow(ada, name).waitFor();
});

test('a to-do that could not be added says so, survives a reload and is added on retry with its filters; one from offline is added later', async () => {
  const team = await newHub();
  const page = await todosOf(team, team.ada, '?priority=high');
  const field = page.getByRole('textbox', { name: 'New to-do' });
  await failWrites(page, '**/todos');
  await enter(field, 'Not lost');
  await page.getByText('It may have been sent').waitFor();
  await page.unroute('**/todos');
  await page.goto(`/hubs/${team.hubId}/todos`);
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/todos'));
  await page.getByRole('button', { name: 'Try again' }).click();
  await row(page, 'Not lost').waitFor();
  expect((await sent).postDataJSON()).toEqual({ title: 'Not lost', priority: 'HIGH' });

  // The page asks whether the server can be reached anyway, perhaps a moment too early.
  await page.route('**/api/v1', (route) => route.abort());
  await page.context().setOffline(true);
  await page.getByText('You’re offline.').waitFor();
  await enter(field, 'In a tunnel');
  await page.locator('.pending-todo', { hasText: 'In a tunnel' }).waitFor();
  await page.unroute('**/api/v1');
  await page.context().setOffline(false);
  await row(page, 'In a tunnel').waitFor();
  expect(await page.locator('.pending-todo').count()).toBe(0);
  forgetProblems(page);
});

test('filters are kept in the URL, a link shows the same list, and the member themselves is offered first', async () => {
  const team = await newHub();
  await team.todo(team.ada, { title: 'Mine and urgent', priority: 'URGENT', assigneeId: team.ada.user.id });
  await team.todo(team.ada, { title: 'Of Bob and urgent', priority: 'URGENT', assigneeId: team.bob.user.id });
  const page = await todosOf(team, team.ada);
  await page.getByRole('button', { name: 'Assignee' }).click();
  const options = page.getByRole('listbox', { name: 'Assignee' }).getByRole('option');
  await options.filter({ hasText: 'Bob Kahn' }).waitFor();
  expect((await options.locator('.name').allTextContents()).slice(0, 3)).toEqual([
    'Anyone',
    'Unassigned',
    'Ada Lovelace (you)',
  ]);
  await page.getByRole('combobox', { name: 'Assignee' }).fill('bob');
  await page.getByRole('status').getByText('1 found').waitFor({ state: 'attached' });
  await page.keyboard.press('Enter');
  await row(page, 'Mine and urgent').waitFor({ state: 'detached' });
  await page.getByRole('status').getByText('1 to-do', { exact: true }).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Priority' }).click();
  await page.getByRole('menuitemradio', { name: 'Urgent' }).click();
  const { search } = new URL(page.url());
  expect(search).toBe(`?assignee=${team.bob.user.id}&priority=urgent`);
  await page.goto(`/hubs/${team.hubId}/todos${search}`);
  await row(page, 'Of Bob and urgent').waitFor();
  expect(await page.locator('.todo').count()).toBe(1);
  await page.getByRole('button', { name: 'Clear' }).click();
  await row(page, 'Mine and urgent').waitFor();
});

test('My to-dos shows those assigned to the member from every Hub, also while assignments and states change', async () => {
  const team = await newHub();
  const { id: otherHubId } = await team.hub.admin.createHub('Website');
  for (const { user } of [team.ada, team.bob]) await addMember(first.hub, otherHubId, user);
  const assigneeId = team.ada.user.id;
  const addTo = async (hubId: string, body: object) =>
    (await team.bob.json<Todo>('POST', `/hubs/${hubId}/todos`, body)).body;
  await addTo(team.hubId, { title: 'Before opening', assigneeId, dueDate: '2026-11-12T17:00:00Z' });
  const page = await open(team.ada, '/todos', { now: NOW });
  await row(page, 'Before opening').getByText('Releases').waitFor();
  const assigned = await addTo(otherHubId, { title: 'Assigned afterwards' });
  await addTo(otherHubId, { title: 'Assigned to Bob', assigneeId: team.bob.user.id });
  await team.bob.json('PATCH', `/todos/${assigned.id}`, { assigneeId });
  await row(page, 'Assigned afterwards').getByText('Website').waitFor();
  expect(await page.locator('.todo').count()).toBe(2);
  await page.getByRole('link', { name: 'My to-dos 1 due today' }).waitFor();
  await page.getByRole('button', { name: 'Hub: Releases' }).click();
  await page.getByRole('menuitemradio', { name: 'Website' }).click();
  await enter(page.getByRole('textbox', { name: 'New to-do' }), 'Written here 2026-11-11');
  await seen(group(page, 'Overdue').getByText('Written here'), row(page, 'Written here').getByText('Website'));
  await page.getByRole('link', { name: 'My to-dos 2 due today or overdue, 1 overdue' }).waitFor();
  await page.mouse.move(0, 0);
  await team.bob.json('PATCH', `/todos/${assigned.id}`, { status: 'done' });
  await doneRow(page, 'Assigned afterwards').waitFor();
  await page.clock.fastForward(7_000);
  await row(page, 'Assigned afterwards').waitFor({ state: 'detached' });
  await show(page, '/todos', row(page, 'Before opening'));
  await row(page, 'Before opening').getByRole('link').click();
  await panel(page).getByRole('heading', { name: 'Before opening' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/todos');
  await team.hub.admin.deleteHub(otherHubId);
});

test('assignee, priority and due date are saved immediately and appear for the other member; a to-do links to the message that it came from, and says when that was deleted', async () => {
  const team = await newHub();
  const todo = await team.todo(team.ada, { title: 'Find the slow span' });
  const at = `?open=${todo.id}`;
  const [ada, bob] = [await todosOf(team, team.ada, at), await todosOf(team, team.bob, at)];
  const button = (page: Page, name: string | RegExp) => panel(page).getByRole('button', { name });
  await button(ada, 'Assignee: Unassigned').click();
  await ada.getByRole('option', { name: 'Bob Kahn' }).waitFor();
  await enter(ada.getByRole('combobox', { name: 'Assignee' }), 'kah');
  await button(bob, 'Assignee: Bob Kahn').waitFor();
  await button(ada, 'Priority: None').click();
  await ada.getByRole('menuitemradio', { name: 'Urgent' }).click();
  await button(bob, 'Priority: Urgent').waitFor();
  await button(ada, 'Due: No date').click();
  await button(ada, 'Tomorrow').click();
  await button(bob, 'Due: Tomorrow').waitFor();
  await button(ada, 'Due: Tomorrow').click();
  await panel(ada).getByLabel('Time (optional)').fill('18:00');
  await button(bob, 'Due: Tomorrow, 18:00').waitFor();
  // Six in the evening in Berlin.
  const dueDate = '2026-11-13T17:00:00.000Z';
  expect((await team.show<Todo>(todo)).dueDate).toBe(dueDate);
  await expectAccessible(ada);

  // A half-typed day keeps the due date; an empty one removes it.
  const day = panel(ada).getByLabel('Day', { exact: true });
  await day.focus();
  await press(ada, 'Backspace', 'Escape');
  await day.waitFor({ state: 'detached' });
  expect((await team.show<Todo>(todo)).dueDate).toBe(dueDate);
  await button(ada, 'Due: Tomorrow, 18:00').click();
  await day.focus();
  await press(ada, 'Backspace', 'ArrowRight', 'Backspace', 'ArrowRight', 'Backspace', 'Escape');
  await button(ada, 'Due: No date').waitFor();
  await eventually(async () => (await team.show<Todo>(todo)).dueDate === null);
  await team.bob.json('PATCH', `/todos/${todo.id}`, { content: 'In the checkout' });
  team.hub.clock.advance(60_000);
  await button(ada, 'Mark as done').click();
  await panel(bob).getByText('Ada Lovelace completed it').waitFor();
  const history = panel(bob).locator('.history');
  await button(ada, 'Reopen').click();
  await history.getByText('Ada Lovelace reopened it').waitFor();
  for (const text of ['Ada Lovelace assigned this to Bob Kahn', 'set the priority to Urgent', 'removed the due date'])
    await history.getByText(text).first().waitFor();
  // An edit stands among the other changes, by its time.
  expect(await history.textContent()).toMatch(/Bob Kahn edited it.*completed it.*reopened it/s);

  const message = await team.message(team.bob, 'Checkout is **slow** again');
  const { body } = await team.bob.json<Todo>('POST', `/messages/${message.id}/conversion`, { to: 'todo' });
  const link = panel(ada).getByRole('link', { name: 'Checkout is slow again' });
  await show(ada, `/hubs/${team.hubId}/todos?open=${body.id}`, link);
  expect(await link.getAttribute('href')).toBe(`/hubs/${team.hubId}?open=${message.id}`);
  await team.bob.json('DELETE', `/messages/${message.id}`);
  await panel(ada).getByText('The source message was deleted.').waitFor();
});
