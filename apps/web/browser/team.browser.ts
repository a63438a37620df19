import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Message, Note, Todo } from '@hub/contract';
import { type TestSession, testBrowser, testSession } from '@hub/testkit/browser/browser';
import { type BackdatedTeam, LIVE_MS, startBackdatedTeam } from '@hub/testkit/browser/hub-test-sessions';
import type { UserCaller } from '@hub/testkit/in-process/users';
import type { Browser, Locator, Page } from 'playwright-core';

let browser: Browser;
beforeAll(async () => {
  browser = await testBrowser();
});
afterAll(() => browser.close());

/** A member with a page for each view of the Hub. None of the pages is reloaded. */
interface Views {
  hub: Page;
  stream: Page;
  todos: Page;
  notes: Page;
  testSessions: readonly TestSession[];
}

async function openTestSession(team: BackdatedTeam, caller: UserCaller): Promise<Views> {
  const testSessions: TestSession[] = [];
  const open = async (path: string, shows: string): Promise<Page> => {
    // A separate context, since Chromium delays drawing pages that are behind another page of the same context.
    const opened = await testSession(browser, team.hub, { caller });
    testSessions.push(opened);
    await opened.page.goto(path);
    await opened.page.locator(shows).first().waitFor();
    await opened.page.evaluate(() => document.documentElement.setAttribute('data-first-load', ''));
    return opened.page;
  };
  const at = `/hubs/${team.hubId}`;
  const [hub, stream, todos, notes] = await Promise.all([
    open(at, '.msg'),
    open('/stream', '.entry'),
    open(`${at}/todos?status=all`, '.todo'),
    open(`${at}/notes`, '.notes .note'),
  ]);
  return { hub, stream, todos, notes, testSessions };
}

async function leave({ testSessions }: Views): Promise<void> {
  for (const { page, problems, context } of testSessions) {
    expect(problems).toEqual([]);
    expect(await page.locator('html[data-first-load]').count()).toBe(1);
    await context.close();
  }
}

const row = ({ hub }: Views, { id }: { id: string }) => hub.locator(`.feed [data-row="${id}"]`);
const entry = ({ stream }: Views, { id }: { id: string }) => stream.locator(`.entry[data-item="${id}"]`);
const todoRow = ({ todos }: Views, { id }: { id: string }) => todos.locator(`[data-todo="${id}"]`);
const card = ({ notes }: Views, { id }: { id: string }) => notes.locator(`.note[data-note="${id}"]`);
const panel = (page: Page) => page.locator('#panel');

/** Checks that all of these elements appear within a second. */
async function expectShown(...locators: Locator[]): Promise<void> {
  await Promise.all(locators.map((locator) => locator.first().waitFor({ timeout: LIVE_MS })));
}
async function expectGone(...locators: Locator[]): Promise<void> {
  await Promise.all(locators.map((locator) => locator.waitFor({ state: 'detached', timeout: LIVE_MS })));
}

/** Opens the views of Ada and Bob in a Hub with one item of each kind. */
async function openBoth(team: BackdatedTeam): Promise<[Views, Views]> {
  await team.message(team.bob, 'The first message');
  await team.note(team.bob, { title: 'The first note', content: 'So that there is one.' });
  await team.todo(team.bob, { title: 'The first to-do' });
  return [await openTestSession(team, team.ada), await openTestSession(team, team.bob)];
}

test('messages: actions by a key and by either member appear for the other within a second', async () => {
  await using team = await startBackdatedTeam();
  const [ada, bob] = await openBoth(team);

  const posted = await team.post('messages', { text: 'Deployed **4.18.0**' });
  await expectShown(
    ...[ada, bob].flatMap((views) => [row(views, posted), entry(views, posted)].map((at) => at.getByText('4.18.0'))),
  );

  const field = ada.hub.getByRole('textbox', { name: /^Message to/ });
  await field.fill('@Bob Kahn, who looks after it?');
  await field.press('Enter');
  await expectShown(...[bob.hub, bob.stream].map((page) => page.locator('.mention.is-me', { hasText: '@Bob Kahn' })));
  const [asked] = (await team.messages()).items as [Message];

  await entry(bob, asked).focus();
  await bob.stream.keyboard.press('r');
  await bob.stream.waitForFunction(() => document.activeElement?.matches('#panel .composer textarea'));
  await bob.stream.keyboard.type('I do.');
  await bob.stream.keyboard.press('Enter');
  await expectShown(
    row(ada, asked).getByText('1 reply'),
    entry(ada, asked).getByText('1 reply'),
    ada.stream.getByText('I do.'),
  );

  await row(bob, posted).hover();
  await row(bob, posted).getByRole('button', { name: 'React' }).click();
  await bob.hub.getByRole('gridcell', { name: 'thumbs up' }).first().click();
  const liked = (at: Locator, who: string) => at.getByRole('button', { name: who });
  await expectShown(...[row(ada, posted), entry(ada, posted)].map((at) => liked(at, '👍, 1: Bob Kahn')));
  await liked(entry(ada, posted), '👍, 1: Bob Kahn').click();
  await expectShown(...[row(bob, posted), entry(bob, posted)].map((at) => liked(at, '👍, 2: Ada Lovelace and you')));

  await row(ada, asked).hover();
  await row(ada, asked).getByRole('button', { name: 'More' }).click();
  await ada.hub.getByRole('menuitem', { name: 'Edit' }).click();
  await ada.hub.getByRole('textbox', { name: 'Message text' }).fill('Who looks after it today?');
  await ada.hub.keyboard.press('Enter');
  await expectShown(...[row(bob, asked), entry(bob, asked)].map((at) => at.getByText('Who looks after it today?')));

  const mistake = await team.message(team.ada, 'A mistake');
  await expectShown(row(ada, mistake), row(bob, mistake), entry(bob, mistake));
  await row(ada, mistake).hover();
  await row(ada, mistake).getByRole('button', { name: 'More' }).click();
  await ada.hub.getByRole('menuitem', { name: 'Delete' }).click();
  await ada.hub.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expectGone(row(bob, mistake), entry(bob, mistake), entry(ada, mistake));
  for (const views of [ada, bob]) await leave(views);
});

test('to-dos: creation by a key or by conversion, and later changes, appear for the other within a second', async () => {
  await using team = await startBackdatedTeam();
  const [ada, bob] = await openBoth(team);
  const posted = await team.post<Todo>('todos', { title: 'Call back', priority: 'HIGH' });
  await expectShown(...[ada, bob].flatMap((views) => [todoRow(views, posted), entry(views, posted)]));

  const message = await team.post('messages', { text: 'The disk fills up' });
  await expectShown(row(ada, message));
  await row(ada, message).hover();
  await row(ada, message)
    .getByRole('button', { name: /Convert to to-do/ })
    .click();
  await expectShown(
    ...[row(bob, message), entry(bob, message)].map((at) => at.locator('.conversion', { hasText: 'open' })),
  );
  const todo = { id: (await team.show<Message>(message)).conversion?.id ?? '' };
  await expectShown(todoRow(bob, todo).getByText('The disk fills up'), entry(bob, todo));

  await todoRow(ada, todo).getByRole('link').click();
  await panel(ada.todos).getByRole('button', { name: 'Assignee: Unassigned' }).click();
  await ada.todos.getByRole('option', { name: 'Bob Kahn' }).click();
  await expectShown(
    todoRow(bob, todo).getByRole('img', { name: 'Bob Kahn' }),
    row(bob, message).getByText('open · Bob'),
  );

  await todoRow(bob, todo).getByRole('checkbox').click();
  await expectShown(
    ...[row(ada, message), entry(ada, message)].map((at) => at.getByText('done · Bob')),
    entry(ada, todo).getByText('done by Bob Kahn'),
    ada.todos.locator(`.todo.is-done[data-todo="${todo.id}"]`),
    panel(ada.todos).getByRole('button', { name: 'Reopen' }),
  );
  // Ada could not have seen the change this soon, so a click by her would still refer to the open to-do.
  await todoRow(bob, todo).getByRole('checkbox').click();
  await expectShown(
    ...[row(ada, message), row(bob, message)].map((at) => at.getByText('open · Bob')),
    ...[ada, bob].map((views) => views.todos.locator(`.todo:not(.is-done)[data-todo="${todo.id}"]`)),
    ...[ada, bob].map((views) => entry(views, todo).locator('.todo-card:not(.is-done)')),
    panel(ada.todos).getByRole('button', { name: 'Mark as done' }),
  );

  await panel(ada.todos).getByRole('button', { name: 'Edit' }).click();
  await panel(ada.todos).getByRole('textbox', { name: 'Title' }).fill('Make room on the disk');
  await panel(ada.todos).getByRole('button', { name: 'Save', exact: true }).click();
  const title = 'Make room on the disk';
  await expectShown(...[todoRow(bob, todo), entry(bob, todo), row(bob, message)].map((at) => at.getByText(title)));

  await deleteAndExpectGone(ada.todos, todoRow(bob, todo), entry(bob, todo));
  for (const views of [ada, bob]) await leave(views);
});

test('notes: creation by a key or by conversion, edits and deletions appear for the other within a second', async () => {
  await using team = await startBackdatedTeam();
  const [ada, bob] = await openBoth(team);
  const posted = await team.post<Note>('notes', { title: 'Weekly numbers', content: 'All is well.' });
  await expectShown(...[ada, bob].flatMap((views) => [card(views, posted), entry(views, posted)]));

  const message = await team.message(team.bob, 'How to restore');
  await expectShown(entry(ada, message));
  await entry(ada, message).focus();
  await ada.stream.keyboard.press('n');
  await expectShown(...[row(bob, message), entry(bob, message)].map((at) => at.locator('.conversion')));
  const note = { id: (await team.show<Message>(message)).conversion?.id ?? '' };
  await expectShown(card(bob, note), entry(bob, note));

  await card(ada, posted).click();
  await panel(ada.notes).getByRole('button', { name: 'Edit' }).click();
  await panel(ada.notes).getByRole('textbox', { name: 'Content (Markdown)' }).fill('Nothing is well.');
  await panel(ada.notes).getByRole('button', { name: 'Save', exact: true }).click();
  await expectShown(...[card(bob, posted), entry(bob, posted)].map((at) => at.getByText('Nothing is well.')));

  await deleteAndExpectGone(ada.notes, card(bob, posted), entry(bob, posted));
  for (const views of [ada, bob]) await leave(views);
});

/** Deletes the item in the open panel, and checks that it disappears from these views. */
async function deleteAndExpectGone(page: Page, ...locators: Locator[]): Promise<void> {
  await panel(page).getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expectGone(...locators);
}
