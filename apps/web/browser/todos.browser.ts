import { beforeAll, describe, expect, test } from 'bun:test';
import type { Todo } from '@hub/contract';
import { axeInBothThemes } from '@hub/testkit/browser/axe';
import { PHONE, testSession, WIDE } from '@hub/testkit/browser/browser';
import { teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { startTeam } from '@hub/testkit/in-process/team';
import type { UserCaller } from '@hub/testkit/in-process/users';
import type { Page } from 'playwright-core';

/** A Thursday morning in Berlin. */
const NOW = '2026-11-12T10:00:00Z';

const { browser, team, open, forgetProblems } = await teamSessions(startTeam());

const todosOf = (caller: UserCaller, query = '', look = WIDE) =>
  open(caller, `/hubs/${team.hubId}/todos${query}`, { look, now: NOW });

const row = (page: Page, title: string) => page.locator('.todo', { hasText: title });
const check = (page: Page, title: string) => page.locator('.main').getByRole('checkbox', { name: title, exact: true });
const group = (page: Page, name: string) =>
  page.locator('.todo-group', { has: page.getByRole('heading', { name: new RegExp(`^${name} `) }) });
const show = async (todo: { id: string }) => team.show<Todo>(todo);

describe('the list', () => {
  test("groups to-dos by day in the reader's time zone and shows a to-do that a key adds", async () => {
    await team.todo(team.ada, { title: 'Past', dueDate: '2026-11-10T12:00:00Z', priority: 'HIGH' });
    await team.todo(team.ada, { title: 'Late tonight', dueDate: '2026-11-12T22:30:00Z' });
    await team.todo(team.ada, { title: 'After midnight', dueDate: '2026-11-12T23:30:00Z' });
    const page = await todosOf(team.ada);
    await group(page, 'Overdue').getByText('Past').waitFor();
    await group(page, 'Today').getByText('Late tonight').waitFor();
    await group(page, 'This week').getByText('After midnight').waitFor();
    await team.post('todos', { title: 'From the pipeline', dueDate: '2026-12-24T12:00:00Z' });
    await group(page, 'Later').getByText('From the pipeline').waitFor();
    await row(page, 'From the pipeline').getByText('via ci').waitFor();
  });

  test('moves a to-do from Today to Overdue as time passes', async () => {
    await team.todo(team.ada, { title: 'Due at noon', dueDate: '2026-11-12T11:00:00Z' });
    const page = await todosOf(team.ada);
    await group(page, 'Today').getByText('Due at noon').waitFor();
    await page.clock.fastForward('01:01:00');
    await group(page, 'Overdue').getByText('Due at noon').waitFor();
    await check(page, 'Due at noon').check();
    await check(page, 'Past').check();
    await page.getByRole('heading', { name: 'Overdue all done' }).waitFor();
  });

  test('strikes a checked-off to-do through for both members, keeps it in place and later moves it to Done', async () => {
    const todo = await team.todo(team.ada, { title: 'Freeze main' });
    const [ada, bob] = [await todosOf(team.ada), await todosOf(team.bob)];
    await check(bob, 'Freeze main').waitFor();
    await check(ada, 'Freeze main').check();
    await bob.locator('.todo.is-done', { hasText: 'Freeze main' }).waitFor();
    await group(bob, 'No date').getByText('Freeze main').waitFor();
    expect((await show(todo)).finishedBy?.name).toBe('Ada Lovelace');
    await bob.clock.fastForward(7_000);
    await row(bob, 'Freeze main').waitFor({ state: 'detached' });
    await bob.getByRole('button', { name: 'Done', exact: true }).click();
    await row(bob, 'Freeze main').waitFor();
    expect(new URL(bob.url()).searchParams.get('status')).toBe('done');
    // The pointer is on Ada's list, so no row disappears under it.
    await ada.clock.fastForward(7_000);
    expect(await row(ada, 'Freeze main').isVisible()).toBeTrue();
  });

  test('does not reopen a to-do that is clicked just after another member checked it off', async () => {
    const todo = await team.todo(team.ada, { title: 'Both at once' });
    const page = await todosOf(team.ada);
    const box = check(page, 'Both at once');
    await box.hover();
    await team.bob.json('PATCH', `/todos/${todo.id}`, { status: 'done' });
    await row(page, 'Both at once').and(page.locator('.is-done')).waitFor();
    await box.click();
    expect(await box.isChecked()).toBeTrue();
    await page.clock.fastForward(2_000);
    await box.click();
    await expectSoon(async () => (await show(todo)).status === 'open');
    // A click takes effect even right after the member's own change.
    await box.click();
    await page.getByText('Done: Both at once').waitFor();
    await box.click();
    await expectSoon(async () => (await show(todo)).status === 'open');
    expect(await page.getByText('Done: Both at once').count()).toBe(0);
    // Bob's change arrives while Ada holds the button down.
    await box.hover();
    await page.mouse.down();
    await page.clock.fastForward(2_000);
    await team.bob.json('PATCH', `/todos/${todo.id}`, { status: 'done' });
    await row(page, 'Both at once').and(page.locator('.is-done')).waitFor();
    await page.clock.fastForward(2_000);
    await page.mouse.up();
    expect(await box.isChecked()).toBeTrue();
    expect((await show(todo)).finishedBy?.name).toBe('Bob Kahn');
  });

  test('reverts a check with Undo in the toast', async () => {
    const todo = await team.todo(team.ada, { title: 'Too early' });
    const page = await todosOf(team.ada);
    await check(page, 'Too early').check();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('.todo:not(.is-done)', { hasText: 'Too early' }).waitFor();
    await expectSoon(async () => (await show(todo)).status === 'open');
  });

  test('reverts a check that could not be saved and offers to try again', async () => {
    const todo = await team.todo(team.ada, { title: 'Without a network' });
    const page = await todosOf(team.ada);
    await check(page, 'Without a network').waitFor();
    await page.route('**/api/v1/todos/*', (route) => route.abort());
    await check(page, 'Without a network').click();
    await page.getByText('Not saved.').waitFor();
    expect(await check(page, 'Without a network').isChecked()).toBeFalse();
    await page.unroute('**/api/v1/todos/*');
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok());
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.todo.is-done', { hasText: 'Without a network' }).waitFor();
    await saved;
    expect((await show(todo)).status).toBe('done');
    // The browser logs the aborted request.
    forgetProblems(page);
  });
});

describe('adding', () => {
  test('Enter adds a to-do for every member and clears the field for the next', async () => {
    const [ada, bob] = [await todosOf(team.ada), await todosOf(team.bob)];
    const field = ada.getByRole('textbox', { name: 'New to-do' });
    await field.fill('First of two');
    await field.press('Enter');
    await field.pressSequentially('Second of two');
    await field.press('Enter');
    for (const title of ['First of two', 'Second of two']) await row(bob, title).waitFor();
    expect(await field.inputValue()).toBe('');
    await ada.locator('.add-row input:focus').waitFor();
  });

  test('a to-do that is sorted below what is in view can be opened from a message', async () => {
    for (let n = 0; n < 30; n += 1) {
      await team.todo(team.bob, { title: `Due ${n}`, dueDate: '2026-11-11T12:00:00Z', priority: 'URGENT' });
    }
    const page = await todosOf(team.ada, '?priority=urgent');
    const field = page.getByRole('textbox', { name: 'New to-do' });
    await row(page, 'Due 29').first().waitFor();
    await field.fill('Far below');
    await field.press('Enter');
    await page.locator('.toasts').getByRole('button', { name: 'Open' }).click();
    await page.locator('#panel', { hasText: 'Far below' }).waitFor();
  });

  test('a to-do that could not be added survives a reload and is added on retry, with the filters that were active', async () => {
    const page = await todosOf(team.ada, '?priority=high');
    const field = page.getByRole('textbox', { name: 'New to-do' });
    await page.route('**/todos', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await field.fill('Not lost');
    await field.press('Enter');
    await page.getByText('It may have been added').waitFor();
    await page.unroute('**/todos');
    await page.goto(page.url().replace(/\?.*/, ''));
    const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/todos'));
    await page.getByRole('button', { name: 'Try again' }).click();
    await row(page, 'Not lost').waitFor();
    expect((await sent).postDataJSON()).toEqual({ title: 'Not lost', priority: 'HIGH' });
    forgetProblems(page);
  });

  test('a to-do that is added offline says so, and is added on retry', async () => {
    const page = await todosOf(team.ada);
    const field = page.getByRole('textbox', { name: 'New to-do' });
    await field.waitFor();
    // The page asks whether the server can be reached anyway, perhaps a moment too early.
    await page.route('**/api/v1', (route) => route.abort());
    await page.context().setOffline(true);
    await page.getByText('You’re offline.').waitFor();
    await field.fill('In a tunnel');
    await field.press('Enter');
    await page.getByText('Not added: there was no connection.').waitFor();
    await page.context().setOffline(false);
    await page.locator('.connection-toast .banner').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.locator('.pending-todo').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Try again' }).click();
    await row(page, 'In a tunnel').waitFor();
    expect(await page.locator('.pending-todo').count()).toBe(0);
    forgetProblems(page);
  });

  test('a title that is too long stays in its field, which says by how much', async () => {
    const page = await todosOf(team.ada, '', PHONE);
    const field = page.getByRole('textbox', { name: 'New to-do' });
    const title = 'unbroken'.repeat(40);
    await field.fill(title);
    await page.getByText('65 characters over the limit of 255.').waitFor();
    await field.press('Enter');
    expect(await field.inputValue()).toBe(title);
    expect(await page.locator('.pending-todo').count()).toBe(0);
    const [right = 0, ...others] = await page
      .locator('.add-row, .add-row > *')
      .evaluateAll((all) => all.map((part) => part.getBoundingClientRect().right));
    expect(others.filter((each) => each > right)).toEqual([]);
    await field.fill('');
  });

  test('a half-typed title survives a reload', async () => {
    const page = await todosOf(team.ada);
    await page.getByRole('textbox', { name: 'New to-do' }).fill('Half a ti');
    await page.reload();
    await expectSoon(async () => (await page.getByRole('textbox', { name: 'New to-do' }).inputValue()) === 'Half a ti');
    await page.getByRole('textbox', { name: 'New to-do' }).fill('');
  });
});

describe('filters', () => {
  test('are kept in the URL, and a link shows the same list', async () => {
    await team.todo(team.ada, { title: 'Mine and urgent', priority: 'URGENT', assigneeId: team.ada.user.id });
    await team.todo(team.ada, { title: 'Of Bob and urgent', priority: 'URGENT', assigneeId: team.bob.user.id });
    const page = await todosOf(team.ada);
    await page.getByRole('button', { name: 'Assignee' }).click();
    await page.getByRole('combobox', { name: 'Assignee' }).fill('bob');
    await page.keyboard.press('Enter');
    await row(page, 'Mine and urgent').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Priority' }).click();
    await page.getByRole('menuitemradio', { name: 'Urgent' }).click();
    const link = new URL(page.url());
    expect(link.search).toBe(`?assignee=${team.bob.user.id}&priority=urgent`);
    const other = await todosOf(team.bob, link.search);
    await row(other, 'Of Bob and urgent').waitFor();
    expect(await other.locator('.todo').count()).toBe(1);
    await other.getByRole('button', { name: 'Clear' }).click();
    await row(other, 'Mine and urgent').waitFor();
  });

  test('offers the signed-in member once, first among the members', async () => {
    const page = await todosOf(team.ada);
    await page.getByRole('button', { name: 'Assignee' }).click();
    const options = page.getByRole('listbox', { name: 'Assignee' }).getByRole('option');
    await options.filter({ hasText: 'Bob Kahn' }).waitFor();
    expect((await options.locator('.name').allTextContents()).slice(0, 3)).toEqual([
      'Anyone',
      'Unassigned',
      'Ada Lovelace (you)',
    ]);
    await options.filter({ hasText: '(you)' }).click();
    await row(page, 'Of Bob and urgent').waitFor({ state: 'detached' });
    await row(page, 'Mine and urgent').waitFor();
    await page.getByRole('button', { name: 'Me', exact: true }).click();
    await options.filter({ hasText: 'Ada Lovelace (you), selected' }).waitFor();
  });

  test('a to-do added while a filter is active matches that filter', async () => {
    const page = await todosOf(team.ada, '?assignee=me&priority=low');
    const field = page.getByRole('textbox', { name: 'New to-do' });
    await field.fill('Small and mine');
    await field.press('Enter');
    await row(page, 'Small and mine').waitFor();
    await row(page, 'Small and mine').getByRole('img', { name: 'Low priority' }).waitFor();
    await row(page, 'Small and mine').getByRole('img', { name: 'Ada Lovelace' }).waitFor();
  });

  test('sorting by priority groups by priority', async () => {
    const page = await todosOf(team.ada, '?sort=priority');
    await group(page, 'Urgent').getByText('Mine and urgent').waitFor();
    await group(page, 'No priority').getByText('After midnight').waitFor();
  });
});

describe('the keyboard', () => {
  test('j and k move, x and Space check off a to-do, Enter opens it and Escape returns to its row', async () => {
    await team.todo(team.ada, { title: 'Key one', assigneeId: team.bob.user.id, priority: 'LOW' });
    const two = await team.todo(team.ada, { title: 'Key two', assigneeId: team.bob.user.id, priority: 'LOW' });
    const page = await todosOf(team.ada, `?assignee=${team.bob.user.id}&priority=low&sort=newest`);
    await row(page, 'Key one').waitFor();
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    await page.keyboard.press('j');
    expect(await focused()).toBe('Key two');
    await page.keyboard.press('j');
    expect(await focused()).toBe('Key one');
    await page.keyboard.press('k');
    await page.keyboard.press('x');
    await page.locator('.todo.is-done', { hasText: 'Key two' }).waitFor();
    await page.keyboard.press(' ');
    await page.locator('.todo:not(.is-done)', { hasText: 'Key two' }).waitFor();
    await expectSoon(async () => (await show(two)).status === 'open');
    await page.keyboard.press('Enter');
    await page.locator('.panel').getByRole('heading', { name: 'Key two' }).waitFor();
  });
});

describe('many to-dos', () => {
  test('a thousand open to-dos are all loaded, but most rows are drawn only while scrolling', async () => {
    await using crowd = await startTeam();
    for (let start = 0; start < 1_000; start += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, n) => crowd.todo(crowd.ada, { title: `Number ${start + n}` })));
    }
    const { page, problems, context } = await testSession(browser, crowd.hub, { caller: crowd.ada });
    await page.goto(`/hubs/${crowd.hubId}/todos`);
    await page.getByRole('heading', { name: 'No date 1000' }).waitFor();
    expect(await page.locator('.todo').count()).toBeLessThan(500);
    await page.locator('.scroll').evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await expectSoon(async () => {
      await page.locator('.scroll').evaluate((element) => element.scrollTo(0, element.scrollHeight));
      return (await page.locator('.todo').count()) === 1_000;
    });
    expect(problems).toEqual([]);
    await context.close();
  });
});

describe('axe finds no violations', () => {
  beforeAll(async () => {
    const dueDate = '2026-11-10T12:00:00Z';
    await team.post('todos', { title: 'Late and urgent', dueDate, priority: 'URGENT' });
    const done = await team.todo(team.ada, { title: 'All done', assigneeId: team.bob.user.id });
    await team.ada.json('PATCH', `/todos/${done.id}`, { status: 'done' });
  });
  for (const look of [WIDE, PHONE]) {
    test(`in the list and its menus at ${look.width} px, in either theme`, async () => {
      const page = await todosOf(team.ada, '?status=all', look);
      await row(page, 'Late and urgent').waitFor();
      await row(page, 'All done').waitFor();
      expect(await axeInBothThemes(page)).toEqual([]);
      await page.getByRole('button', { name: 'Assignee' }).click();
      await page.getByRole('option', { name: 'Bob Kahn' }).waitFor();
      expect(await axeInBothThemes(page)).toEqual([]);
    });
  }
});

async function expectSoon(isTrue: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 10_000;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error('The condition was not met within 10 seconds');
    await Bun.sleep(20);
  }
}
